// Bulk copies, mbarriers and counted sums: what they do, what the trace says of them, and what is said when
// they are used wrongly.
#include <gmock/gmock.h>

#include <cmath>

#include "engine/analysis/report.hpp"
#include "engine/analysis/why.hpp"
#include "engine/trace/file.hpp"
#include "tests/sanitized.hpp"
#include "tests/simt/launching.hpp"

namespace bscope::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Bulk : public testing::TestWithParam<Schedule> {};
INSTANTIATE_TEST_SUITE_P(Schedules, Bulk, testing::ValuesIn(schedules()), [](const auto& p) {
  std::string name = name_of(p.param);
  for (char& c : name)
    if (!isalnum(c)) c = '_';
  return name;
});

/// What may be left out of a round trip through shared memory.
enum Fault {
  none,
  no_wait,         ///< no thread awaits the copy into shared memory
  only_one_waits,  ///< others come without it
  no_fence,        ///< the engine may not see what was written
  no_barrier,      ///< the engine may read before all have written
  no_read_wait,    ///< written again while the engine may still read
  short_copy,      ///< fewer bytes come than are expected
  nobody_arrives,
  outside,
  crooked,  ///< not at a multiple of 16 bytes
};

/// Copies in, doubles, copies out, tile after tile.
template <Fault fault>
struct RoundTrip {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> in, Array<T> out) const {
    const int i = t.rank(), n = t.block_size(), first = t.block() * 2 * n;
    auto tile = shared<T>(t, "tile", n);
    auto arrived = mbarriers(t, "arrived", 1);
    t.sync();
    for (int k = 0; k < 2; ++k) {
      if (i == 0) {
        if (fault != nobody_arrives) arrive_expect<T>(arrived[0], n);
        const int from = first + k * n + (fault == crooked ? 1 : fault == outside ? 8 * n : 0);
        bulk_copy(tile.at(0), in.at(from), fault == short_copy ? n - 4 : n, arrived[0]);
      }
      if (fault == none || fault > only_one_waits || (fault == only_one_waits && i == 0))
        await(arrived[0], k % 2);
      tile[i] *= 2;
      if (fault != no_fence) t.fence_async();
      if (fault != no_barrier) t.sync();
      if (i == 0) {
        bulk_copy(out.at(first + k * n), tile.at(0), n);
        if (fault != no_read_wait) t.await_bulk_read(0);
      }
      t.sync();
    }
    if (i == 0) t.await_bulk(0);
  }
};

template <Fault fault>
Trace round_trip(const Schedule& s, std::vector<int>* result = nullptr, int block = 8) {
  Gpu gpu(s);
  std::vector<int> v(size_t(4 * block));
  for (size_t k = 0; k < v.size(); ++k) v[k] = int(k) + 1;
  auto in = gpu.array("in", v);
  auto out = gpu.array<int>("out", int(v.size()));
  gpu.launch("round trip", {2, block}, RoundTrip<fault>{}, read_only(in), out);
  if (result) *result = gpu.values(out);
  gpu.trace.kernel = "test/bulk";
  gpu.trace.device = "cpu";
  gpu.trace.driver = name_of(s);
  gpu.trace.output = out.id;
  gpu.trace.sources = {{"test.cu", std::string(1000, '\n')}};
  return std::move(gpu.trace);
}
std::string hazards(const DataflowGraph& f) {
  std::string s;
  for (const Hazard& h : f.hazards) s += h.sentences().english() + "\n";
  for (const Finding& x : f.faults) s += "fault: " + x.text() + "\n";
  return s;
}

TEST_P(Bulk, CopiesThereAndBack) {
  std::vector<int> got;
  const Trace t = round_trip<none>(GetParam(), &got);
  EXPECT_EQ(findings(t), "");
  for (size_t k = 0; k < got.size(); ++k) EXPECT_EQ(got[k], 2 * (int(k) + 1));
  EXPECT_EQ(count(t, Op::bulk_read), 8);
  EXPECT_EQ(count(t, Op::bulk_write), 8);
  EXPECT_EQ(count(t, Op::arrive), 4);
  EXPECT_EQ(count(t, Op::await), 2 * 2 * 8);
  static const uint64_t first = digest(t);
  EXPECT_EQ(digest(t), first) << "the trace depends on the schedule";
}

