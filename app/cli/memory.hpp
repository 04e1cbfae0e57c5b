// How much memory a trace will need, before it is made.
#pragma once
#include "app/cli/options.hpp"
namespace bscope {

/// Bytes that the trace and its analysis are expected to take: a short beginning of the same input is traced
/// to the next barrier and scaled up. 0 for inputs so small that it does not matter.
double expected_bytes(const Algorithm&, const Problem&);
/// Throws UsageError with the estimate where it exceeds `limit` bytes.
void refuse_if_too_large(const Algorithm&, const Problem&, double limit);
/// The same for a trace that is loaded; its size tells how many events it holds at most. A file that cannot
/// be looked at is left to the reader.
void refuse_if_too_large(const std::string& file, double limit);
/// 512M, 2G, 1500000000. Throws UsageError.
double parse_bytes(const std::string&);

}  // namespace bscope
