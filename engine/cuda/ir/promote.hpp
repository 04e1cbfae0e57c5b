// Which local variables need no memory.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bscope::cuda::ir {

/// The names of a function's allocas whose address is used for nothing but loads and stores of their own
/// scalar type: they are registers, and what is stored in them keeps where it came from. (What LLVM's mem2reg
/// asks; the code stays as it is, so lines and variables stay the source's.)
std::set<std::string, std::less<>> registers_among(const std::vector<std::string_view>& body);

/// Those of these names that the function's first block does not set before all else that is done with them:
/// a path may read them before they are set.
std::set<std::string, std::less<>> unset_at_first(const std::vector<std::string_view>& body,
                                                  const std::set<std::string, std::less<>>& names);

}  // namespace bscope::cuda::ir
