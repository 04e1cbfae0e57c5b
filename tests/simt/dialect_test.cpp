// The words of the dialect do what CUDA's do, and write down what they did.
#include <gmock/gmock.h>

#include <algorithm>
#include <climits>
#include <numeric>

#include "tests/simt/launching.hpp"

namespace bscope::test {
namespace {

using testing::ElementsAre;

class Dialect : public testing::TestWithParam<Schedule> {};
INSTANTIATE_TEST_SUITE_P(Schedules, Dialect, testing::ValuesIn(schedules()), [](const auto& p) {
  std::string name = name_of(p.param);
  for (char& c : name)
    if (!isalnum(c)) c = '_';
  return name;
});

// --- element types
// ---------------------------------------------------------------------------------------------

/// Computes where C++ computes in V; narrower numbers travel only.
template <class V>
struct TwicePlusOne {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> in, Array<T> out) const {
    auto s = shared<T>(t, "s", t.block_size());
    if constexpr (Computed<V>)
      s[t.rank()] = in[t.rank()] * V(2) + V(1);
    else
      s[t.rank()] = in[t.rank()];
    t.sync();
    T x = s[t.block_size() - 1 - t.rank()];
    const T other = t.shuffle_xor(x, 1);
    if constexpr (Computed<V>)
      x += other;
    else
      x = other;
    out[t.rank()] = x;
  }
};
template <class V>
class ElementTypes : public testing::Test {};
using Types =
    testing::Types<int8_t, uint8_t, int16_t, uint16_t, int, uint32_t, int64_t, uint64_t, float, double>;
TYPED_TEST_SUITE(ElementTypes, Types);
TYPED_TEST(ElementTypes, KeepTheirValuesExactly) {
  using V = TypeParam;
  Gpu gpu({.kind = Schedule::to_barrier});
  std::vector<V> v(64);
  for (int i = 0; i < 64; ++i) v[size_t(i)] = V(i * 1.5 + (sizeof(V) == 8 ? 1e-12 * i : 0));
  auto in = gpu.array("in", v);
  auto out = gpu.array<V>("out", 64);
  gpu.launch("typed", {1, 64}, TwicePlusOne<V>{}, read_only(in), out);
  const auto got = gpu.values(out);
  auto y = [&](int k) { return Computed<V> ? V(v[size_t(63 - k)] * V(2) + V(1)) : v[size_t(63 - k)]; };
  for (int i = 0; i < 64; ++i) EXPECT_EQ(got[size_t(i)], Computed<V> ? V(y(i) + y(i ^ 1)) : y(i ^ 1)) << i;

  EXPECT_EQ(count(gpu.trace, Op::high) > 0, sizeof(V) == 8);
  EXPECT_EQ(gpu.trace.arrays[0].kind, kind_of<V>);
  // The last store of thread 5 holds the value that the array then has.
  const auto log = gpu.trace.launches[0].blocks[0].log(5);
  const bool wide = sizeof(V) == 8;
  const Event& e = log[log.size() - 1 - wide];
  ASSERT_EQ(e.op, Op::store);
  const uint64_t bits = e.bits | (wide ? uint64_t(log.back().bits) << 32 : 0);
  EXPECT_EQ(from_bits<V>(bits), got[5]);
}

// --- arithmetic
// ------------------------------------------------------------------------------------------------

struct Wraps {
  template <class T>
  __device__ void operator()(auto& t, Array<T> x) const {
    const int none = t.rank(), beyond = 40 + none;  // unknown while compiling, else compilers warn
    T most = x[0];
    T least = x[1];
    x[2] = most + 1;
    x[3] = least - 1;
    x[4] = most * most;
    x[5] = -least;
    x[6] = least / -1;
    x[7] = most / none;
    x[8] = least % -1;
    x[9] = most % none;
    x[10] = most << beyond;
    x[11] = least >> beyond;
    x[12] = least << 1;
    x[13] = least >> 31;
    atomic_add(x[14], most);
    atomic_add(x[14], 2);
  }
};
TEST(Arithmetic, WrapsAndIsDefinedEverywhere) {
  Gpu gpu({.kind = Schedule::to_barrier});
  std::vector<int> v(15);
  v[0] = INT_MAX;
  v[1] = INT_MIN;
  auto x = gpu.array("x", v);
  gpu.launch("wraps", {1, 1}, Wraps{}, x);
  const auto got = gpu.values(x);
  EXPECT_THAT(std::vector(got.begin() + 2, got.end()),
              ElementsAre(INT_MIN, INT_MAX, 1, INT_MIN, INT_MIN, -1, 0, INT_MAX, 0, -1, 0, -1, INT_MIN + 1));
}

struct Compares {
  template <class T>
  __device__ void operator()(auto&, Array<T> x) const {
    T a = x[0];
    const T b = x[1];
    if (a < b && a <= b && b > a && b >= a && a != b && !(a == b)) x[2] = min(a, b);
    x[3] = max(x[0], x[1]);
    a += 1;
    ++a;
    a++;
    x[4] = a;
    x[5] = (a & 6) | (b ^ 1);
    x[6] += a;
    x[6]++;
    x[7] = x[6];
    x[8] = int(x[7]);
    x[9] = b ? a : 0;
  }
};
TEST(Arithmetic, AndComparisonsAndCompounds) {
  Gpu gpu({.kind = Schedule::lockstep});
  auto x = gpu.array("x", std::vector<int>{3, 9, 0, 0, 0, 0, 10, 0, 0, 0});
  gpu.launch("compares", {1, 1}, Compares{}, x);
  EXPECT_THAT(gpu.values(x), ElementsAre(3, 9, 3, 9, 6, 6 | 8, 17, 17, 17, 6));
  EXPECT_EQ(count(gpu.trace, Op::escape), 1);
  EXPECT_EQ(count(gpu.trace, Op::branch), 7);
}

// --- where a value came from
// -----------------------------------------------------------------------------------

struct AddNeighbours {
  template <class T>
  __device__ void operator()(auto& t, Array<T> x) const {
    x[t.rank()] = x[t.rank() + 1] + x[t.rank() + 2];
  }
};
TEST(Sources, OperandsAreReadLeftFirstAndNamed) {
  Gpu gpu({.kind = Schedule::to_barrier});
  auto x = gpu.array("x", std::vector<int>{0, 20, 30});
  const int line = __LINE__;
  gpu.launch("add", {1, 1}, AddNeighbours{}, x);
  const auto log = gpu.trace.launches[0].blocks[0].log(0);
  ASSERT_EQ(log.size(), 4u);
  const uint16_t at = log[0].line;
  EXPECT_LT(at, line);
  const uint8_t i32 = uint8_t(ElementType::i32);
  EXPECT_EQ(log[0], (Event{at, Op::load, 0, 20, 1, 0}));
  EXPECT_EQ(log[1], (Event{at, Op::load, 0, 30, 2, 0}));
  EXPECT_EQ(log[2], (Event{at, Op::add, i32, 50, 1, 2}));
  EXPECT_EQ(log[3], (Event{at, Op::store, 0, 50, 0, 3}));
}

struct Indirect {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> key, Array<T> out) const {
    atomic_add(out[key[t.rank()]], 5);
  }
};
TEST(Sources, AnIndexThatTheDataChoseIsWrittenDown) {
  Gpu gpu({.kind = Schedule::to_barrier});
  auto key = gpu.array("key", std::vector<int>{2});
  auto out = gpu.array<int>("out", 3);
  gpu.launch("indirect", {1, 1}, Indirect{}, read_only(key), out);
  const auto log = gpu.trace.launches[0].blocks[0].log(0);
  ASSERT_EQ(log.size(), 4u);
  EXPECT_EQ(log[0].op, Op::load);
  EXPECT_EQ(log[1].op, Op::constant);
  EXPECT_EQ(log[1].bits, 5u);
  EXPECT_EQ(log[2], (Event{log[0].line, Op::address, 1, 2, 1, 0}));
  EXPECT_EQ(log[3], (Event{log[0].line, Op::atomic_add, 1, 0, 2, 2}));
}

