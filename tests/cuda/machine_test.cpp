// Users' own kernels, compiled by clang and interpreted by the machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>

#include "engine/analysis/active_lanes.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/lost_inputs.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/stalled_sums.hpp"
#include "engine/analysis/why.hpp"
#include "engine/analysis/work.hpp"
#include "engine/cuda/machine/builtins.hpp"
#include "tests/cuda/machine_support.hpp"
#include "tests/messages.hpp"
#include "tests/places.hpp"

namespace bscope::cuda {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<int> counted(int n, int from = 1) {
  std::vector<int> v(static_cast<size_t>(n));
  std::iota(v.begin(), v.end(), from);
  return v;
}

TEST(Machine, ScansAsBlellochDoes) {
  Device d;
  d.dynamic_shared = 16 * sizeof(int);
  const uint64_t data = d.array(counted(16));
  const LaunchOutcome o = d.launch("blelloch", {}, {8}, data, 16);
  EXPECT_EQ(o.message.english(), "");
  EXPECT_THAT(d.content<int>(data, 16),
              ElementsAre(0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91, 105, 120));
  const Trace t = d.trace();
  EXPECT_EQ(t.arrays.at(0).name, "data");
  EXPECT_EQ(t.launches.at(0).shared.at(0).name, "sum");
  EXPECT_EQ(t.launches[0].shared[0].size, 16);
  const DataflowGraph f = d.replayed(t);
  EXPECT_EQ(work(f).by_op.at("add"), 2 * (16 - 1));
  EXPECT_EQ(work(f).by_op.size(), 1u);
  EXPECT_THAT(f.hazards, IsEmpty());
  EXPECT_EQ(f.intervals.size(), 10u);
}

TEST(Machine, ScansAsKoggeAndStoneDo) {
  Device d;
  const uint64_t in = d.array(std::vector<float>(60, 0.5f)), out = d.array(std::vector<float>(60));
  d.launch("kogge_stone", {}, {64}, in, out, 60);
  EXPECT_EQ(d.content<float>(out, 60)[59], 30.0f);
  const Trace t = d.trace();
  EXPECT_EQ(t.arrays.at(0).kind, ElementType::f32);
  EXPECT_EQ(t.arrays[0].name, "in");
  EXPECT_EQ(t.input, 0);
  EXPECT_EQ(t.arrays[size_t(t.output)].name, "out");
  EXPECT_EQ(t.sources.at(0).path, "kernels.cu");
  d.replayed(t);
}

TEST(Machine, ReducesWithAtomics) {
  Device d;
  const uint64_t in = d.array(counted(500)), out = d.array(std::vector<int>{0});
  d.launch("reduce", {4}, {128}, in, out, 500);
  EXPECT_EQ(d.content<int>(out, 1)[0], 500 * 501 / 2);
  const Trace t = d.trace();
  const DataflowGraph f = d.replayed(t);
  EXPECT_EQ(work(f).by_op.at("atomic_add"), 4);
  EXPECT_EQ(work(f).by_op.at("add"), 4 * 127);
}

TEST(Machine, CountsIntoBins) {
  Device d;
  std::vector<unsigned char> keys;
  for (int k = 0; k < 300; ++k) keys.push_back(static_cast<unsigned char>(k * 7 % 8));
  const uint64_t in = d.array(keys), bins = d.array(std::vector<unsigned>(8));
  d.launch("histogram", {2}, {64}, in, bins, 300);
  EXPECT_THAT(d.content<unsigned>(bins, 8), ElementsAre(38, 37, 37, 37, 37, 38, 38, 38));
  const Trace t = d.trace();
  EXPECT_EQ(t.arrays.at(0).kind, ElementType::u8);
  d.replayed(t);
  int chosen = 0;  // addresses that the data chose
  for (const BlockRun& b : t.launches.at(0).blocks)
    for (const Event& e : b.events) chosen += e.op == Op::address;
  EXPECT_EQ(chosen, 300);
}

TEST(Machine, SharedMemoryMayBeBytesOrStructs) {
  for (const Schedule::Policy kind : {Schedule::to_barrier, Schedule::lockstep}) {
    Device d({}, {.kind = kind});
    d.dynamic_shared = 64 * sizeof(float);
    const uint64_t data = d.array(std::vector<float>(64, 0.5f));
    for (int launch = 0; launch < 2; ++launch) d.launch("raw_shared", {}, {64}, data);
    EXPECT_EQ(d.content<float>(data, 64)[0], 2 * (2 * 0.5f + 0) + 63);
    EXPECT_THAT(d.machine.findings(), IsEmpty());
    const Trace t = d.trace();
    for (const ArrayInfo& a : t.launches.at(0).shared) EXPECT_EQ(a.size, a.name == "raw" ? 64 : 2 * 64);
    EXPECT_THAT(d.replayed(t).hazards, IsEmpty());
  }
}

TEST(Machine, MultipliesInTiles) {
  Device d;
  std::vector<float> a(64), unit(64);
  std::iota(a.begin(), a.end(), 0.0f);
  for (size_t k = 0; k < 8; ++k) unit[9 * k] = 2;
  const uint64_t pa = d.array(a), pb = d.array(unit), pc = d.array(std::vector<float>(64));
  d.launch("matmul", {2, 2}, {4, 4}, pa, pb, pc, 8);
  for (float& v : a) v *= 2;
  EXPECT_EQ(d.content<float>(pc, 64), a);
  const Trace t = d.trace();
  EXPECT_EQ(t.launches.at(0).shared.at(0).rows, 4);
  EXPECT_EQ(t.launches[0].shared.at(1).row_size(), 5);
  ASSERT_EQ(t.arrays.size(), 3u);
  for (const ArrayInfo& matrix : t.arrays) EXPECT_EQ(matrix.rows, 8) << matrix.name << ": as it is indexed";
  d.replayed(t);
}

TEST(Machine, LanesTalkToEachOther) {
  Device d;
  const uint64_t in = d.array(counted(32)), sum = d.array(std::vector<int>{0});
  d.launch("warp_sum", {}, {32}, in, sum);
  EXPECT_EQ(d.content<int>(sum, 1)[0], 32 * 33 / 2);
  const uint64_t out = d.array(std::vector<int>(224));
  d.launch("warp_words", {}, {32}, in, out);
  const std::vector<int> got = d.content<int>(out, 224);
  EXPECT_EQ(unsigned(got[0]), 0xfffffff8u);
  EXPECT_EQ(unsigned(got[32]), 0x55555555u);
  EXPECT_EQ(got[64], 528);
  EXPECT_EQ(got[96], 32);
  EXPECT_EQ(unsigned(got[129]), 0xaaaaaaaau) << "only the odd lanes are there";
  EXPECT_EQ(unsigned(got[160]), 0xffffffffu);
  EXPECT_EQ(got[192 + 20], 39);
  d.replayed(d.trace());
}

TEST(Machine, BlocksVote) {
  Device d;
  const uint64_t out = d.array(std::vector<int>(256));
  d.launch("votes", {}, {64}, out);
  const std::vector<int> got = d.content<int>(out, 256);
  EXPECT_THAT(std::vector(got.begin(), got.begin() + 64), Each(22));
  EXPECT_THAT(std::vector(got.begin() + 64, got.begin() + 192), Each(1));
  EXPECT_THAT(std::vector(got.begin() + 192, got.end()), Each(0));
  d.replayed(d.trace());
}

TEST(Machine, KnowsAllAtomics) {
  for (const Schedule::Policy kind : {Schedule::to_barrier, Schedule::lockstep}) {
    Device d({}, {.kind = kind});
    const uint64_t cells = d.array(std::vector<int>{100, 5, -5, 1, 0}),
                   wrap = d.array(std::vector<unsigned>{0}), wide = d.array(std::vector<uint64_t>{1}),
                   sums = d.array(std::vector<float>{0}), small = d.array(std::vector<uint16_t>{7, 8});
    d.launch("all_atomics", {}, {16}, cells, wrap, wide, sums, small);
    EXPECT_THAT(d.content<int>(cells, 5), ElementsAre(68, -15, 15, 49, 0));
    EXPECT_EQ(d.content<unsigned>(wrap, 1)[0], 16u % 6);
    EXPECT_EQ(d.content<uint64_t>(wide, 1)[0], 1 + (uint64_t(16) << 33));
    EXPECT_EQ(d.content<float>(sums, 1)[0], 8.0f);
    EXPECT_THAT(d.content<uint16_t>(small, 2), ElementsAre(9, 8));
    const Trace t = d.trace();
    d.replayed(t);
    std::set<Op> used;
    for (const BlockRun& b : t.launches.at(0).blocks)
      for (const Event& e : b.events) used.insert(e.op);
    for (const Op op : {Op::atomic_sub, Op::atomic_min, Op::atomic_max, Op::atomic_cas, Op::expect,
                        Op::atomic_cas_failed, Op::atomic_xor, Op::atomic_inc, Op::atomic_add})
      EXPECT_TRUE(used.contains(op)) << name_of(op);
  }
}

TEST(Machine, AtomicsTakeWhatWasCutOrExtended) {
  for (const Schedule::Policy kind : {Schedule::to_barrier, Schedule::lockstep}) {
    Device d({}, {.kind = kind});
    std::vector<int64_t> in;
    std::vector<int> words;
    std::vector<uint64_t> wanted(9);
    for (int k = 0; k < 32; ++k) {
      in.push_back(int64_t(~uint64_t(0) / uint64_t(k % 7 + 1)) - k * 1234567890123457);
      words.push_back(k % 2 ? k + 3 : -k - 3);
    }
    for (size_t k = 0; k < in.size(); ++k) {
      wanted[0] += uint64_t(int64_t(words[k]));
      wanted[1] += uint64_t(uint32_t(words[k]));
      wanted[2] += uint64_t(int64_t(int32_t(in[k])));
      wanted[3] += uint64_t(int64_t(int16_t(in[k])));
      wanted[4] += uint64_t(in[k]);
      wanted[5] = std::max(wanted[5], uint64_t(int64_t(-words[k])));
      wanted[6] ^= uint64_t(int64_t(int8_t(words[k])));
    }
    wanted[7] = wanted[8] = uint64_t(int64_t(words[0]));
    const uint64_t sums = d.array(std::vector<uint64_t>(9)), small = d.array(std::vector<unsigned>{0});
    d.launch("atomics_of_casts", {}, {32}, sums, d.array(in), d.array(words), small);
    EXPECT_EQ(d.content<uint64_t>(sums, 9), wanted);
    d.replayed(d.trace());
  }
}

struct Given {
  int first;
  float factor;
};

TEST(Machine, CallsFunctionsAndKeepsLocalArrays) {
  Device d;
  const uint64_t in = d.array(std::vector<float>{1, 10, 100}), out = d.array(std::vector<float>(4));
  EXPECT_EQ(d.launch("functions", {}, {1}, in, out, Given{2, 2.0f}).message.english(), "");
  EXPECT_EQ(d.content<float>(out, 4)[2], 2 + 40 + 800 + 20);
  Memory* const counter = d.machine.variable(0, "counter");
  ASSERT_NE(counter, nullptr);
  int value = 0;
  std::memcpy(&value, d.machine.read(*counter, 0, 4).data(), 4);
  EXPECT_EQ(value, 42);
  const Trace t = d.trace();
  const DataflowGraph f = d.replayed(t);
  // local arrays and references keep where values came from: out[2] comes from all three inputs
  const auto id = std::ranges::find(t.arrays, "out", &ArrayInfo::name) - t.arrays.begin();
  const int node = final_holder(f, {int(id), 2});
  ASSERT_GE(node, 0);
  EXPECT_GE(f.nodes[size_t(node)].a, 0);
  EXPECT_EQ(work(f).by_op.at("multiply"), 7);
  EXPECT_EQ(work(f).by_op.at("add"), 4);
}

TEST(Machine, VectorsAreOneRequest) {
  Device d;
  const uint64_t in = d.array(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}),
                 out = d.array(std::vector<float>(8));
  d.launch("vectors", {}, {2}, in, out);
  EXPECT_THAT(d.content<float>(out, 8), ElementsAre(1, 2, 3, 3, 5, 6, 7, 11));
  const Trace t = d.trace();
  EXPECT_EQ(t.arrays.at(0).kind, ElementType::f32);
  EXPECT_EQ(d.replayed(t).vectors.size(), 4u);
}

