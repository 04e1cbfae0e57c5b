// How much memory looking at a trace will need.
#pragma once

#include <string>

namespace bscope {

struct Trace;

/// Throws UsageError with the estimate where reading this file would take more than memory_limit(). A file
/// that cannot be looked at is left to the reader.
void refuse_if_too_large(const std::string& file);
/// The same where looking at its trace would.
void refuse_if_too_large(const std::string& file, const Trace&);
/// 512M, 2G, 1500000000. Throws UsageError.
double parse_bytes(const std::string&);

}  // namespace bscope
