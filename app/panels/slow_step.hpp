// Steps of the state that run kernels, beside the frames where those take longer than one.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "app/state/meanwhile.hpp"
#include "app/state/state.hpp"

namespace bscope {

/// For How::take: what the step has to say at its place, and nothing of what was said there before.
inline void take_error(State& now, State& made, Where where) {
  if (now.error_at != where && made.error_at != where) return;
  now.error = std::move(made.error);
  now.error_at = made.error_at;
}

class SlowStep {
 public:
  struct How {
    State (*step)(State);                                ///< must not throw
    bool (*same)(const State& asked, const State& now);  ///< does what was asked for still fit?
    void (*take)(State& now, State&& made);              ///< what the step made, into the state of now
  };
  /// Takes the step, or begins it in a thread (`slow`, and there is somebody to wake), one at a time. True
  /// when the state has what the step makes.
  bool operator()(State& s, const How& how, bool slow, const std::function<void()>& wake) {
    if (asked_) {
      auto made = work_.take();
      if (!made) return false;
      const State asked = std::move(*std::exchange(asked_, std::nullopt));
      if (how.same(asked, s)) {
        how.take(s, std::move(*made));
        return true;
      }
    }
    if (!slow || !wake) {
      s = how.step(std::move(s));
      return true;
    }
    asked_ = s;
    work_.start([step = how.step, copy = s] { return step(copy); }, wake);
    return false;
  }

 private:
  std::optional<State> asked_;
  Meanwhile<State> work_;
};

}  // namespace bscope