/// What a warp or two asks of memory in the line of that name.
struct LineRequests {
  std::vector<size_t> loads, stores;  // lanes of each
  int sectors = 0, most_occurrence = 0;
  ActiveLanes active;
};
LineRequests requests_of(const std::string& kernel, const std::string& line, unsigned threads = 32) {
  std::optional<LoopRounds> rounds;
  LineRequests all;
  for (const Schedule::Policy kind : {Schedule::to_barrier, Schedule::lockstep}) {
    Device d({}, {.kind = kind});
    d.launch(kernel, {}, {threads}, d.array(std::vector<int>(1024)));
    const Trace t = d.trace();
    all = {};
    for (const WarpAccess& r : requests(t, d.replayed(t))) {
      if (r.line != line_named(line)) continue;
      (r.op == Op::load ? all.loads : all.stores).push_back(r.lanes.size());
      all.sectors += r.sectors;
      all.most_occurrence = std::max(all.most_occurrence, r.occurrence);
    }
    all.active = active_lanes(t).at(0).at(line_named(line));
    const auto& now = t.launches.at(0).blocks.at(0).rounds;
    EXPECT_TRUE(now.has_value());
    if (rounds) EXPECT_EQ(now, rounds) << "the order of threads changes no round";
    rounds = now;
  }
  std::ranges::sort(all.loads);
  std::ranges::sort(all.stores);
  return all;
}