TEST_P(Bulk, IsReplayedAndOrdered) {
  for (const bool turns : {true, false}) {  // a GPU's trace has none
    Trace t = round_trip<none>(GetParam());
    if (!turns)
      for (Launch& l : t.launches) l.turns.clear();
    const DataflowGraph f = replay_trace(t);
    EXPECT_EQ(hazards(f), "");
    EXPECT_TRUE(f.snapshots_match);
    // Each output comes from its input, through the tile, by the copy engine.
    for (int k = 0; k < t.arrays[1].size; ++k) {
      const int node = final_holder(f, {1, k});
      ASSERT_GE(node, 0);
      const Node& out = f.nodes[size_t(node)];
      EXPECT_EQ(out.op, Op::bulk_write);
      const Node& from_tile = f.nodes[size_t(out.a)];
      EXPECT_EQ(from_tile.op, Op::bulk_read);
      EXPECT_EQ(f.nodes[size_t(from_tile.a)].op, Op::store);
      const auto history = ancestry(f, node);
      ASSERT_FALSE(history.empty());
      EXPECT_EQ(f.nodes[size_t(history[0])].op, Op::bulk_read);
      EXPECT_EQ(f.nodes[size_t(history[0])].place, (CellRef{0, k}));
    }
  }
}

TEST_P(Bulk, LooksLikeItselfInAFile) {
  const Trace t = round_trip<none>(GetParam());
  EXPECT_EQ(read_trace(write_trace(t)), t);
}

TEST_P(Bulk, NamesWhatIsMissing) {
  EXPECT_THAT(hazards(replay_trace(round_trip<no_wait>(GetParam()))),
              HasSubstr("Await the copy's mbarrier in between"));
  EXPECT_THAT(hazards(replay_trace(round_trip<only_one_waits>(GetParam()))),
              HasSubstr("Await the copy's mbarrier in between"));
  EXPECT_THAT(hazards(replay_trace(round_trip<no_fence>(GetParam()))), HasSubstr("t.fence_async()"));
  EXPECT_THAT(hazards(replay_trace(round_trip<no_barrier>(GetParam()))), HasSubstr("bulk copy"));
  EXPECT_THAT(hazards(replay_trace(round_trip<no_read_wait>(GetParam()))), HasSubstr("t.await_bulk_read"));
}

TEST_P(Bulk, NamesADeadlock) {
  EXPECT_THAT(findings(round_trip<short_copy>(GetParam())),
              HasSubstr("(wait() on arrived[0], to which 16 expected bytes have not come)"));
  EXPECT_THAT(findings(round_trip<nobody_arrives>(GetParam())),
              HasSubstr("(wait() on arrived[0], to which 32 bytes came that were not expected)"));
}

TEST_P(Bulk, StaysInItsArrayAndOnItsPlaces) {
  EXPECT_THAT(findings(round_trip<outside>(GetParam())), HasSubstr("but in has the cells 0 to 31"));
  EXPECT_THAT(findings(round_trip<crooked>(GetParam())), HasSubstr("a multiple of 16 bytes"));
}

/// Threads that look at an mbarrier before it was initialised for all.
struct NoBarrierAfterInit {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> in, Array<T> out) const {
    auto tile = shared<T>(t, "tile", 4);
    auto arrived = mbarriers(t, "arrived", 1);
    if (t.rank() == 0) {
      arrive_expect<T>(arrived[0], 4);
      bulk_copy(tile.at(0), in.at(0), 4, arrived[0]);
    }
    await(arrived[0], 0);
    out[t.rank()] = tile[t.rank()];
  }
};
TEST(Mbarriers, AreInitialisedBeforeABarrier) {
  Gpu gpu({.kind = Schedule::lockstep});
  auto in = gpu.array("in", std::vector<int>{1, 2, 3, 4});
  auto out = gpu.array<int>("out", 4);
  gpu.launch("test", {1, 4}, NoBarrierAfterInit{}, read_only(in), out);
  const DataflowGraph f = replay_trace(gpu.trace);
  ASSERT_FALSE(f.hazards.empty());
  EXPECT_EQ(f.hazards[0].array, "arrived");
}

