// Lessons for others in the window: a palette that finds them, a link that opens one.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace bscope {

struct Assignment;
struct LessonEntry;
struct LoadedState;
struct UiState;

/// All lessons in the state's language, in the order of the list, with what is done.
std::vector<LessonEntry> lesson_entries(const LoadedState&, UiState&);
/// Looks for lessons that have appeared or changed.
void look_for_lessons(UiState&);
/// Shows the list of lessons, which begins with what the course in this folder holds, until another is
/// opened.
void show_course(LoadedState&, UiState&, const std::string& folder);
/// Those of the course that is shown, without those that cannot be read.
std::vector<std::shared_ptr<const Assignment>> assignments_of_course(const UiState&);
/// Opens a lesson where it was left; from its beginning if it was done. Nothing if there is none of that id.
void start_lesson(LoadedState&, UiState&, const std::string& id);
/// Whether the open question of the lesson is answered by typing: then digits are no keys of commands.
bool answer_is_typed(const LoadedState&, const UiState&);
/// Whether the open lesson runs this program.
bool is_program_of_lesson(const LoadedState&, UiState&, const std::string& file);
/// Back to what the lesson's step shows.
void return_to_lesson(LoadedState&, UiState&);
/// Whether an answer of the lesson's step is still held back. Then nothing on screen may give it away.
bool answer_is_held_back(const LoadedState&, UiState&);

}  // namespace bscope
