#include "app/session/history.hpp"

#include <gtest/gtest.h>

#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/compare/steps.hpp"
#include "app/tabs/time/time_state.hpp"
#include "tests/at_once.hpp"

namespace bscope {
namespace {

Target on(const std::string& kernel) {
  Target t;
  t.request.kernel = kernel;
  return t;
}

State opened_on(const std::string& kernel, long long n = 16) {
  State s;
  s.target.request.kernel = kernel;
  s.target.request.n = n;
  s.run = open_now(s.target).run;
  return s;
}

TEST(History, GoesBackAndForthOverKernelsTabsAndWhatTabsRemember) {
  History h;
  State s = opened_on("scan/blelloch");
  h.observe(s, false);
  EXPECT_FALSE(h.can_undo());
  s = opened(std::move(s), on("scan/kogge-stone"), Where::parameters);
  h.observe(s, false);
  s.tab = "time";
  h.observe(s, false);
  s.of<TimeState>().log_n = 20;
  h.observe(s, false);
  EXPECT_EQ(h.changes(), 3u);
  s = h.undo(std::move(s), runs_at_once());
  EXPECT_EQ(s.of<TimeState>().log_n, TimeState{}.log_n);
  s = h.undo(std::move(s), runs_at_once());
  EXPECT_EQ(s.tab, "watch");
  s = h.undo(std::move(s), runs_at_once());
  EXPECT_EQ(s.run->trace.kernel, "scan/blelloch");
  EXPECT_FALSE(h.can_undo());
  for (int i = 0; i < 3; ++i) s = h.redo(std::move(s), runs_at_once());
  EXPECT_EQ(s.of<TimeState>().log_n, 20);
  EXPECT_EQ(s.run->trace.kernel, "scan/kogge-stone");
  EXPECT_FALSE(h.can_redo());
  // a new change forgets what was undone
  s = h.undo(std::move(s), runs_at_once());
  s.of<TimeState>().log_n = 12;
  h.observe(s, false);
  EXPECT_FALSE(h.can_redo());
}

TEST(History, AWalkIsOneChangeAndAJumpAnother) {
  History h;
  State s = opened_on("scan/blelloch");
  h.observe(s, false);
  for (int i = 0; i < 4; ++i) {
    s = forward(std::move(s));
    h.observe(s, false);
    s.cursor.phase = 0.4f;  // motion is none
    h.observe(s, false);
    s.cursor.phase = 1;
    h.observe(s, false);
  }
  EXPECT_EQ(h.changes(), 1u);
  s = to_step(std::move(s), 9);
  h.observe(s, false);
  EXPECT_EQ(h.changes(), 2u);
  s = h.undo(std::move(s), runs_at_once());
  EXPECT_EQ(step_of(*s.run, s.cursor), 4);
  s = h.undo(std::move(s), runs_at_once());
  EXPECT_EQ(step_of(*s.run, s.cursor), 0);
}

TEST(History, LooksAreNoChangeAndStay) {
  History h;
  State s = opened_on("scan/blelloch");
  h.observe(s, false);
  s.tab = "banks";
  h.observe(s, false);
  s = to_theme(std::move(s), ThemeName::light);
  s.language = Language::zh;
  s.speed = 2;
  s.reduced_motion = true;
  h.observe(s, false);
  EXPECT_EQ(h.changes(), 1u);
  s = h.undo(std::move(s), runs_at_once());
  EXPECT_EQ(s.tab, "watch");
  EXPECT_EQ(s.theme, ThemeName::light);
  EXPECT_EQ(s.language, Language::zh);
  EXPECT_EQ(s.speed, 2);
  EXPECT_TRUE(s.reduced_motion);
}

TEST(History, WhatIsHeldIsOneChangeWhenItIsLetGo) {
  History h;
  State s = opened_on("scan/blelloch");
  h.observe(s, false);
  for (int n = 23; n > 18; --n) {
    s.of<TimeState>().log_n = n;
    h.observe(s, true);
  }
  EXPECT_EQ(h.changes(), 0u);
  h.observe(s, false);
  EXPECT_EQ(h.changes(), 1u);
  s = h.undo(std::move(s), runs_at_once());
  EXPECT_EQ(s.of<TimeState>().log_n, TimeState{}.log_n);
}

TEST(History, WhatATabOpensByItselfIsNoChange) {
  History h;
  State s = opened_on("scan/blelloch");
  h.observe(s, false);
  s.tab = "compare";
  h.observe(s, false);
  s = compared(std::move(s));
  h.observe(s, false);
  EXPECT_EQ(h.changes(), 1u);
  s = with_other(std::move(s), "scan/kogge-stone");  // this was chosen
  h.observe(s, false);
  EXPECT_EQ(h.changes(), 2u);
  s = h.undo(std::move(s), runs_at_once());
  EXPECT_EQ(s.of<CompareState>().other->trace.kernel, "scan/blelloch-padded");
}

TEST(History, IsBoundedAndTracesAnewWhatItLetGo) {
  History h(4, 1);  // no run but the one on screen may be kept
  State s = opened_on("scan/blelloch");
  h.observe(s, false);
  for (int n = 17; n < 27; ++n) {
    Target t = s.target;
    t.request.n = n;
    s = opened(std::move(s), t, Where::parameters);
    h.observe(s, false);
  }
  EXPECT_EQ(h.changes(), 4u);
  s = to_step(std::move(s), 3);
  int opened_anew = 0;
  s = h.undo(std::move(s), runs_at_once());  // the jump that was not looked at yet
  RunStore counting([&](const Target& t) {
    ++opened_anew;
    return open_now(t);
  });
  for (int k = 0; k < 3; ++k) s = h.undo(std::move(s), counting);
  EXPECT_EQ(opened_anew, 3);
  EXPECT_EQ(s.run->report.input.size(), 23u);
  // a comparison's second run goes too, and the tab makes it again
  History beside(9, 1);
  State c = compared(opened_on("scan/blelloch"));
  std::weak_ptr<const bscope::Run> second = c.of<CompareState>().other;
  beside.observe(c, false);
  c = opened(std::move(c), on("scan/kogge-stone"), Where::parameters);
  c.of<CompareState>().other.reset(), c.of<CompareState>().comparison.reset(),
      c.of<CompareState>().compared_to.reset();
  beside.observe(c, false);
  EXPECT_TRUE(second.expired());
  c = compared(beside.undo(std::move(c), runs_at_once()));
  ASSERT_TRUE(c.of<CompareState>().other);
  EXPECT_EQ(c.of<CompareState>().other->trace.kernel, "scan/blelloch-padded");
  // where it cannot be opened any more, the state stays and says so
  const auto run = s.run;
  History small(4, 1);
  small.observe(s, false);
  s = opened(std::move(s), on("scan/kogge-stone"), Where::parameters);
  small.observe(s, false);
  const auto now = s.run;
  RunStore none([](const Target&) -> OpenedRun { throw UsageError(Message::plain("gone")); });
  s = small.undo(std::move(s), none);
  EXPECT_EQ(s.run, now);
  EXPECT_EQ(s.error.english(), "gone");
}

TEST(History, DropsNoRunThatTheScreenHolds) {
  History h(400, 1);
  State s = opened_on("scan/blelloch");
  h.observe(s, false);
  for (int step : {5, 1, 9, 3}) {  // jumps in one run, which is larger than what may be kept
    s = to_step(std::move(s), step);
    h.observe(s, false);
  }
  const auto run = s.run;
  RunStore none([](const Target&) -> OpenedRun {
    ADD_FAILURE() << "traced anew what was there";
    throw UsageError(Message::plain("gone"));
  });
  for (int step : {9, 1, 5, 0}) {
    s = h.undo(std::move(s), none);
    EXPECT_EQ(step_of(*s.run, s.cursor), step);
  }
  EXPECT_EQ(s.run, run);
}

}  // namespace
}  // namespace bscope
