// What the CPU executor reports, and that nothing a kernel does wrong takes it down.
#include <gmock/gmock.h>

#include <stdexcept>

#include "tests/simt/launching.hpp"

namespace bscope::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class Reports : public testing::TestWithParam<Schedule> {
 protected:
  template <class Kernel>
  std::string report(Kernel kernel, LaunchShape shape = {2, 32}, int cells = 32) {
    Schedule s = GetParam();
    s.most_events = 200000;
    Gpu gpu(s);
    launched(gpu, shape, kernel, cells);
    for (const auto& l : gpu.trace.launches) expect_whole(l);
    EXPECT_LE(gpu.trace.findings.size(), 64u);
    expect_still_works();
    return findings(gpu.trace);
  }
  /// Logs cover all threads and snapshots are whole, however the launch ended.
  static void expect_whole(const Launch& l) {
    ASSERT_EQ(l.blocks.size(), size_t(l.grid));
    for (const auto& b : l.blocks) {
      ASSERT_EQ(b.first.size(), size_t(l.block) + 1);
      EXPECT_EQ(b.first.back(), b.events.size());
      if (l.shared_bytes)
        EXPECT_EQ(b.snapshots.size() % l.shared_bytes, 0u);
      else
        EXPECT_TRUE(b.snapshots.empty());
    }
    for (const auto& turn : l.turns) ASSERT_LT(turn.thread, uint32_t(l.grid * l.block));
  }
  struct Ranks {
    template <class T>
    __device__ void operator()(auto& t, Array<T> out) const {
      t.sync();
      out[t.rank()] = t.rank();
    }
  };
  static void expect_still_works() {
    Gpu gpu(GetParam());
    EXPECT_THAT(launched(gpu, {1, 4}, Ranks{}), ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(findings(gpu.trace), "");
  }
};
INSTANTIATE_TEST_SUITE_P(Schedules, Reports, testing::ValuesIn(schedules()), [](const auto& p) {
  std::string name = name_of(p.param);
  for (char& c : name)
    if (!isalnum(c)) c = '_';
  return name;
});

// Each block leaves its number, then reads what the next one left.
Launch across_the_grid(const Schedule& schedule, std::vector<Finding>& found, bool one_stays_away = false) {
  Launch l;
  l.name = "grid";
  l.grid = 5;
  l.block = 4;
  int cells[5] = {};
  bool right = true;
  Executor::here().run(l, 0, found, {}, schedule, [&](CpuThread& t) {
    for (int round = 1; round <= 3; ++round) {
      if (one_stays_away && t.block() == 2) return;
      if (t.rank() == 0) cells[t.block()] = round * (t.block() + 1);
      t.sync_grid(7);
      right = right && cells[(t.block() + 1) % 5] == round * ((t.block() + 1) % 5 + 1);
      t.sync_grid(8);
    }
  });
  EXPECT_TRUE(right);
  return l;
}
TEST_P(Reports, AGridBarrierLetsAllBlocksOnAtOnce) {
  Schedule together = GetParam();
  together.resident_blocks = 5;
  std::vector<Finding> found;
  const Launch l = across_the_grid(together, found);
  EXPECT_TRUE(found.empty());
  for (const BlockRun& b : l.blocks) EXPECT_EQ(b.log(0).size(), 6u);
  // not all of its blocks run at once, or one of them returns
  Schedule few = GetParam();
  few.resident_blocks = 4;
  across_the_grid(few, found);
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(found[0].text(),
              AllOf(HasSubstr("Deadlock"), HasSubstr("wait in line 7"), HasSubstr("not started")));
  found.clear();
  across_the_grid(together, found, true);
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(found[0].text(), AllOf(HasSubstr("Deadlock"), HasSubstr("wait in line 7")));
}

struct DivergentBarrier {
  template <class T>
  __device__ void operator()(auto& t, Array<T> out) const {
    if (t.rank() < 16) {
      t.sync();
    } else {
      out[t.rank()] = 1;
      t.sync();
    }
  }
};
TEST_P(Reports, DivergentBarrier) {
  EXPECT_THAT(report(DivergentBarrier{}),
              AllOf(HasSubstr("A barrier of block 0 is not met by all: threads 0-15 are in "
                              "line"),
                    HasSubstr("threads 16-31 are in line")));
}

struct EarlyExit {
  template <class T>
  __device__ void operator()(auto& t, Array<T> out) const {
    if (t.rank() == 5) return;
    t.sync();
    out[t.rank()] = 2;
  }
};
TEST_P(Reports, ExitBeforeABarrier) {
  EXPECT_THAT(report(EarlyExit{}), HasSubstr("thread 5 has returned, threads 0-4, 6-31 are in line"));
}

struct MissingLane {
  template <class T>
  __device__ void operator()(auto& t, Array<T> out) const {
    if (t.lane() >= 16) return;
    T x = t.lane();
    x = t.shuffle_xor(x, 16);
    out[t.rank()] = x;
  }
};
TEST_P(Reports, ShuffleWithLanesThatHaveReturned) {
  EXPECT_THAT(report(MissingLane{}), AllOf(HasSubstr("names lanes that have returned"),
                                           HasSubstr("shuffles from lane 16"), HasSubstr("takes no part")));
}

struct OutsideItsMask {
  template <class T>
  __device__ void operator()(auto& t, Array<T> out) const {
    T x = t.lane();
    x = t.shuffle(x, 0, 0xffffu);
    out[t.rank()] = x;
  }
};
TEST_P(Reports, MaskWithoutTheCaller) {
  EXPECT_THAT(report(OutsideItsMask{}),
              HasSubstr("leaves its own lane out of the mask. Put lane 16 into the mask."));
}

struct OneTooFar {
  template <class T>
  __device__ void operator()(auto& t, Array<T> out) const {
    out[t.rank() + 1] = 3;
  }
};
TEST_P(Reports, OutOfBounds) {
  EXPECT_THAT(report(OneTooFar{}), HasSubstr("Thread 31 of block 0 touches out[32] in line"));
  EXPECT_THAT(report(OneTooFar{}), HasSubstr("but out has the cells 0 to 31"));
}
struct FarBelow {
  template <class T>
  __device__ void operator()(auto& t, Array<T> out) const {
    const T x = out[-1000000000 - t.rank()];
    out[0] = x;
  }
};
TEST_P(Reports, OutOfBoundsBelow) { EXPECT_THAT(report(FarBelow{}), HasSubstr("touches out[-1000000000]")); }
struct BadVector {
  template <class T>
  __device__ void operator()(auto& t, Array<T> out) const {
    Vec<T, 4> v = vectors<4>(out)[t.rank()];
    out[0] = v[3];
  }
};
TEST_P(Reports, VectorOutOfBounds) { EXPECT_THAT(report(BadVector{}), HasSubstr("touches out[32]")); }

struct WaitsForever {
  template <class T>
  __device__ void operator()(auto& t, Array<T> out) const {
    if (t.rank() == 3) wait_while(out[0], 0);
    t.sync();
  }
};
TEST_P(Reports, Deadlock) {
  EXPECT_THAT(report(WaitsForever{}),
              AllOf(HasSubstr("Deadlock in block 0: thread 3 waits in line"),
                    HasSubstr("(a loop that waits on out[0]), threads 0-2, 4-31 wait in line")));
}
struct WarpAgainstBarrier {
  template <class T>
  __device__ void operator()(auto& t, Array<T>) const {
    if (t.lane() == 0)
      t.sync();
    else
      t.sync_warp();
  }
};
TEST_P(Reports, DeadlockOfWarpAndBlock) {
  EXPECT_THAT(report(WarpAgainstBarrier{}), AllOf(HasSubstr("Deadlock"), HasSubstr("(__syncwarp())")));
}

struct NeverEnds {
  template <class T>
  __device__ void operator()(auto& t, Array<T> out) const {
    if (t.rank() == 3)
      while (out[0] == 0) {}
  }
};
TEST_P(Reports, Runaway) {
  EXPECT_THAT(report(NeverEnds{}),
              HasSubstr("No end in sight: this launch has made more than 200000 events"));
}
struct EndlessBarriers {
  template <class T>
  __device__ void operator()(auto& t, Array<T>) const {
    for (;;) t.sync();
  }
};
TEST_P(Reports, RunawayOfBarriers) { EXPECT_THAT(report(EndlessBarriers{}), HasSubstr("No end in sight")); }

struct TooMuchShared {
  template <class T>
  __device__ void operator()(auto& t, Array<T> out) const {
    auto s = shared<T>(t, "s", 100000);
    s[t.rank()] = out[0];
  }
};
TEST_P(Reports, SharedMemoryTooSmall) {
  EXPECT_THAT(report(TooMuchShared{}),
              HasSubstr("Shared array s of launch test needs 400000 bytes, and a block has"));
}
struct HugeShared {
  template <class T>
  __device__ void operator()(auto& t, Array<T>) const {
    auto s = shared<double>(t, "s", 2147483647);
    s[0] = 1;
  }
};
TEST_P(Reports, SharedMemoryMuchTooSmall) {
  EXPECT_THAT(report(HugeShared{}), HasSubstr("needs 17179869176 bytes"));
}
struct NegativeShared {
  template <class T>
  __device__ void operator()(auto& t, Array<T>) const {
    auto s = shared<T>(t, "s", -1);
    s[0] = 1;
  }
};
TEST_P(Reports, SharedArrayOfNegativeSize) {
  EXPECT_THAT(report(NegativeShared{}), HasSubstr("has the size -1"));
}
struct NoRows {
  template <class T>
  __device__ void operator()(auto& t, Array<T>) const {
    auto s = shared<T>(t, "s", {.rows = 0, .columns = 4});
    s[0] = 1;
  }
};
TEST_P(Reports, SharedArrayWithoutRows) { EXPECT_THAT(report(NoRows{}), HasSubstr("has 0 rows")); }
struct LateShared {
  template <class T>
  __device__ void operator()(auto& t, Array<T>) const {
    t.sync();
    auto s = shared<T>(t, "late", 4);
    s[0] = 1;
  }
};
TEST_P(Reports, SharedArrayAfterABarrier) {
  EXPECT_THAT(report(LateShared{}), HasSubstr("is declared after a barrier"));
}
struct UnevenShared {
  template <class T>
  __device__ void operator()(auto& t, Array<T>) const {
    auto s = shared<T>(t, "s", 4 + t.rank() / 16);
    s[0] = 1;
  }
};
TEST_P(Reports, SharedArraysThatDiffer) {
  EXPECT_THAT(report(UnevenShared{}), HasSubstr("is not declared alike by all threads"));
}
struct ManyShared {
  template <class T>
  __device__ void operator()(auto& t, Array<T>) const {
    for (int k = 0; k < 129; ++k) shared<T>(t, "s", 1);
  }
};
TEST_P(Reports, TooManySharedArrays) { EXPECT_THAT(report(ManyShared{}), HasSubstr("at most 128")); }

struct Throws {
  template <class T>
  __device__ void operator()(auto& t, Array<T> out) const {
    t.sync();
    if (t.rank() == 7 && t.block() == 1) throw std::runtime_error("from a kernel");
    t.sync();
    out[t.rank()] = 1;
  }
};
TEST_P(Reports, ExceptionsReachTheCaller) {
  try {
    report(Throws{}, {4, 64}, 256);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& e) { EXPECT_STREQ(e.what(), "from a kernel"); }
  expect_still_works();
}

// A block that returns before it declares anything, beside blocks that do.
struct SomeBlocksShare {
  template <class T>
  __device__ void operator()(auto& t, Array<T> out) const {
    if (t.block() == 1) return;
    auto s = shared<T>(t, "s", 8);
    s[t.rank()] = t.rank();
    t.sync();
    out[t.rank()] = s[7 - t.rank()];
  }
};
TEST_P(Reports, SnapshotsHaveOneSizeInAllBlocks) {
  Gpu gpu(GetParam());
  launched(gpu, {3, 8}, SomeBlocksShare{}, 8);
  const Launch& l = gpu.trace.launches[0];
  EXPECT_EQ(l.shared_bytes, 32u);
  EXPECT_EQ(l.blocks[0].snapshots.size(), 64u);
  EXPECT_EQ(l.blocks[1].snapshots.size(), 32u);
  EXPECT_EQ(findings(gpu.trace), "");
}

TEST(Launches, ShapesThatDoNotExistAreRefused) {
  Gpu gpu({.kind = Schedule::to_barrier});
  auto out = gpu.array<int>("out", 4);
  for (const LaunchShape shape :
       {LaunchShape{0, 4}, LaunchShape{1, 0}, LaunchShape{1, 1025}, LaunchShape{-1, 4}})
    EXPECT_THROW(gpu.launch("test", shape, EarlyExit{}, out), std::length_error);
}

}  // namespace
}  // namespace bscope::test
