// The window sleeps only when nothing waits to be drawn: a window of numbers, driven through bursts of
// events.
#include "app/session/pacing.hpp"

#include <gtest/gtest.h>

#include <random>

namespace bscope {
namespace {

/// A window whose every event takes a frame, changes what is drawn in the next one or later, and may begin a
/// motion; a clock that only waiting and frames move on.
struct Window {
  double now = 100;
  Pacing pacing{now};
  int queue = 0, seen = 0, frames = 0;
  int motion = 0, later = 0;  ///< frames that it moves on for; frames until a change shows
  std::optional<double> due;

  /// One turn of the loop; false: it would sleep until something comes. `arrives`: when the next events do.
  bool turn(double arrives, int events) {
    const std::optional<double> wait = pacing.wait(now);
    const double until = wait ? now + *wait : arrives;
    if (!wait && arrives > 1e8) return false;
    const bool event = arrives <= until;
    now = std::max(now, std::min(until, arrives));
    if (event) queue += events;
    pacing.woke(now, event || queue > 0);
    frame();
    return true;
  }
  void frame() {
    ++frames;
    now += 0.004;
    bool changed = motion > 0;
    if (motion > 0) --motion;
    if (later > 0 && --later == 0) changed = true;
    if (queue > 0) {
      --queue;
      ++seen;
      later = 3;
    }
    if (due && (*due -= 0.05) <= 0) due.reset(), changed = true;
    pacing.drew({motion > 0, queue > 0, changed, due});
  }
};

TEST(Pacing, SixtyFastKeysAreAllDrawnBeforeItSleeps) {
  Window w;
  ASSERT_TRUE(w.turn(w.now, 120));  // down and up
  int turns = 0;
  while (w.turn(1e9, 0)) ASSERT_LT(++turns, 1000);
  EXPECT_EQ(w.seen, 120);
  EXPECT_EQ(w.later, 0);
  // asleep: no more frames
  const int frames = w.frames;
  EXPECT_FALSE(w.turn(1e9, 0));
  EXPECT_EQ(w.frames, frames);
  EXPECT_FALSE(w.pacing.wait(w.now + 1000).has_value());
}

TEST(Pacing, SleepsAfterEveryBurstAndLeavesNothing) {
  std::mt19937 random(4);
  Window w;
  for (int burst = 0; burst < 300; ++burst) {
    w.motion = int(random() % 3) * int(random() % 40);
    if (random() % 4 == 0) w.due = 0.1 * double(random() % 30);
    // events come in the middle of its naps, its waits for what is due, and its sleep
    double arrives = w.now + 0.001 * double(random() % 3000);
    int events = 1 + int(random() % 50), asked = w.seen + w.queue + events, turns = 0;
    while (w.turn(arrives, events)) {
      if (w.now >= arrives) arrives = 1e9, events = 0;
      ASSERT_LT(++turns, 3000);
    }
    ASSERT_EQ(w.seen, asked) << burst;
    ASSERT_TRUE(w.queue == 0 && w.later == 0 && w.motion == 0 && !w.due) << burst;
  }
}

}  // namespace
}  // namespace bscope