// A condition on indices leaves no event. Lanes whose condition holds in one round go together, and all meet
// at its end. An H200's counters of the same loops: 4 stores; 63 loads and 63 stores; 24 stores.
TEST(Machine, LanesAskTogetherThatComeInOneRound) {
  const LineRequests skips = requests_of("skips_rounds", "skips_rounds");
  EXPECT_THAT(skips.stores, ElementsAre(16, 16, 16, 16));
  EXPECT_EQ(skips.active, (ActiveLanes{.instructions = 4, .active = 64, .lanes = 4 * 32, .runs = 4}));
  EXPECT_EQ(skips.most_occurrence, 3);

  const LineRequests diagonals = requests_of("antidiagonals", "antidiagonals");
  std::vector<size_t> lengths{32};  // 1, 1, 2, 2, ..., 31, 31, 32
  for (size_t k = 31; k > 0; --k) lengths.insert(lengths.begin(), 2, k);
  EXPECT_EQ(diagonals.loads, lengths);
  EXPECT_EQ(diagonals.stores, lengths);
  EXPECT_EQ(diagonals.active.instructions, 3 * 63);  // and the sum
  EXPECT_EQ(diagonals.active.active, 3 * 1024);

  // In each outer round the lanes with 3 inner ones make the others wait: those with 2 miss the third, and so
  // on.
  const LineRequests inner = requests_of("inner_lengths", "inner_lengths");
  std::vector<size_t> lanes(8, 8);
  lanes.insert(lanes.end(), 8, 16);
  lanes.insert(lanes.end(), 8, 24);
  EXPECT_EQ(inner.stores, lanes);
  EXPECT_EQ(inner.active.instructions, 24);

  EXPECT_THAT(requests_of("continues", "continues").stores, ElementsAre(10, 10, 11, 11, 11, 11));
  EXPECT_THAT(requests_of("continues", "behind_continues").stores, ElementsAre(32));
  const LineRequests calls = requests_of("counts_down", "counts_down");
  EXPECT_THAT(calls.stores, ElementsAre(16, 16, 32, 32, 32));
  EXPECT_EQ(calls.sectors, 5 * 4);  // each in one row: those of two calls are not mixed
}

TEST(Machine, RoundsAreKeptWhereLanesDiffer) {
  Device d;
  const uint64_t out = d.array(std::vector<int>(1024));
  for (const char* kernel : {"every_round", "skips_rounds"}) d.launch(kernel, {2}, {64}, out);
  const Trace t = d.trace();
  for (const BlockRun& b : t.launches.at(0).blocks) EXPECT_EQ(b.rounds, LoopRounds());
  for (const BlockRun& b : t.launches.at(1).blocks) {
    ASSERT_TRUE(b.rounds);
    EXPECT_EQ(b.rounds->rounds.size(), 4u);
    EXPECT_EQ(b.rounds->marks.size(), 64u * 2u);  // at each store
  }
  // a barrier in the loop: in each interval the line is there once
  const LineRequests halves = requests_of("rounds_with_barriers", "rounds_with_barriers", 64);
  EXPECT_THAT(halves.stores, ElementsAre(1, 2, 4, 8, 16, 32));
  EXPECT_EQ(halves.most_occurrence, 1);  // s[i] and s[i + d]
  // lanes that skip the sum wait at its round's end for the others, and come to the barrier above it with
  // them
  EXPECT_EQ(requests_of("rounds_with_barriers", "rounds_meet", 64).active,
            (ActiveLanes{.instructions = 2 * 6, .active = 64 * 6, .lanes = 64 * 6, .runs = 2 * 6}));
}

TEST(Machine, ComputesAsTheGpuDoes) {
  Device d;
  const uint64_t in = d.array(std::vector<float>{3, 16}), out = d.array(std::vector<int>(10));
  d.launch("numbers", {}, {1}, in, out);
  EXPECT_THAT(d.content<int>(out, 10), ElementsAre(INT32_MAX, 4, 257, 16, -3, 3, -1, 0, -1, 44));
}

TEST(Machine, Prints) {
  Device d;
  d.launch("says", {}, {32}, 5);
  EXPECT_EQ(d.printed, "-5  2.50|text|c 7 1099511627776 ff %(nil)\n");
}

TEST(Machine, ThreadsStandInThreeDimensions) {
  Device d;
  const uint64_t out = d.array(std::vector<int>(96));
  d.launch("positions", {2, 1, 2}, {4, 3, 2}, out);
  const std::vector<int> got = d.content<int>(out, 96);
  EXPECT_THAT(std::vector(got.begin() + 72, got.begin() + 80), ElementsAre(0, 1, 2, 3, 10, 11, 12, 13));
  EXPECT_EQ(got[95], 123);
  d.launch("fills_table", {}, {6, 4});
  const Trace t = d.trace();
  EXPECT_EQ(t.arrays.at(1).rows, 4);
  EXPECT_EQ(t.launches.at(0).grid_extent, (Extent{2, 1, 2}));
  EXPECT_EQ(t.launches[0].block_extent, (Extent{4, 3, 2}));
}

TEST(Machine, BlocksWaitForEachOther) {
  Device d;
  d.cooperative = true;
  const uint64_t data = d.array(std::vector<int>(40));
  EXPECT_EQ(d.launch("meets_grid", {20}, {4}, data).message.english(), "");
  EXPECT_EQ(d.content<int>(data, 40)[20], 19);
  d.cooperative = false;
  const uint64_t flag = d.array(std::vector<int>{0}), out = d.array(std::vector<int>{0});
  EXPECT_EQ(d.launch("spins", {2}, {4}, flag, out).message.english(), "");
  EXPECT_EQ(d.content<int>(out, 1)[0], 7);
  const uint64_t lock = d.array(std::vector<int>{0}), sum = d.array(std::vector<int>{0});
  EXPECT_EQ(d.launch("locks", {2}, {40}, lock, sum).message.english(), "");
  EXPECT_EQ(d.content<int>(sum, 1)[0], 80);
  d.replayed(d.trace());
}

