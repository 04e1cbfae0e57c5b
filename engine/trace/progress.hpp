// Progress of long work, and whether it is still wanted.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace bscope {

struct Progress {
  std::atomic<bool> stop = false;    ///< the result is not wanted any more: the work ends at its next look
  std::atomic<size_t> events = 0;    ///< that kernels have made so far
  std::atomic<size_t> expected = 0;  ///< of them; 0: unknown
  std::atomic<float> looked_at = 0;  ///< share of the analyses that is done, 0 to 1
  /// Called where there are no threads to poll from; null: the watcher polls.
  void (*tell)(const Progress&) = nullptr;
  static constexpr float of_runs = 0.4f;  ///< share of the time that kernels take; analyses take the rest
  /// 0 to 1.
  float share() const {
    const size_t all = expected;
    const float run = all ? std::min(1.0f, float(events) / float(all)) : 0.0f;
    return std::max(of_runs * run, looked_at > 0 ? of_runs + (1 - of_runs) * looked_at : 0.0f);
  }
};

/// Thrown by work that is not wanted any more. No std::exception: nothing went wrong, and no error handler
/// may report it.
struct Cancelled {};

/// The progress of this thread's work; null: not watched. `ScopedAssign` sets it.
inline constinit thread_local Progress* current_progress = nullptr;

/// Throws Cancelled if this thread's work is not wanted any more.
inline void throw_if_cancelled() {
  if (current_progress && current_progress->stop) throw Cancelled{};
}
/// Lets the watcher look, and throws Cancelled if it does not want the result any more.
inline void report_progress() {
  if (!current_progress) return;
  if (current_progress->tell) current_progress->tell(*current_progress);
  throw_if_cancelled();
}
/// The same, and says what share of the analyses is done.
inline void looked_at(float share) {
  if (current_progress) current_progress->looked_at = share;
  report_progress();
}

}  // namespace bscope
