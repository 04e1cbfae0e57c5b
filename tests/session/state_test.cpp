#include "app/session/state.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/trace.hpp"
#include "tests/at_once.hpp"

namespace bscope {
namespace {

/// A run of `blocks` blocks that pass the phases named, one interval each, with 4 threads a block.
std::shared_ptr<Run> make_run(const std::vector<std::string>& phases, int blocks = 1, int launches = 1) {
  auto run = std::make_shared<Run>();
  run->trace.kernel = "scan/test";
  run->trace.arrays = {{"data", ElementType::i32, 8, 0, {}}};
  for (int l = 0; l < launches; ++l) {
    Launch launch;
    launch.grid = blocks;
    launch.block = 4;
    launch.shared = {{"sum", ElementType::i32, 8, 0, {}}};
    run->trace.launches.push_back(launch);
    for (int b = 0; b < blocks; ++b)
      for (int i = 0; i < int(phases.size()); ++i) {
        Interval interval;
        interval.launch = l;
        interval.block = b;
        interval.index = i;
        interval.phase = phases[size_t(i)];
        run->report.flow.intervals.push_back(interval);
      }
  }
  return run;
}

/// Thread `thread` of the grid writes sum[index] in step `step`.
void write(Run& run, int step, int thread, int index) {
  Node n{};
  n.op = Op::store;
  n.thread = thread;
  n.place = {first_shared, index};
  run.report.flow.nodes.push_back(n);
  run.report.flow.intervals[size_t(step)].nodes.push_back(int(run.report.flow.nodes.size()) - 1);
}

LoadedState on(std::shared_ptr<const Run> run) {
  LoadedState s;
  s.run = std::move(run);
  return s;
}

int step(const LoadedState& s) { return step_of(*s.run, s.cursor); }

const std::vector<std::string> sweep{"load", "up", "up", "up", "clear", "down", "down", "store"};

TEST(Steps, GoThroughBlocksAndLaunches) {
  LoadedState s = on(make_run({"load", "up"}, 2, 2));
  std::vector<std::tuple<int, int, int>> seen;
  for (int i = 0; i < 8; ++i) {
    seen.emplace_back(s.cursor.launch, s.cursor.block, s.cursor.interval);
    s = forward(s, false);
  }
  const std::vector<std::tuple<int, int, int>> wanted{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1},
                                                      {1, 0, 0}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1}};
  EXPECT_EQ(seen, wanted);
  EXPECT_EQ(step(forward(s)), 7);  // the last step holds
  EXPECT_EQ(step(back(first(s))), 0);
  EXPECT_EQ(step(last(first(s))), 7);
  EXPECT_EQ(step(to_step(s, 100)), 7);
  EXPECT_EQ(step(to_step(s, -3)), 0);
}

TEST(Steps, PhasesAreLeaptOver) {
  LoadedState s = on(make_run(sweep));
  std::vector<int> seen;
  for (int i = 0; i < 5; ++i) seen.push_back(step(s = next_phase(s)));
  EXPECT_EQ(seen, (std::vector<int>{1, 4, 5, 7, 7}));
  seen.clear();
  s = to_step(s, 6);
  for (int i = 0; i < 5; ++i) seen.push_back(step(s = previous_phase(s)));
  EXPECT_EQ(seen, (std::vector<int>{5, 4, 1, 0, 0}));
}

TEST(Steps, BlocksKeepTheInterval) {
  LoadedState s = to_step(on(make_run(sweep, 3)), 4);
  s = to_block(s, 1);
  EXPECT_EQ(s.cursor.block, 1);
  EXPECT_EQ(s.cursor.interval, 4);
  EXPECT_EQ(to_block(s, 7).cursor.block, 2);
  EXPECT_EQ(to_block(s, -1).cursor.block, 0);
}

TEST(Motion, PlaysAStepInItsTimeAndHoldsIt) {
  LoadedState s = play_or_pause(on(make_run(sweep)));
  EXPECT_TRUE(s.playing);
  EXPECT_EQ(step(s), 1);
  EXPECT_EQ(s.cursor.phase, 0);
  s = advanced(s, step_ms / 2);
  EXPECT_FLOAT_EQ(s.cursor.phase, 0.5f);
  s = advanced(s, step_ms);
  EXPECT_EQ(s.cursor.phase, 1);
  EXPECT_EQ(step(advanced(s, hold_ms - 1)), 1);
  s = advanced(s, hold_ms);
  EXPECT_EQ(step(s), 2);
  EXPECT_EQ(s.cursor.phase, 0);
}

TEST(Motion, StopsAtTheEndAndStartsAgain) {
  LoadedState s = on(make_run(sweep));
  s.playing = true;
  for (int i = 0; i < 1000 && s.playing; ++i) s = advanced(s, 50);
  EXPECT_FALSE(s.playing);
  EXPECT_EQ(step(s), 7);
  EXPECT_FALSE(moves(s));
  EXPECT_EQ(step(play_or_pause(s)), 0);
}

TEST(Motion, SpeedChangesTheTime) {
  LoadedState s = forward(faster(on(make_run(sweep))));
  EXPECT_FLOAT_EQ(advanced(s, step_ms / 4).cursor.phase, 0.5f);
  for (int i = 0; i < 9; ++i) s = faster(s);
  EXPECT_EQ(s.speed, 4);
  for (int i = 0; i < 9; ++i) s = slower(s);
  EXPECT_EQ(s.speed, 0.25f);
}

TEST(Motion, ReducedMotionLandsAtOnce) {
  LoadedState s = on(make_run(sweep));
  s.reduced_motion = true;
  EXPECT_FALSE(moves(forward(s)));
}

