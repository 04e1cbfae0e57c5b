// Copies by cp.async write at any time between where their thread asks for them and where it waits for them.
#include <gmock/gmock.h>

#include "engine/analysis/dataflow_graph.hpp"
#include "tests/analysis/hand_run.hpp"

namespace bscope {
namespace {

using test::HandRun;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Two threads and a tile of two cells. Thread 0 copies in line 2 and waits in line 4; thread 1 reads in
/// line 6.
struct Copies {
  HandRun run{2};
  int in = run.global("in", {5, 6}), tile = run.shared("tile", 2);

  void ask() { run.ask_copy(0, 2); }
  void wait(int index = 0) { run.arrives(0, 2, tile, index, run.load(0, 2, in, index)); }
  void read(int t = 1) { run.load(t, 6, tile, 0); }
  std::vector<std::string> found() {
    Trace t = run.trace();
    t.dialect = Dialect::cuda;
    std::vector<std::string> all;
    for (const Hazard& h : replay_trace(t).hazards) all.push_back(h.sentences().english());
    EXPECT_EQ(replay_in_order(t).hazards.size(), all.size());
    return all;
  }
};

TEST(AsyncCopies, ArePublishedByTheWaitAndABarrier) {
  Copies c;
  c.ask();
  c.wait();
  c.run.barrier(5);
  c.read();
  EXPECT_THAT(c.found(), IsEmpty());
}

TEST(AsyncCopies, AreNotPublishedByABarrierAlone) {
  Copies c;
  c.run.store(0, 1, c.tile, 0, {0, 9});
  c.run.barrier(3);
  c.ask();
  c.run.barrier(5);
  c.read();
  c.wait();
  EXPECT_THAT(c.found(),
              ElementsAre("Thread 1 reads tile[0] in line 6, the copy of thread 0 writes it in line 2, and "
                          "nothing says that the copy is complete. Let the thread that asks for the copy of "
                          "line 2 wait for it, and call __syncthreads() after that, before line 6: a barrier "
                          "alone does not wait for copies."));
}

TEST(AsyncCopies, MayArriveAtOnce) {
  Copies c;
  c.run.store(0, 1, c.tile, 0, {0, 9});
  c.run.barrier(3);
  c.read();
  c.ask();  // no barrier behind the read
  c.run.barrier(5);
  c.wait();
  c.run.barrier(7);
  EXPECT_THAT(
      c.found(),
      ElementsAre(HasSubstr("Thread 1 reads tile[0] in line 6, the copy of thread 0 writes it in line 2")));
}

TEST(AsyncCopies, ComeAfterWhatABarrierPutsBeforeTheirAsking) {
  Copies c;
  c.run.store(0, 1, c.tile, 0, {0, 9});
  c.run.barrier(3);
  c.read();
  c.run.barrier(4);
  c.ask();
  c.run.barrier(5);
  c.wait();
  EXPECT_THAT(c.found(), IsEmpty());
}

TEST(AsyncCopies, RaceWithTheirOwnThread) {
  Copies c;
  c.run.store(0, 1, c.tile, 0, {0, 9});
  c.ask();
  c.read(0);
  c.wait();
  EXPECT_THAT(c.found(),
              ElementsAre(HasSubstr("Thread 0 reads tile[0] in line 6, the copy of thread 0 writes it")));
}

/// The one that was asked for first arrives first: a read between the two askings is behind the first alone.
TEST(AsyncCopies, ArriveInTheirOrder) {
  Copies c;
  c.run.store(0, 1, c.tile, 0, {0, 9});
  c.ask();
  c.run.barrier(3);
  c.read();
  c.run.barrier(4);
  c.ask();
  c.wait(1);
  c.wait(0);
  EXPECT_THAT(c.found(), IsEmpty());
}

TEST(AsyncCopies, AreMissedWhereACellWasNotWritten) {
  Copies c;
  c.ask();
  c.run.barrier(5);
  c.read();
  c.wait();
  Trace t = c.run.trace();
  t.dialect = Dialect::cuda;
  const std::vector<Finding> faults = replay_trace(t).faults;
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_THAT(faults[0].help.english(), HasSubstr("the copy of line 2 wait for it"));
}

}  // namespace
}  // namespace bscope
