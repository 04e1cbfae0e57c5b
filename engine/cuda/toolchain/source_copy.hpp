// What clang reads of a program: its own files, corrected where nvcc takes what clang does not.
#pragma once

#include <string>
#include <string_view>

#include "engine/trace/shown_text.hpp"

namespace bscope::cuda {

using bscope::as_shown, bscope::as_shown_line;

/// Editors make `< < < grid, block > > >` of a launch, which nvcc takes: the same with its signs together,
/// blanks behind them, so that every column stays.
std::string with_launches_mended(std::string text);

}  // namespace bscope::cuda
