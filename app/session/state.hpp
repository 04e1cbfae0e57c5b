// The whole state of the app, and its pure steps: what is open, where the cursor is, how it looks and moves.
// A state names the runs that it shows; a loaded state has them from the run store.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "app/draw/theme.hpp"
#include "app/run/cursor.hpp"
#include "app/run/target.hpp"
#include "app/session/lesson_state.hpp"
#include "app/session/prediction.hpp"
#include "app/session/tab_results.hpp"
#include "app/session/tab_states.hpp"
#include "app/words/words.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct OpenedRun;
struct Run;
class RunStore;
namespace cuda {
struct ProgramRun;
}  // namespace cuda

/// The tab in which cells and threads are selected, predicted and edited. All others are known by their
/// values alone (app/session/tab.hpp).
inline constexpr const char* main_tab = "watch";

/// Where an error happened, so that it is shown there.
enum class Where : uint8_t { nowhere, parameters, file, queues, compare };

/// An input that the open kernel does not take.
struct SetAside {
  RunSpec request;  ///< whose input it is
  Message why;      ///< what refused it
  bool operator==(const SetAside&) const = default;
};

/// What the user has asked for: plain data, which sessions, links and undo keep. It names runs and holds
/// none.
struct State {
  Target target;                      ///< what the open run is made from, its input included
  std::optional<SetAside> set_aside;  ///< waits for the next kernel that takes it
  Cursor cursor;
  std::string tab = main_tab;  ///< Tab::name, of one that is registered (app/session/tab.hpp)
  ThemeName theme = ThemeName::dark;
  ThemeName desk_theme = ThemeName::dark;  ///< what F5 goes back to from the projector
  bool playing = false;
  bool reduced_motion = false;
  float speed = 1;  ///< of the motion: 0.25 .. 4
  Language language = Language::en;
  bool dialect = false;   ///< kernels of the catalog are shown in the dialect, not as their CUDA programs
  bool only_run = false;  ///< the whole-run figure instead of the tab, for pictures of it
  Prediction prediction;
  LessonState lesson;
  TabStates tabs;  ///< what each tab remembers

  template <class T>
  const T& of() const {
    return tabs.of<T>();
  }
  /// What a tab remembers, to be changed.
  template <class T>
  T& of() {
    return tabs.of<T>();
  }
};

/// What a step of the state waits for.
struct Awaited {
  std::optional<Target> run;  ///< a run that is loading; nothing: what is derived from runs is being made
};

/// Looks that a link or an option of the command line has set. Each holds until the user chooses another; no
/// settings keep it.
struct BorrowedLooks {
  std::optional<ThemeName> theme, desk_theme;
  std::optional<Language> language;
  std::optional<bool> dialect;
};

/// A state with the runs that it names, which the store has loaded, and what came of its last steps. Pictures
/// and steps read it; it is made again from the state alone.
struct LoadedState : State {
  std::shared_ptr<const Run> run;  ///< of `target`; never null once the app runs
  /// The outcome of a user's own program that `run` is of; null: it is of none.
  std::shared_ptr<const cuda::ProgramRun> program;
  /// Of the program that was to be opened last, where it gives nothing to look at: what the compiler says.
  std::shared_ptr<const cuda::ProgramRun> unbuilt;
  BorrowedLooks borrowed;
  /// What tabs show beside the open run: second runs, comparisons.
  TabResults results;
  /// A run that something in a picture asks for: the window opens it.
  std::optional<Target> wanted;
  /// Set by a step whose run is still loading: the step is taken again when it has come, and this state of it
  /// is thrown away (app/session/dispatcher.hpp).
  std::optional<Awaited> awaits;
  /// A program's file that the user has not allowed to run yet, or that cannot be compiled here; empty: none.
  std::string asks_to_run;
  float held = 0;  ///< ms since the last landing, while playing
  Message error;
  Where error_at = Where::nowhere;
};

/// Sets the error and the place of its message; forgive() removes it.
void refuse(LoadedState&, Message why, Where);
/// The same of an exception.
void refuse(LoadedState&, const std::exception& why, Where);
void forgive(LoadedState&);

/// dark | light | projector. Throws UsageError, which lists them.
ThemeName parse_theme(const std::string&);

/// How it looks and moves, of a state or of settings: `looks(state) = looks(other)`. Not part of undo.
template <class Looking>
auto looks(Looking& l) {
  return std::tie(l.theme, l.desk_theme, l.language, l.dialect, l.reduced_motion, l.speed);
}

/// Whether time alone changes the state. Then frames must be drawn.
bool moves(const State&);

// Steps of the run. A single step forward starts the motion at phase 0; all others land at once.
LoadedState forward(LoadedState, bool motion = true);
LoadedState back(LoadedState);
LoadedState to_step(LoadedState, int step);
LoadedState first(LoadedState);
LoadedState last(LoadedState);
LoadedState next_phase(LoadedState);
LoadedState previous_phase(LoadedState);
/// The same interval of another block of this launch, clamped.
LoadedState to_block(LoadedState, int block);
/// Drags the playhead: interval of the cursor's block, and how far the motion within it is.
LoadedState scrub(LoadedState, int interval, float phase);

LoadedState play_or_pause(LoadedState);
LoadedState faster(LoadedState);
LoadedState slower(LoadedState);
/// After `ms`: motion, and while playing the next step when the last was held long enough.
LoadedState advanced(LoadedState, float ms);

// Selection.
/// Follows the next or previous thread of the block (`by` 1 or -1); from none, the first that works here.
LoadedState follow_thread(LoadedState, int by);
/// Selects the next (or previous) cell that this interval writes.
LoadedState select_next(LoadedState, int by);
LoadedState clear_selection(LoadedState);

// Looks.
LoadedState zoom(LoadedState, float factor);
LoadedState reset_zoom(LoadedState);
LoadedState to_theme(LoadedState, ThemeName);
/// To a tab by its name, or to the whole-run figure ("run"); see views().
LoadedState to_view(LoadedState, const std::string& view);
/// The same looks as a link or an option sets them. Empty: they stay as they are.
LoadedState with_borrowed_looks(LoadedState, const std::string& theme, const std::string& language,
                                bool dialect = false);
/// To the projector's theme and back.
LoadedState projector(LoadedState);

// Steps that open runs. They ask the store; where it is still loading, `awaits` says so, and all else of the
// state means nothing.
/// The same target, its request without a file that would have to be read again. Throws UsageError.
Target whole(Target);
/// The same state on another run, the cursor's place kept where it can be. If opening fails, only `error` and
/// `error_at` change.
LoadedState opened(LoadedState, const Target&, Where, RunStore&);
/// The same state on this run, which was made from the target.
LoadedState with_run(LoadedState, Target, OpenedRun);
/// Another kernel on the same input and device, and with the parameters that it has too. An input that it
/// does not take is set aside until a kernel does; then it runs on its default pattern.
LoadedState with_kernel(LoadedState, const std::string& kernel, Where, RunStore&);
/// The target as the state's views show it: a kernel of the catalog as its CUDA program, or in the dialect.
Target as_shown(const State&, Target);
/// The kernel after this one in its family's series, or before the last; empty if it is alone.
std::string next_variant(const std::string& kernel);

}  // namespace bscope
