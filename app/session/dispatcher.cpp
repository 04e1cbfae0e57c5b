#include "app/session/dispatcher.hpp"

#include <utility>

#include "app/run/run_store.hpp"

namespace bscope {

void Dispatcher::dispatch(LoadedState& s, Step step, Fits fits) {
  LoadedState next = s;
  next.awaits.reset();
  step(next);
  if (!next.awaits) {
    s = std::move(next);
    return;
  }
  waiting_ = Waiting{std::move(step), std::move(fits), *std::move(next.awaits),
                     s.run,           s.lesson.lesson, s.lesson.step};
}

void Dispatcher::resume(LoadedState& s) {
  if (!waiting_) return;
  const Waiting& w = *waiting_;
  const bool fits = w.run == s.run && w.lesson == s.lesson.lesson && w.lesson_step == s.lesson.step &&
                    (!w.fits || w.fits(s));
  if (!fits) return cancel();
  if (w.awaits.run && !runs_.find(*w.awaits.run)) return;
  Waiting now = *std::exchange(waiting_, std::nullopt);
  dispatch(s, std::move(now.step), std::move(now.fits));
}

}  // namespace bscope