/// Blocks that draw turns, publish a sum, and read all sums before theirs.
struct Publishes {
  template <class T, class C, class I>
  __device__ void operator()(auto& t, Array<const T> in, Array<T> out, Array<C> sums, Array<I> ticket) const {
    if (t.rank() > 0) return;
    const int turn = int(atomic_add(ticket[0], 1));
    const T mine = in[turn];
    publish(sums[turn], counted(mine));
    T before = 0;
    for (int k = 0; k < turn; ++k) before += sum_of(await(sums[k]));
    out[turn] = before;
  }
};
TEST_P(Bulk, PublishedSumsSayThatTheyAreThere) {
  for (const bool turns : {true, false}) {
    Gpu gpu(GetParam());
    std::vector<int> v(12);
    for (int k = 0; k < 12; ++k) v[size_t(k)] = k - 5;  // a sum may be zero, and less
    auto in = gpu.array("in", v);
    auto out = gpu.array<int>("out", 12);
    auto sums = gpu.array<Counted<int>>("sums", 12);
    auto ticket = gpu.array<int>("ticket", 1);
    gpu.launch("test", {12, 2}, Publishes{}, read_only(in), out, sums, ticket);
    EXPECT_EQ(findings(gpu.trace), "");
    int before = 0;
    for (int k = 0; k < 12; ++k) {
      EXPECT_EQ(gpu.values(out)[size_t(k)], before);
      before += v[size_t(k)];
    }
    EXPECT_EQ(gpu.values(sums)[3], (Counted<int>{1, -2}));
    EXPECT_EQ(text_of(ElementType::counted, Counted<int>{1, -2}.bits()), "-2 of 1");
    if (!turns) gpu.trace.launches[0].turns.clear();
    const DataflowGraph f = replay_trace(gpu.trace);
    EXPECT_EQ(hazards(f), "");
    EXPECT_TRUE(f.snapshots_match);
  }
}

/// The same with floats, whose words tell by themselves.
struct PublishesFloats {
  template <class T, class I>
  __device__ void operator()(auto& t, Array<const T> in, Array<T> out, Array<T> sums, Array<I> ticket) const {
    if (t.rank() > 0) return;
    const int turn = int(atomic_add(ticket[0], 1));
    const T mine = in[turn];
    publish(sums[turn], mine);
    T before = identity<T>();
    for (int k = 0; k < turn; ++k) before += await(sums[k]);
    out[turn] = before;
  }
};
template <class T>
void publish_floats(const Schedule& schedule) {
  for (const bool turns : {true, false}) {
    Gpu gpu(schedule);
    std::vector<T> v(12);
    for (int k = 0; k < 12; ++k) v[size_t(k)] = T(k / 4 * 0.5);  // the first four are zero
    auto in = gpu.array("in", v);
    auto out = gpu.array<T>("out", 12);
    auto sums = gpu.array<T>("sums", 12);
    auto ticket = gpu.array<int>("ticket", 1);
    gpu.launch("test", {12, 2}, PublishesFloats{}, read_only(in), out, sums, ticket);
    EXPECT_EQ(findings(gpu.trace), "");
    double before = 0;
    for (int k = 0; k < 12; ++k) {
      EXPECT_EQ(gpu.values(out)[size_t(k)], T(before));
      before += double(v[size_t(k)]);
    }
    EXPECT_EQ(gpu.values(sums)[3], T(0));
    EXPECT_TRUE(std::signbit(gpu.values(sums)[3])) << "+0 is the word of nothing";
    if (!turns) gpu.trace.launches[0].turns.clear();
    const DataflowGraph f = replay_trace(gpu.trace);
    EXPECT_EQ(hazards(f), "");
    EXPECT_TRUE(f.snapshots_match);
  }
}
TEST_P(Bulk, PublishedFloatsSayThatTheyAreThere) {
  publish_floats<float>(GetParam());
  publish_floats<double>(GetParam());
}
TEST(Telling, ZeroTravelsAsMinusZero) {
  EXPECT_TRUE(std::signbit(telling(0.0)));
  EXPECT_TRUE(std::signbit(telling(0.0f)));
  EXPECT_EQ(bits_of(telling(Min<float>(0))), 0x80000000u);
  EXPECT_EQ(telling(-1.5), -1.5);
  EXPECT_EQ(telling(Counted<int>{1, 0}), (Counted<int>{1, 0}));
  EXPECT_TRUE(
      (Telling<double> && Telling<Max<float>> && Telling<Counted<int>> && Telling<Counted<Min<int>>>));
  EXPECT_FALSE((Telling<int> || Telling<Min<int>> || Telling<Affine>));
}

/// The block that completes the count has the sum.
struct CountsBlocks {
  template <class T, class C>
  __device__ void operator()(auto& t, Array<const T> in, Array<T> out, Array<C> so_far) const {
    const T value = in[t.block()];
    const auto mine = counted(value);
    const auto all = atomic_add(so_far[0], mine) + mine;
    if (count_of(all) < t.grid_size()) return;
    out[0] = sum_of(all);
    atomic_exch(so_far[0], C{});
  }
};
TEST_P(Bulk, OneAtomicAddsASumAndCounts) {
  Gpu gpu(GetParam());
  auto in = gpu.array("in", std::vector<int>{2147483647, 2147483647, -7, 5});
  auto out = gpu.array<int>("out", 1);
  auto so_far = gpu.array<Counted<int>>("so far", 1);
  gpu.launch("test", {4, 1}, CountsBlocks{}, read_only(in), out, so_far);
  EXPECT_THAT(gpu.values(out), ElementsAre(-4));  // it wraps, and the count is not touched
  EXPECT_EQ(gpu.values(so_far)[0], (Counted<int>{0, 0}));
  gpu.trace.property = Property::reduction;
  gpu.trace.output = out.id;
  const Report r = analyse(gpu.trace);
  EXPECT_EQ(hazards(r.flow), "");
}

