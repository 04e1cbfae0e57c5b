// Inline assembly in device code: each asm becomes LLVM's own instructions, as text, before a function is
// read.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bscope::cuda::ir {

/// The lines of a function's body, with those that its inline assembly has become.
struct ExpandedBody {
  std::vector<std::string_view> lines;
  std::deque<std::string> own;  ///< what lines of them refer to
  /// Blocks that are several now: the last one's label by the first one's, which others name.
  std::map<std::string, std::string, std::less<>> last_label;
};

/// An asm that cannot be lowered stays as it is. `entry`: the label of the first block. `in_kernel`: a thread
/// that leaves the function has ended.
ExpandedBody expand_inline_asm(const std::vector<std::string_view>& body, std::string_view entry,
                               bool in_kernel);

/// What cannot be lowered of the asm in the line, as the end of a sentence.
std::string unsupported_asm_in(std::string_view line);

/// "  %5 = call i32 asm ...", or a call of something else.
bool has_inline_asm(std::string_view line);

}  // namespace bscope::cuda::ir
