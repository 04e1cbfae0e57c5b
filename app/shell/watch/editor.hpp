// The text of a user's own CUDA file, changed in the window: saved, it is compiled and run, and the trace is
// there.
#pragma once

#include <string>

#include "app/draw/picture.hpp"

namespace bscope {

struct LoadedState;
struct UiState;
class View;

/// Whether a program's text is shown in place of the source.
bool edits_program(const UiState&);
/// Opens the text of a file. False, and the state says why: it cannot be read.
bool edit_program(LoadedState&, UiState&, const std::string& file);
/// Closes the text. What was not saved is a draft: there when the file is edited again, after a new start of
/// the app, too.
void leave_editor(UiState&);
/// Writes what was typed, whole or not at all, and runs the program anew: the cursor's place is kept where it
/// can be, and what was open stays while it is compiled, and where it does not compile.
void save_program(LoadedState&, UiState&);
/// A new file of that text, saved, open and in the editor.
void begin_program(LoadedState&, UiState&, const std::string& name, const std::string& text);
/// Opens the text of the open program. Of a lesson's program, and of one that comes with Barrierscope, it is
/// a copy in the user's folder, which is run in its place.
void edit_open_program(LoadedState&, UiState&);

/// Runs the open program anew if another editor has changed its file. Looks twice a second.
void watch_program(LoadedState&, UiState&);

/// Where the text of that file is shown: its cursor goes to the place, both from 1; 0: nowhere.
void show_line_in_editor(UiState&, const std::string& file, int line, int column);
/// The line (from 1) of the editor's cursor, and the text as it stands; 0 and nothing where no text is shown.
int line_in_editor(const UiState&);
std::string text_in_editor(const UiState&);
/// Whether the text that is shown did not compile, and which lines the compiler names.
bool has_errors_in_editor(const LoadedState&, const UiState&);
/// The next of them after the cursor (`by` 1), or before it (-1), around the ends.
void show_next_error_in_editor(const LoadedState&, UiState&, int by);

/// The text with what the compiler says at its lines.
void show_editor(View&, Box);

}  // namespace bscope
