// The values that a store was computed from, as a sentence or an arrow names them.
#pragma once

#include <string>
#include <vector>

namespace bscope {

struct Why;

/// The values that one computation took, in order: cells, what registers held, constants; without neutral
/// constants (x + 0), which say nothing, unless nothing else is left, or they are asked for.
std::vector<const Why*> terms(const Why&, bool with_neutral = false);
/// "5 + 3", "max(5, 3)"; more than `most` are counted: "5 values".
std::string terms_text(const std::vector<const Why*>&, const std::string& op, size_t most);
/// Whether the operator is written as a call, max(5, 3).
bool is_call(const std::string& op);

}  // namespace bscope
