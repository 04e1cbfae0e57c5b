#pragma once

#include <string>

#include "engine/trace/trace.hpp"

namespace bscope {

/// A line (from 1) of a text as it stands, without its end; empty where it has none of that number.
std::string whole_line_of(const std::string& text, int line);
/// A line (from 1) of a text, without its indentation, as it may be shown (shown_text.hpp); empty where it
/// has none of that number.
std::string line_of(const std::string& text, int line);
/// A line (from 1) of the source that a launch ran, without its indentation; empty where the trace has none.
std::string source_line(const Trace&, int launch, int line);

}  // namespace bscope
