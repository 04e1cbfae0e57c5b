#include "app/session/history.hpp"

#include <gtest/gtest.h>

#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/compare/steps.hpp"
#include "app/tabs/time/time_state.hpp"
#include "engine/analysis/run.hpp"
#include "tests/at_once.hpp"

namespace bscope {
namespace {

Target target_on(const std::string& kernel) {
  Target t;
  t.request.kernel = kernel;
  return t;
}

LoadedState opened_with(const std::string& kernel, long long n = 16) {
  LoadedState s;
  s.target.request.kernel = kernel;
  s.target.request.n = n;
  s.run = open_now(s.target).run;
  return s;
}

TEST(History, GoesBackAndForthOverKernelsTabsAndWhatTabsRemember) {
  History h;
  LoadedState s = opened_with("scan/blelloch");
  h.observe(s, false);
  EXPECT_FALSE(h.can_undo());
  s = opened(std::move(s), target_on("scan/kogge-stone"), Where::parameters);
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
  LoadedState s = opened_with("scan/blelloch");
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
  LoadedState s = opened_with("scan/blelloch");
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
  LoadedState s = opened_with("scan/blelloch");
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
  LoadedState s = opened_with("scan/blelloch");
  h.observe(s, false);
  s.tab = "compare";
  h.observe(s, false);
  s = compared(std::move(s));
  h.observe(s, false);
  EXPECT_EQ(h.changes(), 1u);
  s = with_other(std::move(s), "scan/kogge-stone");  // this was chosen
  h.observe(s, false);
  EXPECT_EQ(h.changes(), 2u);
  s = compared(h.undo(std::move(s), runs_at_once()));
  EXPECT_EQ(compare_runs(s).other->trace.kernel, "scan/blelloch-padded");
}

TEST(History, IsBounded) {
  History h(4);
  LoadedState s = opened_with("scan/blelloch");
  h.observe(s, false);
  for (int n = 17; n < 27; ++n) {
    s.target.request.n = n;
    h.observe(s, false);
  }
  EXPECT_EQ(h.changes(), 4u);
}

/// A store that keeps at most so many bytes, and counts what it opens.
struct CountingStore {
  explicit CountingStore(size_t most_bytes)
      : store(
            [this](const Target& t) {
              ++opened;
              return open_now(t);
            },
            most_bytes) {}
  int opened = 0;
  RunStore store;
};

TEST(History, OpensAnewWhatTheStoreHasDropped) {
  for (const size_t most_bytes : {size_t(0), size_t(1) << 30}) {
    CountingStore counting(most_bytes);
    RunStore& runs = counting.store;
    History h;
    LoadedState s = opened(LoadedState(), target_on("scan/blelloch"), Where::parameters, runs);
    h.observe(s, false);
    for (int n = 17; n < 20; ++n) {
      Target t = s.target;
      t.request.n = n;
      s = opened(std::move(s), t, Where::parameters, runs);
      h.observe(s, false);
    }
    const int before = counting.opened;
    for (int k = 0; k < 2; ++k) s = h.undo(std::move(s), runs);
    EXPECT_EQ(s.run->report.input.size(), 17u);
    EXPECT_EQ(counting.opened - before, most_bytes ? 0 : 2);
  }
  // where it cannot be opened any more, the state stays and says so
  History small;
  LoadedState s = opened_with("scan/blelloch");
  small.observe(s, false);
  s = opened(std::move(s), target_on("scan/kogge-stone"), Where::parameters);
  small.observe(s, false);
  const auto now = s.run;
  RunStore none([](const Target&) -> OpenedRun { throw UsageError(Message::plain("gone")); });
  s = small.undo(std::move(s), none);
  EXPECT_EQ(s.run, now);
  EXPECT_EQ(s.error.english(), "gone");
}

TEST(History, HoldsNoRunAndTheTabsMakeTheirsAgain) {
  History h;
  RunStore runs(open_now, 0);  // keeps no run that nothing else holds
  LoadedState s = compared(opened(LoadedState{}, target_on("scan/blelloch"), Where::parameters, runs), runs);
  const std::weak_ptr<const bscope::Run> first = s.run, second = compare_runs(s).other;
  h.observe(s, false);
  s = compared(opened(std::move(s), target_on("scan/kogge-stone"), Where::parameters, runs), runs);
  h.observe(s, false);
  EXPECT_TRUE(first.expired());
  EXPECT_TRUE(second.expired());
  s = compared(h.undo(std::move(s), runs));
  ASSERT_TRUE(compare_runs(s).other);
  EXPECT_EQ(compare_runs(s).other->trace.kernel, "scan/blelloch-padded");
}

TEST(History, FindsTheRunOfAFileThatHasChangedMeanwhile) {
  // the file gives a longer run each time that it is read
  int times = 0;
  RunStore runs([&](const Target&) {
    Target t = target_on("scan/blelloch");
    t.request.n = 16 + times++;
    return open_now(t);
  });
  runs.end_frame(false);  // without frames it keeps no file
  Target file;
  file.file = "mine.bscope";
  file.in_cuda = true;  // as a window opens it
  History h;
  LoadedState s = opened_with("scan/kogge-stone");
  for (int k = 0; k < 2; ++k) {
    runs.forget(file);
    s = opened(std::move(s), file, Where::file, runs);
    runs.end_frame(false);
    h.observe(s, false);
  }
  EXPECT_EQ(s.run->report.input.size(), 17u);
  s = h.undo(std::move(s), runs);
  EXPECT_EQ(s.run->report.input.size(), 16u);
  s = h.redo(std::move(s), runs);
  EXPECT_EQ(s.run->report.input.size(), 17u);
  EXPECT_EQ(times, 2);
}

TEST(History, AsksForNoRunThatTheScreenHolds) {
  History h;
  LoadedState s = opened_with("scan/blelloch");
  h.observe(s, false);
  for (int step : {5, 1, 9, 3}) {  // jumps in one run
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
