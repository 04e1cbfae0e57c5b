// A puzzle in the program's panel: the question for the line, hints, the solution.
#pragma once

#include <memory>
#include <optional>

namespace bscope {

struct Assignment;
class View;

/// After the open program was looked at. `begun`: the assignment that it began from, or null. `passed`: how
/// it was judged; nothing while that is not known. Counts a changed text that was judged as a try, and
/// decides whether views may name what is wrong (LessonState::line_asked).
void follow_puzzle(View&, const std::shared_ptr<const Assignment>& begun, std::optional<bool> passed);

/// What belongs to a puzzle and to no other assignment. Returns whether the requirements may be listed, which
/// name lines.
bool show_puzzle(View&, const Assignment&);

}  // namespace bscope
