// Kernels whose threads are ordered by more than barriers: flags between blocks, sync_warp, shuffles; with
// the recorded turns and without, as a GPU would leave them.
#include <gmock/gmock.h>

#include <set>

#include "engine/analysis/content.hpp"
#include "engine/analysis/proof.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/simt/program.hpp"

namespace bscope {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// One pass (Merrill and Garland 2016): a tile publishes its total, then walks back to a finished prefix.
struct LookBack {
  template <class T>
  __device__ void operator()(auto& t, Array<T> data, auto ticket, auto flag, Array<T> total, Array<T> prefix,
                             bool published) const {
    const int empty = 0, total_ready = 1, prefix_ready = 2, n = t.block_size();
    auto mine = shared<int>(t, "tile", 1);
    auto before = shared<T>(t, "before", 1), sum = shared<T>(t, "sum", n);
    if (t.rank() == 0) mine[0] = atomic_add(ticket[0], 1);
    t.sync();
    const int tile = int(mine[0]), i = tile * n + t.rank();
    T x = 0;
    if (i < data.size()) x = data[i];
    sum[t.rank()] = x;
    t.sync();
    if (t.rank() == 0) {
      T all = sum[0];
      for (int k = 1; k < n; ++k) {
        all = all + sum[k];
        sum[k] = all;
      }
      total[tile] = all;
      if (published)
        store_release(flag[tile], total_ready);
      else
        flag[tile] = total_ready;
      T left = 0;
      for (int j = tile - 1; j >= 0; --j) {
        const auto state = wait_while(flag[j], empty);
        if (state == prefix_ready) {
          left = prefix[j] + left;
          break;
        }
        left = total[j] + left;
      }
      prefix[tile] = left + all;
      if (published)
        store_release(flag[tile], prefix_ready);
      else
        flag[tile] = prefix_ready;
      before[0] = left;
    }
    t.sync();
    const T here = sum[t.rank()];
    if (i < data.size()) data[i] = before[0] + here;
  }
};
Trace look_back(int n, int block, const Schedule& s, bool published = true) {
  Gpu gpu(s);
  std::vector<int> values;
  for (int k = 0; k < n; ++k) values.push_back(k * 37 % 101 - 50);
  auto data = gpu.array("data", values);
  const int tiles = (n + block - 1) / block;
  auto ticket = gpu.array<int>("ticket", 1), flag = gpu.array<int>("flag", tiles);
  auto total = gpu.array<int>("total", tiles), prefix = gpu.array<int>("prefix", tiles);
  gpu.launch("look-back", {tiles, block}, LookBack{}, data, ticket, flag, total, prefix, published);
  gpu.trace.property = Property::inclusive_scan;
  return std::move(gpu.trace);
}

TEST(Cooperation, LookBackIsProvedInEveryOrder) {
  for (uint32_t seed = 0; seed < 12; ++seed)
    for (bool turns : {true, false}) {
      Schedule s;
      s.kind = seed == 0 ? Schedule::to_barrier : seed == 1 ? Schedule::lockstep : Schedule::shuffled;
      s.seed = seed;
      s.resident_blocks = 2 + int(seed % 5);
      Trace t = look_back(300, 16, s);
      if (!turns) t.launches[0].turns.clear();
      const DataflowGraph f = replay_trace(t);
      EXPECT_THAT(f.faults, IsEmpty()) << seed << turns;
      EXPECT_THAT(f.hazards, IsEmpty()) << seed << turns << f.hazards[0].message.english();
      EXPECT_TRUE(f.snapshots_match);
      EXPECT_TRUE(order_matters(t, f));
      const Proof p = prove(t, f, words(t, f));
      EXPECT_TRUE(p.holds) << p.message.english();
      EXPECT_EQ(p.operators, "associative");
      EXPECT_THAT(p.message.english(), HasSubstr("in the order of blocks"));
    }
}

TEST(Cooperation, AFlagThatIsNotReleasedOrdersNothing) {
  Schedule s;
  s.kind = Schedule::shuffled;
  const Trace t = look_back(300, 16, s, false);
  const DataflowGraph f = replay_trace(t);
  std::set<std::string> arrays;
  for (const Hazard& h : f.hazards) arrays.insert(h.array);
  EXPECT_THAT(arrays, ::testing::IsSupersetOf({"flag", "total"}));
}

/// A tree within each warp, in shared memory, with or without sync_warp between its steps.
struct WarpTree {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> sums, bool careful) const {
    auto s = shared<T>(t, "s", t.block_size());
    const int i = t.rank();
    s[i] = data[i];
    for (int stride = warp_size / 2; stride > 0; stride /= 2) {
      if (careful) t.sync_warp();
      T sum = 0;
      if (t.lane() < stride) sum = s[i] + s[i + stride];
      if (careful) t.sync_warp();
      if (t.lane() < stride) s[i] = sum;
    }
    if (t.lane() == 0) sums[t.warp()] = s[i];
  }
};
TEST(Cooperation, SyncWarpOrdersAWarpsTree) {
  for (auto kind : {Schedule::to_barrier, Schedule::lockstep, Schedule::shuffled})
    for (bool turns : {true, false})
      for (bool careful : {true, false}) {
        if (!careful && kind == Schedule::to_barrier)
          continue;  // each thread would read what was never written
        Schedule s;
        s.kind = kind;
        Gpu gpu(s);
        auto data = gpu.array("data", std::vector<int>(64, 1));
        auto sums = gpu.array<int>("sums", 2);
        gpu.launch("tree", {1, 64}, WarpTree{}, read_only(data), sums, careful);
        Trace t = std::move(gpu.trace);
        if (!turns) t.launches[0].turns.clear();
        const DataflowGraph f = replay_trace(t);
        EXPECT_THAT(f.faults, IsEmpty());
        EXPECT_TRUE(f.snapshots_match);
        EXPECT_EQ(f.hazards.empty(), careful);
        for (const Hazard& h : f.hazards) EXPECT_EQ(h.threads[0] / 32, h.threads[1] / 32);
        if (!careful) { EXPECT_THAT(f.hazards[0].sentences().english(), HasSubstr("__syncwarp()")); }
      }
}