/// Everything that the headers use is something that the machine knows.
TEST(MachineBuiltins, AreWhatTheHeadersDeclare) {
  const std::string include = BARRIERSCOPE_HEADERS;
  const std::string& code = device_code("headers/everything.cu",
                                        "-g0 -std=c++17 -isystem '" + include + "' -include cuda_runtime.h");
  std::istringstream lines(code);
  int known = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("declare ") || line.find("@llvm.dbg.") != std::string::npos) continue;
    const size_t at = line.find('@') + 1;
    const std::string name = line.substr(at, line.find('(', at) - at);
    EXPECT_TRUE(Builtins::all().find(name).run || ir::intrinsic_named(name)) << name;
    ++known;
  }
  EXPECT_GT(known, 80);
  Machine m;
  EXPECT_NO_THROW(m.load(code, {include}));
}

// ---- mistakes

/// The one sentence about a launch.
template <class... Arguments>
std::string said_of(Device& d, const std::string& kernel, Extent block, Arguments... arguments) {
  const LaunchOutcome o = d.launch(kernel, {}, block, arguments...);
  EXPECT_EQ(o.code, LaunchOutcome::fault) << kernel;
  EXPECT_EQ(d.machine.findings().size(), 1u) << kernel;
  if (d.machine.findings().empty()) return "";
  EXPECT_EQ(d.machine.findings()[0].text(), o.message.english());
  d.trace();
  return o.message.english();
}
std::string in_line(const std::string& name) { return "in line " + std::to_string(line_named(name)); }

TEST(MachineFaults, NameTheArrayTheIndexAndTheLine) {
  Device d;
  const uint64_t data = d.array(counted(40));
  EXPECT_EQ(said_of(d, "outside", {32}, data, 10), "Thread 30 of block 0 writes to data[40] " +
                                                       in_line("outside") +
                                                       ", but data has only the cells 0 to 39.");
  Device shared;
  EXPECT_THAT(said_of(shared, "outside_shared", {9}, shared.array(counted(1))),
              HasSubstr("Thread 8 of block 0 writes to s[8] " + in_line("outside_shared")));
  for (const int k : {-1, 4, 7, 2000}) {
    Device local;
    EXPECT_THAT(said_of(local, "outside_local", {1}, local.array(counted(1)), k),
                HasSubstr("reaches local[" + std::to_string(k) + "] " + in_line("outside_local")));
  }
}

TEST(MachineFaults, TellPointersThatAreNotTheGpus) {
  int on_host = 0;
  const uint64_t host = reinterpret_cast<uint64_t>(&on_host);
  for (const auto& [address, words] :
       {std::pair(uint64_t(0), "through a null pointer"), std::pair(host, "not a pointer of the host"),
        std::pair(uint64_t(77) << 40, "not the GPU's")}) {
    Device d;
    const std::string said = said_of(d, "touches", {1}, address);
    EXPECT_THAT(said, HasSubstr(words));
    EXPECT_THAT(said, HasSubstr(in_line("touches")));
  }
  Device d;
  const uint64_t freed = d.array(counted(1));
  EXPECT_EQ(d.machine.free(freed), Machine::Freed::done);
  EXPECT_EQ(d.machine.free(freed), Machine::Freed::already);
  EXPECT_THAT(said_of(d, "touches", {1}, freed), HasSubstr("after it was freed"));
  Device odd;
  EXPECT_THAT(said_of(odd, "misaligned", {1}, odd.array(counted(4))), HasSubstr("no multiple of 4"));
}

TEST(MachineFaults, EndWhatDoesNotEnd) {
  Limits few;
  few.loop_turns = 10'000;
  few.launch_events = 1000;
  Device recursion(few);
  EXPECT_THAT(said_of(recursion, "recurses", {1}, recursion.array(counted(1))),
              HasSubstr("too deeply " + in_line("deeper")));
  Device endless(few);
  EXPECT_THAT(said_of(endless, "never_ends", {64}, endless.array(std::vector<int>{0, 0})),
              HasSubstr("No end in sight"));
  Device deadlock;
  const std::string said = said_of(deadlock, "hangs", {32}, deadlock.array(std::vector<int>{0}));
  EXPECT_THAT(said, HasSubstr("Deadlock in block 0: threads 0-31 loop for ever " + in_line("hangs")));
  EXPECT_THAT(said, HasSubstr("flag[0]"));
  EXPECT_THAT(said, testing::Not(HasSubstr("host")));
}

TEST(MachineFaults, SayWhenItIsTheHostThatAKernelWaitsFor) {
  Device d;
  const uint64_t flag = d.machine.allocate(4, Placement::visible);
  const LaunchOutcome o = d.launch("hangs", {}, {32}, flag);
  EXPECT_EQ(o.code, LaunchOutcome::unsupported);  // no mistake: on a GPU the host may go on
  EXPECT_THAT(o.message.english(), HasSubstr("The kernel waits for the host to change"));
  EXPECT_EQ(in_line("hangs"), "in line " + std::to_string(o.line));
}

TEST(MachineFaults, SayWhatTheKernelSays) {
  const auto said = [](const std::string& kernel, auto... arguments) {
    Device d;
    return said_of(d, kernel, {2}, arguments...);
  };
  EXPECT_THAT(said("stops"), HasSubstr("Thread 1 of block 0 stops itself with __trap() " + in_line("stops")));
  EXPECT_THAT(said("asserts", -1), HasSubstr("assert(x > 0) does not hold " + in_line("asserts")));
  Device d;
  EXPECT_THAT(said_of(d, "no_dynamic", {1}, d.array(counted(1))), HasSubstr("third parameter"));
  Device fine;
  EXPECT_EQ(fine.launch("unknown", {}, {1}, 0).message.english(), "") << "what is not reached does no harm";
}

TEST(MachineFaults, AreNoneWhereTheMachineCannotRunTheKernel) {
  const auto refused = [](const std::string& kernel, auto... arguments) {
    Device d;
    const LaunchOutcome o = d.launch(kernel, {}, {2}, arguments...);
    EXPECT_EQ(o.code, LaunchOutcome::unsupported);
    EXPECT_EQ(int(o.line), line_named(kernel));
    EXPECT_THAT(o.file, HasSubstr("kernels.cu"));
    EXPECT_THAT(d.machine.findings(), IsEmpty());
    EXPECT_TRUE(d.machine.launches().empty());
    return o.message.english();
  };
  EXPECT_THAT(refused("unknown", 1), HasSubstr("calls nobody_knows_this " + in_line("unknown")));
  EXPECT_THAT(refused("unsupported"), HasSubstr(in_line("unsupported") + ": textures."));
  EXPECT_THAT(refused("by_hand"), HasSubstr(in_line("by_hand") + ": the PTX instruction setmaxnreg"));
  Device not_launched;
  std::vector<int> lines;
  for (const Machine::UnsupportedCode& code : not_launched.machine.unsupported_code())
    lines.push_back(int(code.line));
  EXPECT_THAT(lines, ElementsAre(line_named("by_hand")));
}

