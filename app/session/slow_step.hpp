// Steps of the state that run kernels, in the background where those take longer than a frame.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <utility>

#include "app/run/async_task.hpp"
#include "app/session/opening.hpp"
#include "app/session/state.hpp"

namespace bscope {

/// For How::take: what the step has to say at its place, and nothing of what was said there before.
inline void take_error(State& now, State& made, Where where) {
  if (now.error_at != where && made.error_at != where) return;
  now.error = std::move(made.error);
  now.error_at = made.error_at;
}

/// Whether this target's run takes longer than a frame. One that is refused does not.
template <class Asked>
bool run_takes_long(Asked target) {
  try {
    return takes_long(target());
  } catch (const std::exception&) { return false; }
}

class SlowStep {
 public:
  struct How {
    bool (*slow)(const State&);                          ///< whether the step takes longer than a frame
    State (*step)(State);                                ///< must not throw
    bool (*same)(const State& asked, const State& now);  ///< whether what was asked for still fits
    void (*take)(State& now, State&& made);              ///< what the step made, into the state of now
  };
  /// Takes the step, or begins it in a thread (where it is slow, and there is a wake callback), the latest
  /// alone. The thread has a copy of the state, whose runs do not change. True when the state has what the
  /// step makes.
  bool operator()(State& s, const How& how, const std::function<void()>& wake) {
    if (asked_ && !how.same(*asked_, s)) give_up();  // something else is asked for now
    if (make_elsewhere) return by_its_runs(s, how, wake);
    if (asked_) {
      auto made = work_.take();
      if (!made) return false;
      asked_.reset();
      how.take(s, std::move(*made));
      return true;
    }
    if (!wake || !how.slow(s)) {
      s = how.step(std::move(s));
      return true;
    }
    asked_ = s;
    began_ = std::chrono::steady_clock::now();
    work_.start([step = how.step, copy = s] { return step(copy); }, wake);
    return false;
  }

  /// Whether a step is running.
  bool busy() const { return asked_ && !work_.ready() && !runs_.ready(); }
  /// How far it is, 0 to 1.
  float share() const { return make_elsewhere ? runs_.share() : work_.share(); }
  /// Whether it has taken so long that progress should be shown.
  bool is_late() const { return busy() && std::chrono::steady_clock::now() - began_ > patience; }
  /// Cancels it.
  void give_up() {
    work_.forget();
    runs_.give_up();
    asked_.reset();
  }

 private:
  /// Where there are no threads, the step's runs are made elsewhere, and the step is taken again as each has
  /// come.
  bool by_its_runs(State& s, const How& how, const std::function<void()>& wake) {
    if (asked_ && !runs_.ready()) return false;
    if (!asked_) {
      if (!wake || !how.slow(s)) {
        s = how.step(std::move(s));
        return true;
      }
      asked_ = s;
      began_ = std::chrono::steady_clock::now();
      runs_.wake = wake;
    }
    std::optional<State> made;
    if (!runs_.attempt([&] { made = how.step(*asked_); })) return false;
    runs_.done();
    asked_.reset();
    how.take(s, std::move(*made));
    return true;
  }

  std::optional<State> asked_;
  std::chrono::steady_clock::time_point began_;
  AsyncTask<State> work_;
  RunsBeside runs_;
};

}  // namespace bscope