TEST(Motion, ScrubbingSetsThePhaseAndPauses) {
  LoadedState s = play_or_pause(on(make_run(sweep, 2)));
  s = scrub(to_block(s, 1), 3, 0.25f);
  EXPECT_FALSE(s.playing);
  EXPECT_EQ(step(s), 11);
  EXPECT_FLOAT_EQ(s.cursor.phase, 0.25f);
  EXPECT_EQ(scrub(s, 99, 7).cursor.interval, 7);
  EXPECT_EQ(scrub(s, 99, 7).cursor.phase, 1);
}

TEST(Selection, FollowsThreadsAndWrittenCells) {
  auto run = make_run(sweep, 2);
  write(*run, 9, 6, 3);  // block 1, rank 2
  write(*run, 9, 7, 7);
  LoadedState s = to_step(on(run), 9);
  EXPECT_EQ(follow_thread(s, 1).cursor.thread, 2);
  EXPECT_EQ(follow_thread(s, -1).cursor.thread, 3);
  EXPECT_EQ(follow_thread(follow_thread(follow_thread(s, 1), 1), 1).cursor.thread, 0);
  s = select_next(s, 1);
  EXPECT_EQ(s.cursor.cell, (CellRef{first_shared, 3}));
  EXPECT_EQ(s.cursor.thread, 2);
  s = select_next(s, 1);
  EXPECT_EQ(s.cursor.cell, (CellRef{first_shared, 7}));
  EXPECT_EQ(select_next(s, 1).cursor.cell, (CellRef{first_shared, 3}));
  EXPECT_EQ(select_next(s, -1).cursor.cell, (CellRef{first_shared, 3}));
  s = clear_selection(s);
  EXPECT_FALSE(s.cursor.cell);
  EXPECT_EQ(s.cursor.thread, -1);
}

LoadedState opened_by(LoadedState s, const Target& t, Where where, RunStore::Load load) {
  RunStore runs(std::move(load));
  return opened(std::move(s), t, where, runs);
}

TEST(Opening, KeepsThePlaceInTheSamePhase) {
  LoadedState s = to_step(on(make_run(sweep)), 6);  // the second of two steps down
  Target target;
  target.request.kernel = "scan/test";
  const auto longer = make_run({"load", "up", "up", "up", "up", "clear", "down", "down", "down", "store"});
  s = opened_by(s, target, Where::parameters, [&](const Target&) { return OpenedRun(longer); });
  EXPECT_EQ(s.run, longer);
  EXPECT_EQ(step(s), 7);
  const auto shorter = make_run({"load", "clear", "down", "store"});
  s = opened_by(s, target, Where::parameters, [&](const Target&) { return OpenedRun(shorter); });
  EXPECT_EQ(step(s), 2);
  const auto without = make_run({"load", "store"});  // no such phase: the same share of the run
  s = opened_by(s, target, Where::parameters, [&](const Target&) { return OpenedRun(without); });
  EXPECT_EQ(step(s), 0);
}

TEST(Opening, DropsASelectionThatIsGone) {
  LoadedState s = on(make_run(sweep));
  s.cursor.thread = 3;
  s.cursor.cell = CellRef{first_shared, 7};
  auto smaller = make_run(sweep);
  smaller->trace.launches[0].block = 2;
  smaller->trace.launches[0].shared[0].size = 4;
  s = opened_by(s, {}, Where::parameters, [&](const Target&) { return OpenedRun(smaller); });
  EXPECT_EQ(s.cursor.thread, -1);
  EXPECT_FALSE(s.cursor.cell);
}

TEST(Opening, AnErrorIsKeptWhereItHappenedAndNothingElseChanges) {
  const LoadedState before = to_step(on(make_run(sweep)), 3);
  const LoadedState after = opened_by(
      before, {}, Where::file,
      [](const Target&) -> std::shared_ptr<const bscope::Run> { throw std::runtime_error("no such file"); });
  EXPECT_EQ(after.error.english(), "no such file");
  EXPECT_EQ(after.error_at, Where::file);
  EXPECT_EQ(after.run, before.run);
  EXPECT_EQ(after.cursor, before.cursor);
  const LoadedState again =
      opened_by(after, {}, Where::file, [&](const Target&) -> OpenedRun { return before.run; });
  EXPECT_TRUE(again.error.empty());
  EXPECT_EQ(step(again), 3);
}

TEST(Looks, TheProjectorComesAndGoes) {
  LoadedState s = to_theme(on(make_run(sweep)), ThemeName::light);
  s = projector(s);
  EXPECT_EQ(s.theme, ThemeName::projector);
  EXPECT_EQ(projector(s).theme, ThemeName::light);
}

TEST(Looks, ZoomStaysInItsLimits) {
  LoadedState s = on(make_run(sweep));
  s.cursor.scroll = 3;
  EXPECT_EQ(zoom(s, 0.5f).cursor.zoom, 1);
  EXPECT_EQ(zoom(s, 0.5f).cursor.scroll, 0);
  EXPECT_EQ(zoom(s, 2).cursor.zoom, 2);
  EXPECT_EQ(reset_zoom(zoom(s, 2)).cursor.zoom, 1);
}

TEST(StateTheme, NamesReadBack) {
  for (const ThemeName t : {ThemeName::dark, ThemeName::light, ThemeName::projector})
    EXPECT_EQ(parse_theme(name_of(t)), t);
  EXPECT_THROW(parse_theme("drak"), UsageError);
}

}  // namespace
}  // namespace bscope