TEST(MachineFaults, AGridBarrierNeedsACooperativeLaunch) {
  Device d;
  EXPECT_THAT(said_of(d, "meets_grid", {4}, d.array(std::vector<int>(4))),
              HasSubstr("but the launch is not cooperative"));
}

TEST(MachineFaults, UseAfterFreeInKernels) {
  Device d;
  EXPECT_EQ(d.launch("heap", {}, {1}, d.array(std::vector<int>{0, 0})).message.english(), "");
  EXPECT_THAT(said_of(d, "heap", {1}, d.array(std::vector<int>{0, 1})), HasSubstr(in_line("heap")));
}

TEST(Machine, MakesArraysInKernels) {
  Device d;
  const uint64_t in = d.array(counted(5)), out = d.array(std::vector<int64_t>(5));
  EXPECT_EQ(d.launch("makes_room", {}, {1}, in, out, 5).message.english(), "");
  EXPECT_THAT(d.content<int64_t>(out, 5), ElementsAre(5, 4, 3, 2, 1));
  const Trace t = d.trace();
  d.replayed(t);
}

/// What kernels find of all pairs of numbers at the ends of a type is what the processor finds.
template <class T>
void expect_checked(const std::string& kernel) {
  using Ends = std::numeric_limits<T>;
  const std::vector<T> ends = {
      0, 1, T(-1), 2, 7, Ends::max(), Ends::min(), Ends::max() / 2, Ends::max() - 1, T(Ends::min() + 1)};
  std::vector<T> pairs, results;
  std::vector<int> fits;
  for (const T a : ends)
    for (const T b : ends) {
      T sum, difference, product;
      pairs.insert(pairs.end(), {a, b});
      fits.push_back(!__builtin_add_overflow(a, b, &sum) | !__builtin_sub_overflow(a, b, &difference) << 1 |
                     !__builtin_mul_overflow(a, b, &product) << 2);
      results.insert(results.end(), {sum, difference, product});
    }
  Device d;
  const uint64_t in = d.array(pairs), out = d.array(std::vector<T>(results.size())),
                 told = d.array(std::vector<int>(fits.size()));
  EXPECT_EQ(d.launch(kernel, {}, {uint32_t(fits.size())}, in, out, told).message.english(), "");
  EXPECT_EQ(d.content<T>(out, results.size()), results) << kernel;
  EXPECT_EQ(d.content<int>(told, fits.size()), fits) << kernel;
  d.replayed(d.trace());
}

TEST(Machine, KnowsWhatDoesNotFit) {
  expect_checked<int32_t>("checks_i32");
  expect_checked<uint32_t>("checks_u32");
  expect_checked<int64_t>("checks_i64");
  expect_checked<uint64_t>("checks_u64");
}

TEST(MachineFaults, UnevenBarriersAreFoundAndPassed) {
  Device d;
  const uint64_t out = d.array(std::vector<int>(32));
  EXPECT_EQ(d.launch("uneven", {}, {32}, out).code, LaunchOutcome::done);
  ASSERT_EQ(d.machine.findings().size(), 1u);
  EXPECT_THAT(d.machine.findings()[0].text(), HasSubstr("not met by all"));
}

TEST(MachineFaults, AnEndedThreadHidesNoUnevenBarrier) {
  const auto kinds = [](const char* kernel) {
    Device d;
    const uint64_t out = d.array(std::vector<int>(32));
    d.launch(kernel, {}, {32}, out, 32);
    std::set<FindingKind> all;
    for (const Finding& f : d.machine.findings()) all.insert(f.kind);
    return all;
  };
  EXPECT_THAT(kinds("beyond_and_uneven"),
              ElementsAre(FindingKind::out_of_bounds, FindingKind::missed_barrier));
  EXPECT_THAT(kinds("beyond_before_sync"), ElementsAre(FindingKind::out_of_bounds))
      << "it misses the barrier because it was ended";
}

TEST(MachineFaults, RegistersThatAreReadBeforeTheyAreSet) {
  for (const auto& [kernel, what] :
       {std::pair("reads_unset", "sum"), std::pair("reads_unset_array", "parts[k & 3]")}) {
    Device d;
    const uint64_t in = d.array(std::vector<float>(8, 1)), out = d.array(std::vector<float>(1));
    EXPECT_EQ(d.launch(kernel, {}, {1}, in, out, 8).code, LaunchOutcome::done);
    ASSERT_EQ(d.machine.findings().size(), 1u) << kernel;
    const Finding& f = d.machine.findings()[0];
    EXPECT_EQ(f.line, line_named(kernel));
    EXPECT_THAT(f.message.english(), HasSubstr(std::string("reads ") + what + " " + in_line(kernel)));
    EXPECT_FALSE(f.help.empty());
  }
  Device right;
  const uint64_t in = right.array(std::vector<float>(8, 1)), out = right.array(std::vector<float>(1));
  right.launch("sets_first", {}, {1}, in, out, 8);
  EXPECT_THAT(right.machine.findings(), IsEmpty());
}

TEST(MachineFaults, SaysWhichArithmeticDidNotFit) {
  Device d;
  const uint64_t in = d.array(counted(64)), out = d.array(counted(64));
  d.launch("overflows", {}, {64}, in, out);
  ASSERT_FALSE(d.machine.findings().empty());
  EXPECT_THAT(d.machine.findings()[0].message.english(),
              HasSubstr("row * 100000000 " + in_line("overflows") +
                        " does not fit an int: in thread 22 of block 0 it would be 2200000000"));
  EXPECT_THAT(d.machine.findings()[0].help.english(), HasSubstr("size_t"));
  ASSERT_EQ(d.machine.overflows().size(), 1u);
  EXPECT_EQ(d.machine.overflows()[0].expression, "row * 100000000");
  EXPECT_EQ(int(d.machine.overflows()[0].line), d.machine.findings()[0].line);
  Device hash;
  const uint64_t keys = hash.array(counted(64)), bits = hash.array(counted(64));
  hash.launch("hashes", {}, {64}, keys, bits);
  EXPECT_THAT(hash.machine.findings(), IsEmpty());
  ASSERT_EQ(hash.machine.notes().size(), 1u);
  EXPECT_THAT(hash.machine.notes()[0].english(), HasSubstr(in_line("hashes") + " does not fit an int"));
}

