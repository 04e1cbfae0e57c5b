// A tab is one value, registered beside its definition (app/tabs/NAME/tab.cpp): windows, figures, sessions,
// lessons, keys and the command line go through this list and know no tab by name.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/session/control.hpp"

namespace bscope {

struct ChooseRun;
struct LoadedState;
struct Recording;
class RunQueries;
class RunStore;
struct State;
class TabServices;
class TabStates;
struct TabTime;
struct Theme;
enum class Where : uint8_t;

namespace detail {
struct AnyTabState;
}

/// The line above a figure that says of what it is.
struct Caption {
  std::string title;       ///< of the kernel; of both, where two are compared
  std::string parameters;  ///< "n = 16 (random, seed 1), block = 8, ..."
  std::string step;        ///< where in the run; empty where the figure shows no step
  std::string widest;      ///< as wide as `step` becomes in this run: films keep their layout
};

/// What a tab's picture is made of.
struct TabScene {
  const LoadedState& state;
  const RunQueries& model;  ///< of state.run
  const Theme& theme;
  const Metrics& metrics;
  TabServices& services;
  const std::vector<Recording>* live = nullptr;  ///< times that were measured just now; null: none
  std::chrono::milliseconds patience{2000};      ///< what may be put off stops then
};

/// Something that a tab can do without a mouse: its key, its line in the palette and on the key sheet.
struct TabCommand {
  std::string id;                 ///< "next": with the tab's name before it for tests and lessons
  const char* title;              ///< tr_noop("Look at the next request"): begins with a verb
  std::vector<std::string> keys;  ///< "Down", "Shift+W", ".": any of these, on this tab only
  std::function<void(LoadedState&, TabServices&)> run;
  bool repeats = false;  ///< again and again while the key is held
  std::function<bool(const LoadedState&, const TabServices&)> can = {};
  std::string (*button)(const LoadedState&) =
      nullptr;           ///< a button beside the tab's choices of runs says this
  const char* tip = "";  ///< tr_noop(...): of that button
};

/// What a tab shows beside the open run.
struct TabNeeds {
  /// Takes those runs, and what is derived from them, from the store. Where they are loading, only
  /// LoadedState::awaits changes; where they are refused, only the error.
  LoadedState (*take)(LoadedState, RunStore&);
  /// Whether they are all there, so that the tab can be drawn.
  bool (*taken)(const LoadedState&);
  Where where;                           ///< its errors are shown: in the tab's own place
  std::string (*progress)(int percent);  ///< "The runs with atomics are being made: 5%"
  /// Loading was cancelled: back to what was asked for when `last` was all there, or whatever else can be
  /// shown.
  void (*cancelled)(LoadedState&, const TabStates& last);
};

/// A step that a tab proposes in a line above its picture, with a button.
struct TabSuggestion {
  std::string words, button;
  std::function<void(LoadedState&, RunStore&)> take;
  bool at_once = false;  ///< taken without asking when the tab is opened, with a notice
};

struct Tab {
  std::string name;        ///< "memory": as `--view`, sessions and files call it
  const char* title;       ///< tr_noop("Memory")
  char key = 0;            ///< '3': shows it, and is its place in the bar
  const char* looks = "";  ///< tr_noop("Look at global memory's sectors"): what its key does
  std::shared_ptr<const detail::AnyTabState> state = {};  ///< remembers<MemoryState>()
  /// What it shows, of any size: in the window, in a file, in a test.
  Picture (*picture)(const TabScene&, float w, float h) = nullptr;
  /// How high its picture is in a phone's width (is_upright), in the theme's units; 0: it is as wide there as
  /// on a desk.
  float narrow_height = 0;
  /// A number that changes when the picture does, beside run, cursor, looks, size and state. Null: nothing
  /// else.
  uint64_t (*changes)(const TabScene&) = nullptr;
  std::optional<TabNeeds> needs = {};  ///< none: it shows the run alone
  /// The runs that can be chosen above its picture. Null: none.
  std::vector<ChooseRun> (*choices)(const LoadedState&) = nullptr;
  std::optional<TabSuggestion> (*offers)(const LoadedState&, TabServices&) = nullptr;
  /// Null: the kernel, its parameters and the step.
  Caption (*caption)(const LoadedState&) = nullptr;
  /// It shows recordings (JSON or CSV) that begin so: opens one; if that fails, only the error changes.
  bool (*reads)(std::string_view beginning) = nullptr;
  void (*open_recording)(LoadedState&, TabServices&, const std::string& path) = nullptr;
  /// What the transport moves, and how; null: the run's steps.
  std::optional<TabTime> (*time)(const LoadedState&) = nullptr;
  LoadedState (*at_time)(LoadedState, int now) = nullptr;
  /// Of `time`, beside the transport's buttons; null: the run's timeline.
  Picture (*timeline)(const TabScene&, float w, float h) = nullptr;
  std::vector<Control> controls = {};
  std::vector<TabCommand> commands = {};
  bool plays = true;                ///< it shows a moment: transport and films go through its steps
  bool has_own_lengths = false;     ///< it shows the kernel at lengths of its own, not at the open run's
  bool compares = false;            ///< a second run can be named for it on the command line
  bool shows_recordings = false;    ///< a recording of an own program can be named for it
  const char* time_unit = nullptr;  ///< what `time` counts: "t"; null: steps
  /// Before a lesson's step shows it: the step's words are about the step's own run. Null: it keeps what it
  /// remembers.
  void (*begin_lesson_step)(LoadedState&) = nullptr;
  /// Whether the transport stands below it now. Null: always, where it plays.
  bool (*transport)(const LoadedState&) = nullptr;
};

/// By key, then in the order of registration.
const std::vector<const Tab*>& tabs();
/// Null: there is none of that name.
const Tab* tab_named(std::string_view name);
/// The one that the state shows.
const Tab& tab_of(const State&);
/// Whether the tab shows the step under the cursor.
inline bool shows_step(const Tab& tab) { return tab.plays && !tab.time; }
/// "watch, banks, memory, ...": for sentences.
std::string tab_names();
struct RegisterTab {
  explicit RegisterTab(Tab);
};

/// Opens what the state's tab needs beside the run, at once. Throws UsageError.
LoadedState with_needs(LoadedState, RunStore&);

}  // namespace bscope