/// Four cells a load, shuffles within each warp, one atomic a block.
struct WarpShuffle {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> sum) const {
    auto warps = shared<T>(t, "warps", 32);
    const Vec<T, 4> q = vectors<4>(data)[t.block() * t.block_size() + t.rank()];
    T mine = q[0] + q[1];
    mine = mine + q[2];
    mine = mine + q[3];
    for (int d = 16; d > 0; d /= 2) mine += t.shuffle_down(mine, d);
    if (t.lane() == 0) warps[t.warp()] = mine;
    t.sync();
    if (t.warp() > 0) return;
    mine = 0;
    if (t.lane() < t.block_size() / 32) mine = warps[t.lane()];
    mine = t.reduce_add(mine);
    if (t.lane() == 0) atomic_add(sum[0], mine);
  }
};
TEST(Cooperation, ShufflesAndReductionsAreFollowedToTheInputs) {
  for (auto kind : {Schedule::to_barrier, Schedule::lockstep, Schedule::shuffled})
    for (bool turns : {true, false})
      for (int blocks : {1, 3}) {
        Schedule s;
        s.kind = kind;
        Gpu gpu(s);
        std::vector<int> values;
        for (int k = 0; k < blocks * 64 * 4; ++k) values.push_back(k);
        auto data = gpu.array("data", values);
        auto sum = gpu.array<int>("sum", 1);
        gpu.launch("sum", {blocks, 64}, WarpShuffle{}, read_only(data), sum);
        Trace t = std::move(gpu.trace);
        t.output = 1;
        t.property = Property::reduction;
        if (!turns) t.launches[0].turns.clear();
        const Report r = analyse(t);
        EXPECT_THAT(r.flow.faults, IsEmpty());
        EXPECT_THAT(r.flow.hazards, IsEmpty());
        EXPECT_TRUE(r.flow.snapshots_match);
        EXPECT_TRUE(r.proof().holds) << r.proof().message.english();
        EXPECT_EQ(r.proof().operators, "commutative");  // lane 0 adds lane 16's before lane 1's
        const RequestTotals totals = total(r.requests());
        EXPECT_EQ(totals.global_sectors, blocks * 64 * 4 * 4 / 32 + blocks);
        EXPECT_EQ(r.requests()[0].lanes[0].bytes, 16);
        EXPECT_EQ(r.requests()[0].lanes.size(), 32u);
      }
}

}  // namespace
}  // namespace bscope