// --- warps
// -----------------------------------------------------------------------------------------------------

struct Shuffles {
  template <class T>
  __device__ void operator()(auto& t, Array<T> out) const {
    const int n = 32 * t.block_size();
    T x = 100 + t.lane();
    out[t.rank()] = t.shuffle(x, 3);
    out[n / 32 + t.rank()] = t.shuffle_up(x, 2);
    out[2 * n / 32 + t.rank()] = t.shuffle_down(x, 5);
    out[3 * n / 32 + t.rank()] = t.shuffle_xor(x, 1);
    out[4 * n / 32 + t.rank()] = t.shuffle(x, 35);
  }
};
TEST_P(Dialect, ShufflesMoveValuesBetweenLanes) {
  Gpu gpu(GetParam());
  const auto got = launched(gpu, {1, 64}, Shuffles{}, 5 * 64);
  for (int i = 0; i < 64; ++i) {
    const int lane = i % 32;
    EXPECT_EQ(got[size_t(i)], 103);
    EXPECT_EQ(got[size_t(64 + i)], 100 + (lane >= 2 ? lane - 2 : lane));
    EXPECT_EQ(got[size_t(128 + i)], 100 + (lane + 5 < 32 ? lane + 5 : lane));
    EXPECT_EQ(got[size_t(192 + i)], 100 + (lane ^ 1));
    EXPECT_EQ(got[size_t(256 + i)], 103);
  }
  EXPECT_EQ(findings(gpu.trace), "");
  // A shuffle names the lane and the event there.
  for (const Event& e : gpu.trace.launches[0].blocks[0].log(9))
    if (e.op == Op::shuffle && e.bits == 108) { EXPECT_EQ(e.a, 8u); }
}