TEST(MachineFaults, NamesTheGuardThatLetsTheIndexThrough) {
  for (const auto& [kernel, why, help] : {std::tuple("one_too_far", "i <= n", "Use i < n"),
                                          std::tuple("returns_too_late", "i > n", "Use i >= n"),
                                          std::tuple("unguarded", "only the cells 0 to 39.", "if (i < n)")}) {
    Device d;
    d.launch(kernel, {}, {64}, d.array(counted(40)), 40);
    ASSERT_FALSE(d.machine.findings().empty()) << kernel;
    EXPECT_THAT(d.machine.findings()[0].message.english(), HasSubstr(why));
    EXPECT_THAT(d.machine.findings()[0].help.english(), HasSubstr(help));
  }
}

TEST(MachineFaults, ReturningBeforeABarrierIsANote) {
  Device d;
  EXPECT_EQ(d.launch("returns_early", {}, {32}, d.array(counted(32)), 20).code, LaunchOutcome::done);
  EXPECT_THAT(d.machine.findings(), IsEmpty());
  ASSERT_EQ(d.machine.early_returns().size(), 1u);
  const KernelRemark& r = d.machine.early_returns()[0];
  EXPECT_THAT(r.message.english(), HasSubstr("before the barrier " + in_line("returns_early")));
  EXPECT_EQ(in_line("returns_early"), "in line " + std::to_string(r.line));
}

TEST(MachineFaults, AtomicsOfABlockThatBlocksShare) {
  Device d;
  d.launch("counts_by_block", {2}, {4}, d.array(counted(1)));
  ASSERT_EQ(d.machine.findings().size(), 1u);
  EXPECT_THAT(d.machine.findings()[0].message.english(),
              AllOf(HasSubstr("Blocks 0 and 1 both access count[0]"), HasSubstr("atomicAdd_block orders")));
  Device one;
  one.launch("counts_by_block", {1}, {4}, one.array(counted(1)));
  EXPECT_THAT(one.machine.findings(), IsEmpty());
}

TEST(MachineFaults, SumsThatStopAndInputsThatAreLost) {
  for (const auto& [begin, found] : {std::pair(16777210.0f, 1u), std::pair(5.0f, 0u)}) {
    Device d;
    d.launch("counts_in_floats", {}, {64}, d.array(std::vector<float>{begin}));
    const Trace t = d.trace();
    const std::vector<Finding> all = stalled_sums(t, d.replayed(t));
    ASSERT_EQ(all.size(), found);
    if (found)
      EXPECT_THAT(all[0].message.english(),
                  HasSubstr("58 of 64 additions to sum[0] " + in_line("counts_in_floats")));
  }
  for (const auto& [kernel, found] : {std::pair("kahan", 0u), std::pair("neumaier", 0u),
                                      std::pair("two_sum", 0u), std::pair("adds_and_looks", 1u)}) {
    Device d;
    std::vector<float> in(60, 1.0f);
    in[0] = 16777216.0f;
    const uint64_t out = d.array(std::vector<float>{0});
    d.launch(kernel, {}, {1}, d.array(in), out, 60);
    const Trace t = d.trace();
    EXPECT_EQ(stalled_sums(t, d.replayed(t)).size(), found) << kernel;
    if (!found) EXPECT_GE(d.content<float>(out, 1)[0], 16777274.0f) << kernel;
  }
  for (const auto& [threads, found] : {std::pair(96u, 1u), std::pair(64u, 0u)}) {
    Device d;
    const uint64_t in = d.array(counted(96)), out = d.array(counted(1));
    d.launch("halves", {}, {threads}, in, out);
    const Trace t = d.trace();
    const std::vector<Finding> all = lost_inputs(t, d.replayed(t));
    ASSERT_EQ(all.size(), found);
    if (found) {
      EXPECT_THAT(all[0].message.english(), HasSubstr("32 of 96 cells of in"));
      EXPECT_EQ(all[0].line, line_named("halves"));
    }
  }
}

TEST(MachineFaults, LaunchesThatCannotBe) {
  Device d;
  const uint64_t data = d.array(counted(1));
  EXPECT_EQ(d.launch("increments", {}, {1025}, data).code, LaunchOutcome::bad_configuration);
  EXPECT_EQ(d.launch("increments", {0}, {1}, data).code, LaunchOutcome::bad_configuration);
  EXPECT_EQ(d.launch("increments", {1, 70000}, {1}, data).code, LaunchOutcome::bad_configuration);
  d.dynamic_shared = 1 << 20;
  EXPECT_THAT(d.launch("increments", {}, {1}, data).message.english(), HasSubstr("bytes of shared memory"));
}

TEST(MachineFaults, ReadsOfWhatNobodyWroteAreNoted) {
  Device d;
  const uint64_t in = d.machine.allocate(16, Placement::device), out = d.array(counted(4));
  EXPECT_EQ(d.launch("reads_unwritten", {}, {4}, in, out).code, LaunchOutcome::done);
  ASSERT_EQ(d.machine.unset_reads().size(), 1u);
  const KernelRemark& r = d.machine.unset_reads()[0];
  EXPECT_EQ(int(r.line), line_named("reads_unwritten"));
  EXPECT_THAT(r.message.english(), HasSubstr(" reads in[0] in line "));
}

// ---- several launches

TEST(MachineLaunches, WhatTheHostChangesBetweenThemIsToldOf) {
  Device d;
  const uint64_t data = d.array(counted(4));
  d.launch("increments", {}, {4}, data);
  const std::vector<int> zeros(4);
  d.machine.write(*d.machine.at(data).memory, 0, std::as_bytes(std::span(zeros)), "cudaMemcpy");
  d.launch("increments", {}, {4}, data);
  EXPECT_THAT(d.content<int>(data, 4), Each(1));
  const Trace t = d.trace();
  ASSERT_EQ(t.launches.size(), 3u);
  EXPECT_EQ(t.launches[1].name, "cudaMemcpy");
  EXPECT_EQ(t.launches[1].blocks[0].events.size(), 4u);
  d.replayed(t);
}

TEST(MachineLaunches, LaterOnesRunUnseen) {
  Limits few;
  few.shown_launches = 2;
  Device d(few);
  const uint64_t data = d.array(std::vector<int>(4));
  for (int k = 0; k < 5; ++k) d.launch("increments", {}, {4}, data);
  EXPECT_THAT(d.content<int>(data, 4), Each(5));
  const Trace t = d.trace();
  ASSERT_EQ(t.launches.size(), 3u);
  EXPECT_EQ(t.launches[2].name, "launches not shown");
  d.replayed(t);
  EXPECT_THAT(texts(d.machine.notes()),
              ElementsAre("3 launches of increments are not shown: the first 2 are."));
}

