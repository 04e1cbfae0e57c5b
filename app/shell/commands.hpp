// Everything that can be done without a mouse: one list, from which the keyboard, the command palette and the
// key sheet are made. A command registers itself beside what it acts on.
#pragma once

#include <imgui.h>

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "app/session/state.hpp"

namespace bscope {

struct UiState;

struct Command {
  std::string id;                        ///< for tests and lessons: "step.forward"
  std::string group;                     ///< English, said when shown: a heading of the key sheet
  std::string title;                     ///< English, said when shown; a few words that begin with a verb
  std::vector<ImGuiKeyChord> keys = {};  ///< any of these; none: palette only
  std::function<void(LoadedState&, UiState&)> run = {};
  bool repeats = false;  ///< again and again while the key is held
  std::string tab = {};  ///< its keys work on this tab only (the palette goes there first)
  std::function<bool(const LoadedState&, const UiState&)> can = {};  ///< null: always
  bool first = false;  ///< its keys go before those of the tab: a list that is open has them
};
/// In the order of registration; then what tabs say of themselves: their keys, their controls, their
/// commands.
const std::vector<Command>& commands();
/// All of them in the palette's order: those of other tabs than this one last, then by group, steps first.
std::vector<const Command*> listed_commands(const std::string& tab_here);
/// static const RegisterCommands steps_of_mine{group("mine.first", ...), group("mine.last", ...)};
struct RegisterCommands {
  RegisterCommands(std::initializer_list<Command>);
};
/// Makes the commands of one group; with a tab, their keys work there only:
/// constexpr CommandGroup steps{tr_noop("Steps")}; steps("step.back", tr_noop("Go back"), {key}, step<back>)
struct CommandGroup {
  const char* name;
  const char* tab = "";
  Command operator()(const char* id, const char* title, std::vector<ImGuiKeyChord> keys,
                     void (*run)(LoadedState&, UiState&), bool repeats = false) const {
    return {.id = id,
            .group = name,
            .title = title,
            .keys = std::move(keys),
            .run = run,
            .repeats = repeats,
            .tab = tab};
  }
};
/// A command that asks whether it can.
inline Command when(bool (*can)(const LoadedState&, const UiState&), Command c) {
  c.can = can;
  return c;
}
/// A command whose keys go before those of the tab.
inline Command first(Command c) {
  c.first = true;
  return c;
}
/// A command that is a pure step of the state, by so much if it takes a number: `.run = step<forward>`.
template <LoadedState (*Step)(LoadedState)>
void step(LoadedState& s, UiState&) {
  s = Step(std::move(s));
}
template <LoadedState (*Step)(LoadedState, int), int By>
void step_by(LoadedState& s, UiState&) {
  s = Step(std::move(s), By);
}
/// A key does one thing. The tab's own commands are asked first (0), then those that ask whether they can
/// (1), then the others (2): Esc leaves a question before it clears the selection. A test holds that no two
/// of one turn answer to the same key.
int turn_of(const Command&);
/// Runs every command whose key was pressed in this frame. Not while text is typed or a popup is open.
void run_pressed_commands(LoadedState&, UiState&);
/// "Shift+Right", "Ctrl+Enter", "[": a key as it is printed on the key sheet.
std::string key_name(ImGuiKeyChord);
/// Set in pages: whether the browser acts on the key, so that it never comes here.
inline bool (*is_browsers)(ImGuiKeyChord) = nullptr;
/// A command's keys by name; those that are printed alike (Enter twice) once, and none that is a browser's.
std::vector<std::string> key_names(const Command&);

}  // namespace bscope
