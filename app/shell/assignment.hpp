// The open program, judged by the assignment that it began from.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/trace/message.hpp"

namespace bscope {

struct Assignment;
struct LoadedState;
struct UiState;
class View;

/// Writes the starting file of the assignment under this name, and opens it in the editor. From then on the
/// file is judged by it. Refuses one that has no such file.
void begin_assignment(LoadedState&, UiState&, const std::shared_ptr<const Assignment>&,
                      const std::string& name);

/// The requirements of the open program, and whether it meets them, where it began from an
/// assignment that comes with the program, is of the course that is shown, or was begun here. It is judged in
/// the background after each run.
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