TEST(MachineLaunches, UnseenOnesMayRunInTheQuickOrder) {
  for (const bool in_lockstep : {true, false}) {
    Limits few;
    few.shown_launches = 1;
    few.unseen_alike = in_lockstep;
    Device d(few, {.kind = Schedule::lockstep});
    const uint64_t data = d.array(counted(4));
    d.launch("rotates", {}, {4}, data, 4);
    EXPECT_THAT(d.content<int>(data, 4), ElementsAre(2, 3, 4, 1));
    d.launch("rotates", {}, {4}, data, 4);
    EXPECT_THAT(d.content<int>(data, 4), ElementsAre(3, 4, 1, in_lockstep ? 2 : 3));
  }
}

TEST(MachineLaunches, WhatChangesNothingIsNotRunAgain) {
  Limits few;
  few.shown_launches = 1;
  Device d(few);
  const uint64_t in = d.array(counted(32)), sum = d.array(std::vector<int>{0});
  for (int k = 0; k < 5; ++k) d.launch("warp_sum", {}, {32}, in, sum);
  EXPECT_EQ(d.machine.launches()[1].shown, LaunchNote::too_many);
  EXPECT_EQ(d.machine.launches()[4].shown, LaunchNote::repeated);
  for (int k = 0; k < 3; ++k) d.launch("says", {}, {1}, 5);
  EXPECT_EQ(std::ranges::count(d.printed, '\n'), 3) << "what prints has an effect each time";
}

TEST(MachineLaunches, OfLongOnesOfOneBlockTheBeginningIsShown) {
  Limits few;
  few.launch_events = 400;
  Device d(few);
  const uint64_t data = d.array(std::vector<int>(4));
  d.launch("long_one", {}, {4}, data, 5);
  d.launch("long_one", {}, {4}, data, 100);
  EXPECT_THAT(d.content<int>(data, 4), Each(105));
  EXPECT_EQ(d.machine.launches()[1].shown, LaunchNote::in_part);
  EXPECT_TRUE(d.machine.findings().empty());
  const Trace t = d.trace();
  ASSERT_EQ(t.launches.size(), 3u);
  EXPECT_TRUE(t.findings.empty());
  for (int k = 0; k < 4; ++k) EXPECT_FALSE(t.launches[1].blocks.at(0).log(k).empty());
  EXPECT_EQ(t.launches[2].name, "steps not shown");
  d.replayed(t);
}

TEST(MachineLaunches, WhatTakesManyStepsIsShownInPart) {
  Limits few;
  few.launch_steps = 1000;  // with far fewer events
  Device d(few);
  std::vector<int> content = counted(800);
  const uint64_t data = d.array(content);
  d.launch("each_one", {100}, {8}, data, 1);
  for (int& v : content) v += 1;
  EXPECT_EQ(d.content<int>(data, content.size()), content);
  EXPECT_EQ(d.machine.launches().at(0).shown, LaunchNote::in_part);
  d.replayed(d.trace());
}

TEST(MachineLaunches, TheLastTraceIsAsAllOthers) {
  Device d;
  const uint64_t data = d.array(counted(8));
  for (int k = 0; k < 6; ++k) d.launch("each_one", {1}, {8}, data, 4);
  const Trace before = d.trace();
  EXPECT_EQ(
      d.machine.last_trace(before.kernel.substr(6), [&](const std::string&) { return before.sources[0]; }),
      before);
}

TEST(MachineLaunches, TheHostsMemoryIsNoReasonToShowLess) {
  Limits few;
  few.launch_events = 3000;
  Device d(few);
  d.machine.allocate(uint64_t(500) << 20, Placement::visible);
  const uint64_t data = d.array(counted(800));
  d.launch("each_one", {100}, {8}, data, 4);
  EXPECT_EQ(d.machine.launches().at(0).shown, LaunchNote::in_part);
}

TEST(MachineLaunches, OfALargeArrayTheFirstCellsAreShown) {
  Limits few;
  few.array_bytes = 100;  // 24 cells in whole requests of 16 bytes
  Device d(few);
  std::vector<int> content = counted(64);
  const uint64_t data = d.array(content);
  d.launch("each_one", {8}, {8}, data, 4);
  content.back() = 7;
  d.machine.write(*d.machine.at(data).memory, 0, std::as_bytes(std::span(content)), "cudaMemcpy");
  d.launch("each_one", {8}, {8}, data, 4);
  for (int& v : content) v += 4;
  EXPECT_EQ(d.content<int>(data, content.size()), content);
  EXPECT_THAT(texts(d.machine.notes()), Contains(HasSubstr("the first 24 of 64 cells are shown")));
  const Trace t = d.trace();
  ASSERT_EQ(t.launches.size(), 3u) << "with what the host changed";
  EXPECT_EQ(t.arrays[0].size, 24);
  EXPECT_EQ(t.arrays[0].whole, 64);
  EXPECT_EQ(t.launches[0].blocks.at(2).log(7).size(), t.launches[0].blocks[0].log(0).size());
  EXPECT_LT(t.launches[0].blocks.at(3).log(0).size(), t.launches[0].blocks[0].log(0).size());
  EXPECT_TRUE(d.replayed(t).faults.empty());
  EXPECT_TRUE(t.findings.empty());
}

TEST(MachineLaunches, AnArrayInPartThatBeginsAnewIsNamedOnce) {
  Limits few;
  few.array_bytes = uint64_t(6) << 20;
  Device d(few);
  std::vector<int> content = counted(2 << 20);
  const uint64_t data = d.array(content);
  for (int round = 0; round < 3; ++round) {
    d.launch("increments", {}, {4}, data);
    for (int& v : content) v += 100 + round;  // more cells than become events
    d.machine.write(*d.machine.at(data).memory, 0, std::as_bytes(std::span(content)), "cudaMemcpy");
  }
  d.launch("increments", {}, {4}, data);
  EXPECT_THAT(texts(d.machine.notes()), Contains(HasSubstr("Of data the first 1572864 of 2097152 cells")));
  const Trace t = d.trace();
  std::vector<std::string> names;
  for (const ArrayInfo& a : t.arrays) names.push_back(a.name);
  EXPECT_THAT(names, ElementsAre("data", "data_2", "data_3", "data_4"));
}

