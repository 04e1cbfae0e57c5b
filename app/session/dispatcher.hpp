// Steps of the state that may open runs. A step is a function of the state and of what the run store has;
// where the run that it needs is still loading, the step says so (LoadedState::awaits), changes nothing, and
// is taken again when the run has come.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/session/state.hpp"

namespace bscope {

struct Run;
class RunStore;
struct Step;

/// The steps of a window's state: at most one waits for a run.
class Dispatcher {
 public:
  using Step = std::function<void(LoadedState&)>;
  using Fits = std::function<bool(const LoadedState& now)>;
  explicit Dispatcher(RunStore& runs) : runs_(runs) {}

  /// Takes a step. Where its run is still loading, the state stays as it is, and the step is taken on the
  /// state of then when the run has come. It is forgotten when another run or another step of a lesson was
  /// opened meanwhile, or when it does not fit any more. A step that waits replaces the one before.
  void dispatch(LoadedState&, Step, Fits = {});
  /// Once a frame: takes the step that waits, if its run has come.
  void resume(LoadedState&);
  /// The run that a step waits for; null: no step waits.
  const Target* awaited() const {
    return waiting_ && waiting_->awaits.run ? &*waiting_->awaits.run : nullptr;
  }
  bool waits() const { return waiting_.has_value(); }
  /// Forgets the step that waits: the store cancels runs that no frame asks for.
  void cancel() { waiting_.reset(); }

 private:
  struct Waiting {
    Step step;
    Fits fits;
    Awaited awaits;
    std::shared_ptr<const Run> run;  ///< of the state that it was taken on
    std::string lesson;
    int lesson_step;
  };
  RunStore& runs_;
  std::optional<Waiting> waiting_;
};

}  // namespace bscope
