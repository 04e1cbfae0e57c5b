// The open program, judged by the assignment that it began from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/trace/message.hpp"

namespace bscope {

struct UiState;
class View;

/// The requirements of the open program, and whether it meets them, where it began from a built-in
/// assignment. It is judged in the background after each run.
void list_of_assignment(View&);

/// How many requirements the open program meets, and of how many; nothing while that is not known.
struct RequirementsMet {
  size_t met = 0, of = 0;
};
std::optional<RequirementsMet> requirements_met(const UiState&);

/// What the assignment found wrong in the open program's kernels and result, what explains most first. Empty
/// while that is not known.
std::vector<Message> wrong_by_assignment(View&);

}  // namespace bscope