struct SplitMasks {
  template <class T>
  __device__ void operator()(auto& t, Array<T> out) const {
    T x = t.lane();
    if (t.lane() < 16)
      x = t.shuffle_xor(x, 3, 0xffffu);
    else
      x = t.shuffle_down(x, 4, 0xffff0000u);
    out[t.rank()] = x;
  }
};
TEST_P(Dialect, BothSidesOfABranchMayShuffle) {
  Gpu gpu(GetParam());
  const auto got = launched(gpu, {1, 32}, SplitMasks{});
  EXPECT_EQ(got[0], 3);
  EXPECT_EQ(got[16], 20);
  EXPECT_EQ(got[31], 31);
  EXPECT_EQ(findings(gpu.trace), "");
}

struct Votes {
  template <class T>
  __device__ void operator()(auto& t, Array<T> out) const {
    const T third = t.lane() % 3;
    const uint32_t odd = t.ballot(t.lane() % 2 == 1);
    const uint32_t zero = t.ballot(third == 0);
    const uint32_t same = t.match_any(third);
    const T sum = t.reduce_add(third);
    t.sync_warp();
    out[4 * t.rank()] = int(odd);
    out[4 * t.rank() + 1] = int(zero);
    out[4 * t.rank() + 2] = int(same);
    out[4 * t.rank() + 3] = sum;
  }
};
TEST_P(Dialect, VotesSeeTheWholeWarp) {
  Gpu gpu(GetParam());
  const int threads = 40;  // the second warp has 8 lanes
  const auto got = launched(gpu, {1, threads}, Votes{}, 4 * threads);
  for (int i = 0; i < threads; ++i) {
    const int lanes = i < 32 ? 32 : 8;
    uint32_t odd = 0, zero = 0, same = 0;
    int sum = 0;
    for (int l = 0; l < lanes; ++l) {
      odd |= uint32_t(l % 2 == 1) << l;
      zero |= uint32_t(l % 3 == 0) << l;
      same |= uint32_t(l % 3 == i % 32 % 3) << l;
      sum += l % 3;
    }
    EXPECT_EQ(uint32_t(got[size_t(4 * i)]), odd) << i;
    EXPECT_EQ(uint32_t(got[size_t(4 * i + 1)]), zero) << i;
    EXPECT_EQ(uint32_t(got[size_t(4 * i + 2)]), same) << i;
    EXPECT_EQ(got[size_t(4 * i + 3)], sum) << i;
  }
  EXPECT_EQ(findings(gpu.trace), "");
}