TEST(MachineLaunches, PointersIntoAnArrayAreKnownByTheirCell) {
  Device d;
  const uint64_t data = d.array(counted(16));
  d.launch("carved", {}, {4}, data, data + 4 * sizeof(int));
  d.launch("carved", {}, {4}, data, data + 4 * sizeof(int));
  EXPECT_THAT(d.machine.inner_pointers(), ElementsAre(InnerPointer{"carved", "flag", "data", 4}));
  d.launch("carved", {}, {4}, data, data + 8 * sizeof(int));
  EXPECT_THAT(d.machine.inner_pointers(), IsEmpty()) << "it points to several cells";
}

TEST(MachineLaunches, LongOnesOfManyBlocksAreShownInPart) {
  Limits few;
  few.launch_events = 3000;
  for (const Extent grid : {Extent{100}, Extent{10, 5, 2}, Extent{3, 40}}) {
    Device d(few);
    std::vector<int> content = counted(int(grid.count()) * 8);
    const uint64_t data = d.array(content);
    EXPECT_EQ(d.launch("each_one", grid, {8}, data, 4).message.english(), "");
    for (int& v : content) v += 4;
    EXPECT_EQ(d.content<int>(data, content.size()), content);
    EXPECT_EQ(d.machine.launches().at(0).shown, LaunchNote::in_part);
    EXPECT_THAT(texts(d.machine.notes()),
                ElementsAre(HasSubstr(" of " + std::to_string(grid.count()) + " blocks are shown")));
    const Trace t = d.trace();
    ASSERT_EQ(t.launches.size(), 2u);
    EXPECT_GT(t.launches[0].grid, 0);
    EXPECT_LT(t.launches[0].grid, int(grid.count()));
    EXPECT_EQ(t.launches[0].grid_extent->x, std::min<unsigned>(grid.x, unsigned(t.launches[0].grid)));
    EXPECT_EQ(t.launches[1].name, "blocks not shown");
    d.replayed(t);
  }
}

TEST(MachineLaunches, WhatGoesWrongBehindThePartIsTold) {
  Limits few;
  few.launch_events = 3000;
  Device d(few);
  const uint64_t data = d.array(std::vector<int>(99 * 8));  // one block too few
  EXPECT_THAT(d.launch("each_one", {100}, {8}, data, 4).message.english(), HasSubstr("data[792]"));
  ASSERT_FALSE(d.machine.findings().empty());
  EXPECT_THAT(d.machine.findings().front().text(), HasSubstr("data[792]"));
  d.trace();  // is valid
}

TEST(MachineLaunches, WhatGoesWrongUnseenIsShown) {
  Limits few;
  few.shown_launches = 1;
  Device d(few);
  const uint64_t data = d.array(counted(40));
  d.launch("outside", {}, {32}, data, 0);
  EXPECT_THAT(said_of(d, "outside", {32}, data, 10), HasSubstr("data[40]"));
  EXPECT_EQ(d.machine.launches()[1].shown, LaunchNote::in_full);
}

TEST(MachineMemory, VisibleMemoryIsTheHostsToo) {
  Device d;
  const uint64_t address = d.machine.allocate(16, Placement::visible);
  int* const data = reinterpret_cast<int*>(address);  // NOLINT(performance-no-int-to-ptr): a GPU's
  for (int k = 0; k < 4; ++k) data[k] = k;
  d.launch("increments", {}, {4}, address);
  EXPECT_EQ(data[3], 4);
  data[3] = 10;
  d.launch("increments", {}, {4}, address);
  EXPECT_EQ(data[3], 11);
  const Trace t = d.trace();
  ASSERT_EQ(t.launches.size(), 3u);
  EXPECT_EQ(t.launches[1].name, "host");
  EXPECT_TRUE(is_between_launches(t.launches[1]));
  for (const size_t kernel : {0, 2}) EXPECT_FALSE(is_between_launches(t.launches[kernel]));
  const DataflowGraph flow = d.replayed(t);
  const auto last_word = [&](int launch) {
    return sentence(why(t, flow, words(t, flow), flow.of_block(launch, 0).back(), {0, 3}));
  };
  EXPECT_THAT(last_word(1), testing::HasSubstr("[3] = 10, written between launches."));
  EXPECT_THAT(last_word(2), testing::StartsWith("Thread 3: "));
}

TEST(MachineMemory, HasItsLimits) {
  Limits few;
  few.memory = 1 << 20;
  Device d(few);
  EXPECT_EQ(d.machine.allocate(2 << 20, Placement::device), 0u);
  std::vector<uint64_t> taken;
  for (int k = 0; k < 3000; ++k) {  // more than there are large zones, and some come back
    taken.push_back(d.machine.allocate(64, Placement::device));
    ASSERT_NE(taken.back(), 0u);
    if (k % 3 == 0) d.machine.free(taken[size_t(k) / 2]);
  }
  const Machine::MemoryLocation p = d.machine.at(taken.back() + 8);
  EXPECT_EQ(facts_of(*p.memory).address, taken.back());
  EXPECT_EQ(p.offset, 8);
  EXPECT_EQ(d.machine.free(taken.back() + 8), Machine::Freed::not_a_beginning);
  EXPECT_EQ(d.machine.free(12345), Machine::Freed::unknown);
}

TEST(MachineMemory, MoreArraysThanATraceHolds) {
  Device d;
  for (int k = 0; k < 140; ++k) d.launch("increments", {}, {2}, d.array(counted(2)));
  d.replayed(d.trace());
}

TEST(MachineModules, LiveSideBySide) {
  Device d;
  const int second = d.machine.load(device_code(), {});
  ASSERT_EQ(second, 1);
  Memory *a = d.machine.variable(0, "counter"), *b = d.machine.variable(1, "counter");
  ASSERT_NE(facts_of(*a).address, facts_of(*b).address);
  const uint64_t in = d.array(std::vector<float>{1, 10, 100}), out = d.array(std::vector<float>(4));
  Given g{1, 1.0f};
  uint64_t pointers[] = {in, out};
  void* arguments[] = {&pointers[0], &pointers[1], &g};
  LaunchRequest r;
  r.arguments = arguments;
  r.kernel = d.machine.kernel(1, d.kernel("functions")->name);
  ASSERT_NE(r.kernel, nullptr);
  EXPECT_EQ(d.machine.launch(r).message.english(), "");
  EXPECT_EQ(d.content<float>(out, 2)[1], 1 + 20 + 400 + 20);
  int first = 0;
  std::memcpy(&first, d.machine.read(*a, 0, 4).data(), 4);
  EXPECT_EQ(first, 40) << "the other module's variable is its own";
}

}  // namespace
}  // namespace bscope::cuda
