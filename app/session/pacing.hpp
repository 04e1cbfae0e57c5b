// When the window may sleep: never before all that has happened has been drawn, and then without a frame.
#pragma once

#include <algorithm>
#include <optional>

namespace bscope {

/// Decides how long to wait for events before each frame. Times are in seconds of one clock.
class Pacing {
 public:
  /// What a frame left behind.
  struct FrameResult {
    bool moves = false;         ///< the state goes on by itself, or asks for a frame
    bool queued = false;        ///< events that no frame has seen yet: a frame takes one key at a time
    bool changed = false;       ///< it drew something else than the one before
    std::optional<double> due;  ///< a frame is wanted in so many seconds
  };

  explicit Pacing(double now) : awake_until_(now + linger) {}

  /// How long to wait for events; nothing: until one comes.
  std::optional<double> wait(double now) const {
    if (left_.moves || left_.queued) return std::max(0.0, started_ + 1.0 / 60 - now);
    if (now < awake_until_) return nap;
    return left_.due;
  }
  /// The wait is over; `event`: something came, or the wait had no end of its own.
  void woke(double now, bool event) {
    started_ = now;
    if (event) awake_until_ = now + linger;
  }
  /// The frame that began then is drawn. What it changed may change more: popups take a frame to find their
  /// size, and a panel shows in the next frame what one below it has opened.
  void drew(const FrameResult& left) {
    left_ = left;
    if (left.moves || left.queued || left.changed) awake_until_ = started_ + linger;
  }

 private:
  static constexpr double linger = 0.8;  ///< tooltips open a moment after the mouse has stopped
  static constexpr double nap = 0.05;
  FrameResult left_;
  double awake_until_, started_ = 0;
};

}  // namespace bscope