// --- vectors
// ---------------------------------------------------------------------------------------------------

struct ReversesQuads {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> in, Array<T> out) const {
    auto from = vectors<4>(in);
    auto to = vectors<4>(out);
    const int i = t.block() * t.block_size() + t.rank();
    if (i >= from.size()) return;
    const Vec<T, 4> q = from[i];
    Vec<T, 4> r;
    for (int k = 0; k < 4; ++k) r[k] = q[3 - k];
    to[i] = r;
  }
};
TEST_P(Dialect, VectorsAreOneRequestOfSeveralCells) {
  Gpu gpu(GetParam());
  std::vector<int> v(42);
  std::iota(v.begin(), v.end(), 0);
  auto in = gpu.array("in", v);
  auto out = gpu.array<int>("out", 42);
  gpu.launch("reverse", {2, 8}, ReversesQuads{}, read_only(in), out);
  const auto got = gpu.values(out);
  for (int i = 0; i < 42; ++i) EXPECT_EQ(got[size_t(i)], i < 40 ? i / 4 * 4 + 3 - i % 4 : 0);
  EXPECT_EQ(count(gpu.trace, Op::together), 20);
  const auto log = gpu.trace.launches[0].blocks[0].log(1);
  ASSERT_EQ(log.size(), 10u);
  EXPECT_EQ(log[0], (Event{log[0].line, Op::together, 0, 0, 4, 0}));
  EXPECT_EQ(log[1].a, 4u);
  EXPECT_EQ(log[4].a, 7u);
}

// --- atomics and flags
// -----------------------------------------------------------------------------------------

struct Atomics {
  template <class T>
  __device__ void operator()(auto& t, Array<T> x) const {
    atomic_add(x[0], 1);
    atomic_max(x[1], t.rank());
    const T old = atomic_exch(x[2], t.rank() + 1);
    atomic_add(x[3], old);
  }
};
TEST_P(Dialect, AtomicsLoseNothing) {
  Gpu gpu(GetParam());
  const auto got = launched(gpu, {3, 50}, Atomics{}, 4);
  EXPECT_EQ(got[0], 150);
  EXPECT_EQ(got[1], 49);
  EXPECT_EQ(got[2] + got[3], 3 * 50 * 51 / 2);  // what went in has come out, or is still there
}

/// Each on a cell of its own; what it found goes into `found`.
struct EveryAtomic {
  template <class T>
  __device__ void operator()(auto& t, Array<T> x, Array<T> found) const {
    const int k = t.rank() + t.block() * t.block_size();
    atomic_sub(x[0], 2);
    atomic_min(x[1], 40 - k);
    atomic_and(x[2], ~(1 << k));
    atomic_or(x[3], 1 << k);
    atomic_xor(x[4], 1 << k);
    T seen = x[5];
    for (int tries = 0; tries < 64; ++tries) {
      const T before = seen;
      seen = atomic_cas(x[5], before, before + 3);
      if (seen == before) break;
    }
    found[k] = seen;
    t.fence();
  }
};
TEST_P(Dialect, EveryAtomicDoesWhatItSays) {
  Gpu gpu(GetParam());
  auto x = gpu.array("x", std::vector<int>{100, 100, -1, 0, -1, 7});
  auto found = gpu.array<int>("found", 30);
  gpu.launch("all", {3, 10}, EveryAtomic{}, x, found);
  EXPECT_THAT(gpu.values(x), ElementsAre(40, 11, ~((1 << 30) - 1), (1 << 30) - 1, ~((1 << 30) - 1), 97));
  auto sorted = gpu.values(found);
  std::sort(sorted.begin(), sorted.end());
  for (int k = 0; k < 30; ++k) EXPECT_EQ(sorted[size_t(k)], 7 + 3 * k);
  EXPECT_EQ(count(gpu.trace, Op::atomic_cas), 30);
  EXPECT_EQ(count(gpu.trace, Op::fence), 30);
}

