// The whole state of the app, and its pure steps: what is open, where the cursor is, how it looks and moves.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "app/run/run.hpp"
#include "app/run/target.hpp"
#include "app/session/prediction.hpp"
#include "app/session/tabs.hpp"
#include "app/words/words.hpp"

namespace bscope {

/// Milliseconds of one step's motion at speed 1, and how long a landed step is held while playing.
inline constexpr float step_ms = 600, hold_ms = 500;
/// The phase from which on a step's writes have landed.
inline constexpr float landing = 520 / step_ms;

/// Where an error happened, so that it is shown there.
enum class Where : uint8_t { nowhere, parameters, file, queues, compare };

struct AtomicsRuns;
struct AtomicsLook;

/// An input that the open kernel does not take.
struct SetAside {
  Request request;  ///< whose input it is
  std::string why;  ///< the sentence that refused it
  bool operator==(const SetAside&) const = default;
};

struct State {
  Target target;                                 ///< what `run` was made from, its input included
  std::optional<SetAside> set_aside;             ///< waits for the next kernel that takes it
  std::shared_ptr<const Run> run;                ///< never null once the app runs
  std::shared_ptr<const Run> other;              ///< second run of Compare; null until that tab asks for it
  std::shared_ptr<const Comparison> comparison;  ///< of `run` and `other`; null where `other` is
  std::optional<RunChoice> compared_to;          ///< what `other` was made from, or failed to be
  std::shared_ptr<const AtomicsRuns> queues;     ///< of the Atomics tab; null until it asks for them
  std::string queues_of;                         ///< what `queues` were made from, or failed to be
  Cursor cursor;
  Tab tab = Tab::watch;
  ThemeName theme = ThemeName::dark;
  ThemeName desk_theme = ThemeName::dark;  ///< what F5 goes back to from the projector
  bool playing = false;
  bool reduced_motion = false;
  float speed = 1;  ///< of the motion: 0.25 .. 4
  float held = 0;   ///< ms since the last landing, while playing
  std::string error;
  Where error_at = Where::nowhere;
  Language language = Language::en;
  bool only_run = false;  ///< the whole-run figure instead of the tab, for pictures of it
  WatchState watch;
  Prediction prediction;
  BanksState banks;
  MemoryState memory;
  AtomicsState atomics;
  CompareState compare;
  TimeState time;
  LessonState lesson;

  /// What the tabs remember, for who saves, loads or compares it (app/session/session_file.hpp): a new tab's
  /// member is listed here.
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("watch", s.watch);
    visit("prediction", s.prediction);
    visit("banks", s.banks);
    visit("memory", s.memory);
    visit("atomics", s.atomics);
    visit("compare", s.compare);
    visit("time", s.time);
    visit("lesson", s.lesson);
  }
};

/// How it looks and moves, of a state or of settings: `looks(state) = looks(other)`. Nobody's change to undo.
template <class Looking>
auto looks(Looking& l) {
  return std::tie(l.theme, l.desk_theme, l.language, l.reduced_motion, l.speed);
}

/// Does time alone change the state? Then frames must be drawn.
bool moves(const State&);

// Steps of the run. A single step forward starts the motion at phase 0; all others land at once.
State forward(State, bool motion = true);
State back(State);
State to_step(State, int step);
State first(State);
State last(State);
State next_phase(State);
State previous_phase(State);
/// The same interval of another block of this launch, clamped.
State to_block(State, int block);
/// Drags the playhead: interval of the cursor's block, and how far the motion within it is.
State scrub(State, int interval, float phase);

State play_or_pause(State);
State faster(State);
State slower(State);
/// `ms` later: motion, and while playing the next step when the last was held long enough.
State later(State, float ms);

// Selection.
/// Follows the next or previous thread of the block (`by` 1 or -1); from nobody, the first that works here.
State follow_thread(State, int by);
/// Selects the next (or previous) cell that this interval writes.
State select_next(State, int by);
State clear_selection(State);

// Looks.
State zoom(State, float factor);
State reset_zoom(State);
State to_theme(State, ThemeName);
/// To the projector's theme and back.
State projector(State);

/// Opens what a target means. Throws UsageError, NoDevice, BadFile; within RunsBeside::attempt
/// (app/session/opening.hpp) NotYet, which whoever calls lets pass.
using Open = std::function<std::shared_ptr<const Run>(const Target&)>;
std::shared_ptr<const Run> open_target(const Target&);
/// The same target, its request without a file that would have to be read again. Throws UsageError.
Target whole(Target);
/// The same state on another run, the cursor's place kept where it can be. If opening fails, only `error` and
/// `error_at` change.
State opened(State, const Target&, Where, const Open& = open_target);
/// Another kernel on the same input and device, and with the parameters that it has too. An input that it
/// does not take is set aside until a kernel does; then it runs on its default pattern.
State with_kernel(State, const std::string& kernel, Where, const Open& = open_target);
/// The kernel after this one in its family's ladder, or before the last; empty if it is alone.
std::string next_rung(const std::string& kernel);

/// What the transport moves on a tab that has a time of its own: Compare's positions, Atomics' t.
struct TabTime {
  int length = 1, now = 0;
  std::vector<int> marks;  ///< where Shift+Right stops
  float hold = hold_ms;    ///< of each while playing
};
/// Nothing on the other tabs: there the transport moves the cursor through the run's steps.
std::optional<TabTime> own_time(const State&);
/// The same tab at this moment (clamped).
State at_time(State, int now);

/// A choice as a target: on the open run's input, block and parameters as far as the kernel takes them.
Target target_of(const RunChoice&, const State&);
/// What Compare shows at the right: what was chosen, else the next rung. State::compared_to has what it shows
/// now.
RunChoice right_of(const State&);
/// The second run of Compare and the comparison, made where CompareState asks for another than there is. If
/// it fails, only the error changes. Position and cursor agree afterwards.
State compared(State, const Open& = open_target);
/// The same with this kernel at the right, on the open run's input.
State with_other(State, const std::string& kernel, const Open& = open_target);
/// The same with what a target means at the right: its file or its kernel.
State with_other(State, const Target&, const Open& = open_target);

/// The Atomics tab's runs, made where AtomicsState asks for others than there are. If one fails, only the
/// error changes.
State with_queues(State, const Open& = open_target);
/// What the left one (side 0) or the right one is made from. Throws UsageError.
Target queue_target(const State&, size_t side);
/// The same without them, until something else is asked for. `why` is said.
State without_queues(State, const std::string& why);
/// Does the state ask for other runs, or another model of them, than it has?
bool queues_are_due(const State&);
/// Where that tab looks, for its picture. The state must have queues.
AtomicsLook look_of(const State&);
/// The kernels that the tab shows where none are chosen: the open one, if it has atomics, beside another.
std::array<std::string, 2> queue_kernels(const State&);
/// The kernels that can be chosen there.
const std::vector<const Algorithm*>& kernels_with_queues();

}  // namespace bscope
