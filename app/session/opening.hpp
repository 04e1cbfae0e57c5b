// Runs that take longer than a frame are made in the background, with progress, and can be cancelled.
//
// Code that opens a run knows nothing of this: steps of the state call open_target, which returns the run, or
// throws NotYet where the run is still to be made in the background. Then the whole step is left, its state
// is thrown away, and the step is taken again from its beginning when the run is there.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run/async_task.hpp"
#include "app/run/run.hpp"
#include "app/session/state.hpp"

namespace bscope {

/// A run, and the text that was saved with it in its file.
struct Made {
  std::shared_ptr<const Run> run;
  std::string session;
  std::shared_ptr<const cuda::ProgramRun> program = nullptr;  ///< of a user's own
};

/// Thrown in place of a run that is made in the background. No std::exception: nothing went wrong, and no
/// error handler may report it.
struct NotYet {
  Target target;
};

/// Progress is shown for what takes longer than this: a shorter message would only flicker. Tests have none.
inline std::chrono::milliseconds patience{200};

/// What failed, as a sentence: where memory ends, too.
std::string failure(const std::exception&);

/// Whether it takes longer than a frame to make this run, or to judge it. By the request, or the file's size.
/// Throws UsageError where a short one is refused.
bool takes_long(const Target&);

/// The run of a target, at once; or, within RunsBeside::attempt, where that takes long, from beside the
/// frames. Throws what opening throws; NotYet.
Made made_run(const Target&);

/// What became of a target.
struct MadeOrNot {
  Made made;
  std::exception_ptr failed;  ///< null: it is made
};
/// Set where a program has no threads but others beside it that make runs (a page's workers): asks one for
/// the target's, and hands the outcome over, once; nothing where it was stopped by its progress.
inline std::function<void(const Target&, Progress&, std::function<void(std::optional<MadeOrNot>)>)>
    make_elsewhere;
/// The run of a target, here and at once, or why there is none.
MadeOrNot outcome_of(const Target&);

/// Where work that opens runs finds those that take long. Used by one thread alone: only Meanwhile's is
/// another, and it is handed a Target and hands back a run.
class RunsBeside {
 public:
  std::function<void()> wake;  ///< called from another thread when a run is there; null: nothing waits
  /// Does what may open runs. False: one of them takes long and is being made now; attempt it again when
  /// `ready`. Whatever was asked for before is given up.
  bool attempt(const std::function<void()>& what);
  /// Whether the run is there that the last attempt has asked for.
  bool ready() const { return making_ ? work_.ready() : !known_.empty(); }
  /// The attempt has its runs.
  void done() { known_.clear(); }
  /// The run that is being made; null: none is.
  const Target* making() const { return making_ ? &*making_ : nullptr; }
  /// How far it is, 0 to 1.
  float share() const { return work_.share(); }
  /// Whether it has taken so long that progress should be shown.
  bool is_late() const;
  /// Cancels it.
  void give_up();

 private:
  friend Made made_run(const Target&);
  Made ask(const Target&);
  void begin(const Target&);

  struct Known {
    Target target;
    MadeOrNot outcome;
  };
  std::vector<Known> known_;  ///< what has come, for the next attempt
  std::optional<Target> making_;
  std::chrono::steady_clock::time_point began_;
  AsyncTask<MadeOrNot> work_;
};

/// The steps of a window's state that may open runs: at most one waits.
class Openings {
 public:
  using Step = std::function<void(State&)>;
  using Fits = std::function<bool(const State& now)>;
  RunsBeside runs;

  /// Takes a step. Where that takes longer than a frame, the state stays as it is, and the step is taken on
  /// the state of then when its run is there. It is forgotten when another run or another step of a lesson
  /// was opened meanwhile, or when it does not fit any more. `ask`s by another step replace it.
  void take(State&, Step, Fits = {});
  /// Once a frame: takes the step that waits, if its run has come.
  void go_on(State&);
  /// The run that a step waits for; null: none does.
  const Target* waits_for() const { return waiting_ ? runs.making() : nullptr; }
  void give_up();

 private:
  struct Waiting {
    Step step;
    Fits fits;
    std::shared_ptr<const Run> run;  ///< of the state that it was asked on
    std::string lesson;
    int lesson_step;
  };
  std::optional<Waiting> waiting_;
};

}  // namespace bscope