struct CountRound {
  template <class T>
  __device__ void operator()(auto&, Array<T> x) const {
    atomic_inc(x[0], 4u);
    atomic_dec(x[1], 4u);
  }
};
TEST_P(Dialect, CountersGoRound) {
  Gpu gpu(GetParam());
  auto x = gpu.array("x", std::vector<uint32_t>{0, 9});
  gpu.launch("round", {1, 7}, CountRound{}, x);
  EXPECT_THAT(gpu.values(x), ElementsAre(2u, 3u));
}

struct Swaps {
  template <class T>
  __device__ void operator()(auto&, Array<T> x) const {
    const T seven = x[1];
    atomic_cas(x[0], 5, seven);
    atomic_cas(x[0], seven, 9);
  }
};
TEST(Sources, ACompareAndSwapSaysWhatItExpected) {
  Gpu gpu({.kind = Schedule::to_barrier});
  auto x = gpu.array("x", std::vector<int>{4, 7});
  gpu.launch("miss", {1, 1}, Swaps{}, x);
  const auto log = gpu.trace.launches[0].blocks[0].log(0);
  ASSERT_EQ(log.size(), 6u);
  const uint8_t i32 = uint8_t(ElementType::i32);
  EXPECT_EQ(log[1], (Event{log[1].line, Op::expect, i32, 5, 0, 0}));
  EXPECT_EQ(log[2], (Event{log[1].line, Op::atomic_cas_failed, 0, 4, 0, 0}));
  EXPECT_EQ(log[3].op, Op::constant);
  EXPECT_EQ(log[4], (Event{log[3].line, Op::expect, i32, 7, 1, 0}));
  EXPECT_EQ(log[5], (Event{log[3].line, Op::atomic_cas_failed, 0, 4, 0, 0}));
  auto y = gpu.array("y", std::vector<int>{5, 7});
  gpu.launch("hit", {1, 1}, Swaps{}, y);
  const auto hit = gpu.trace.launches[1].blocks[0].log(0);
  EXPECT_EQ(hit[2], (Event{hit[1].line, Op::atomic_cas, 1, 5, 0, 1}));
  EXPECT_EQ(hit[5], (Event{hit[3].line, Op::atomic_cas, 1, 7, 0, 4}));
  EXPECT_EQ(gpu.values(y)[0], 9);
}

struct PassesItOn {
  template <class T>
  __device__ void operator()(auto& t, Array<T> value, auto flag) const {
    if (t.rank()) return;
    const int b = t.block();
    T before = 0;
    if (b > 0) {
      wait_while(flag[b - 1], 0);
      before = value[b - 1];
    }
    value[b] = before + b;
    store_release(flag[b], 1);
  }
};
TEST_P(Dialect, BlocksMayWaitForEarlierBlocks) {
  Gpu gpu(GetParam());
  auto value = gpu.array<int>("value", 30), flag = gpu.array<int>("flag", 30);
  gpu.launch("chain", {30, 4}, PassesItOn{}, value, flag);
  EXPECT_EQ(gpu.values(value)[29], 29 * 30 / 2);
  EXPECT_EQ(findings(gpu.trace), "");
}

