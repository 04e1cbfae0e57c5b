// How much memory looking at a file will need, before it is read.
#pragma once

#include <string>

namespace bscope {

/// Throws UsageError with the estimate where looking at this trace would take more than memory_limit(): its
/// size tells how many events it holds at most. A file that cannot be looked at is left to the reader.
void refuse_if_too_large(const std::string& file);
/// 512M, 2G, 1500000000. Throws UsageError.
double parse_bytes(const std::string&);

}  // namespace bscope
