// An input file's bytes, whatever it holds.
#pragma once

#include <string>

namespace bscope {

/// Throws UsageError with one sentence: missing, a folder, too large, unreadable.
std::string read_input_file(const std::string& path);

}  // namespace bscope