/// A change to a good trace, and a word of the sentence that must refuse it.
TEST(BulkInAFile, RefusesWhatMeansNothing) {
  const auto event = [](Trace& t, Op op) -> Event& {
    for (Event& e : t.launches[0].blocks[0].events)
      if (e.op == op) return e;
    throw std::logic_error("no such event");
  };
  struct Forgery {
    const char* name;
    std::function<void(Trace&)> change;
    const char* sentence;
  };
  const Forgery forgeries[] = {
      {"more cells than there are", [&](Trace& t) { event(t, Op::bulk_read).bits = 4000; },
       "outside its array"},
      {"cells that wrap", [&](Trace& t) { event(t, Op::bulk_write).a = ~0u; }, "outside its array"},
      {"other cells than are read", [&](Trace& t) { event(t, Op::bulk_write).bits = 4; }, "other cells"},
      {"to nowhere", [&](Trace& t) { event(t, Op::bulk_write).op = Op::sync; }, "copies to nowhere"},
      {"from nowhere", [&](Trace& t) { event(t, Op::bulk_read).op = Op::sync; }, "copies from nowhere"},
      {"another type",
       [&](Trace& t) {
         event(t, Op::bulk_write).array = 129, event(t, Op::bulk_write).a = 0,
                  event(t, Op::bulk_write).bits = 1, event(t, Op::bulk_read).bits = 1;
       },
       "other cells"},
      {"an mbarrier that is a tile", [&](Trace& t) { event(t, Op::bulk_read).b = 128u << 24 | 1; },
       "no mbarrier"},
      {"an mbarrier beyond the last", [&](Trace& t) { event(t, Op::bulk_read).b += 1; }, "no mbarrier"},
      {"arrival at a tile", [&](Trace& t) { event(t, Op::arrive).array = 128; }, "no mbarrier"},
      {"await beyond the last", [&](Trace& t) { event(t, Op::await).a = 1; }, "no mbarrier"},
      {"an end in a log", [&](Trace& t) { event(t, Op::arrive).op = Op::complete; }, "no log holds"},
      {"a group's end in a log", [&](Trace& t) { event(t, Op::fence_async).op = Op::commit; },
       "no log holds"},
      {"a value that is none",
       [&](Trace& t) {
         for (Event& e : t.launches[0].blocks[0].events)
           if (e.op == Op::arrive) {
             (&e)[1].op = Op::high;
             return;
           }
       },
       "upper half of nothing"},
  };
  for (const Forgery& f : forgeries) {
    Trace t = round_trip<none>({.kind = Schedule::to_barrier});
    f.change(t);
    std::string said = "accepted";
    try {
      read_trace(write_trace(t));
    } catch (const BadFile& e) { said = e.what(); }
    const std::string wanted =
        std::string(f.sentence) == "no mbarrier" ? "mbarrier that does not exist" : f.sentence;
    EXPECT_THAT(said, HasSubstr(wanted)) << f.name;
  }
}
TEST(BulkInAFile, CannotAskForMoreThanItHolds) {
  Trace t = round_trip<none>({.kind = Schedule::to_barrier});
  auto& block = t.launches[0].blocks[0];
  const auto first = std::find_if(block.events.begin(), block.events.end(),
                                  [](const Event& e) { return e.op == Op::bulk_read; });
  const std::vector<Event> pair(first, first + 2);
  std::vector<Event> many;
  if (sanitized) GTEST_SKIP() << "four million events: two minutes";
  for (int k = 0; k < 2'000'000; ++k) many.insert(many.end(), pair.begin(), pair.end());
  const auto at = size_t(first - block.events.begin());
  block.events.insert(first, many.begin(), many.end());
  for (uint32_t& f : block.first)
    if (f > at) f += uint32_t(many.size());
  t.launches[0].turns.clear();
  EXPECT_THROW(read_trace(write_trace(t)), BadFile);
}

}  // namespace
}  // namespace bscope::test