// Both blocks are resident and wait for each other in turn.
struct PingPong {
  template <class T>
  __device__ void operator()(auto& t, Array<T> ball) const {
    for (int k = 0; k < 10; ++k) {
      while (load_acquire(ball[0]) != 2 * k + t.block()) {}
      store_release(ball[0], 2 * k + t.block() + 1);
    }
  }
};
TEST(Flags, ResidentBlocksSpinOnEachOther) {
  for (Schedule s : {Schedule{.kind = Schedule::lockstep}, Schedule{.kind = Schedule::shuffled, .seed = 3}}) {
    Gpu gpu(s);
    EXPECT_THAT(launched(gpu, {2, 1}, PingPong{}, 1), ElementsAre(20)) << name_of(s);
    EXPECT_EQ(findings(gpu.trace), "");
  }
}
TEST(Flags, ABlockThatIsNotResidentCannotBeWaitedFor) {
  Gpu gpu({.kind = Schedule::lockstep, .resident_blocks = 1, .most_events = 20000});
  launched(gpu, {2, 1}, PingPong{}, 1);
  EXPECT_THAT(findings(gpu.trace), testing::HasSubstr("No end in sight"));
}

// --- several launches
// ------------------------------------------------------------------------------------------

struct Doubles {
  template <class T>
  __device__ void operator()(auto& t, Array<T> x, int by) const {
    const int i = t.block() * t.block_size() + t.rank();
    t.phase("scale");
    if (i < x.size()) x[i] *= by;
  }
};
TEST_P(Dialect, LaunchesFollowEachOther) {
  Gpu gpu(GetParam());
  auto x = gpu.array("x", std::vector<int>{1, 2, 3, 4, 5});
  gpu.launch("double", {2, 4}, Doubles{}, x, 2);
  auto y = gpu.array<int>("y", 1);
  gpu.launch("triple", {5, 1}, Doubles{}, x, 3);
  EXPECT_THAT(gpu.values(x), ElementsAre(6, 12, 18, 24, 30));
  const Trace& t = gpu.trace;
  ASSERT_EQ(t.launches.size(), 2u);
  EXPECT_EQ(t.launches[0].after.size(), 1u);
  EXPECT_EQ(t.launches[1].after.size(), 2u);
  EXPECT_EQ(number(ElementType::i32, t.launches[0].after[0].data() + 16), 10);
  EXPECT_EQ(t.launches[1].phases.at(hash_of("scale")), "scale");
  EXPECT_EQ(y.id, 1);
}

// --- schedules
// -------------------------------------------------------------------------------------------------

struct Increments {
  template <class T>
  __device__ void operator()(auto&, Array<T> x) const {
    x[0]++;
  }
};
TEST(Schedules, LockstepLosesUpdatesReproducibly) {
  auto left = [](const Schedule& s, uint64_t* hash = nullptr) {
    Gpu gpu(s);
    const int x = launched(gpu, {4, 64}, Increments{}, 1)[0];
    if (hash) *hash = digest(gpu.trace);
    return x;
  };
  EXPECT_EQ(left({.kind = Schedule::to_barrier}), 256);
  EXPECT_EQ(left({.kind = Schedule::lockstep}), 1);  // all eight warps read before any writes
  bool differ = false;
  uint64_t first = 0;
  for (uint32_t seed = 1; seed <= 5; ++seed) {
    uint64_t once = 0, again = 0;
    const int x = left({.kind = Schedule::shuffled, .seed = seed}, &once);
    EXPECT_LE(x, 8);
    EXPECT_EQ(left({.kind = Schedule::shuffled, .seed = seed}, &again), x);
    EXPECT_EQ(once, again);
    if (seed == 1) first = once;
    differ |= once != first;
  }
  EXPECT_TRUE(differ);
}

TEST(Schedules, AreSpelledOneWay) {
  for (const char* text : {"auto", "to-barrier", "lockstep", "shuffle:7", "shuffle:4294967295"})
    EXPECT_EQ(name_of(parse_schedule(text)), text);
  for (const char* text :
       {"", "fast", "shuffle", "shuffle:", "shuffle:x", "shuffle:-1", "shuffle:4294967296", "Auto"})
    EXPECT_THROW(parse_schedule(text), UsageError) << text;
}

}  // namespace
}  // namespace bscope::test
