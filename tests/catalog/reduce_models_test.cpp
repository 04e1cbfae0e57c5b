// Every reduction against a model of its algorithm, written from the definition: what each cell holds after
// each barrier, as a sum of inputs.
#include <gmock/gmock.h>

#include <bit>
#include <cmath>

#include "engine/analysis/proof.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/work.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/error.hpp"
#include "tests/catalog/blocks.hpp"

namespace bscope::test {
namespace {

using testing::HasSubstr;
using SumCells = std::vector<int32_t>;
using Settings = std::vector<std::pair<std::string, std::string>>;

std::vector<double> random_numbers(int n, uint32_t seed) {
  std::vector<double> v;
  for (int k = 0; k < n; ++k) {
    seed = seed * 1664525u + 1013904223u;
    v.push_back(double(int(seed >> 9) % 201 - 100));
  }
  return v;
}
Problem problem(const std::string& kernel, int n, int block, const Settings& set = {}) {
  RunSpec r;
  r.values = random_numbers(n, uint32_t(n * 31 + block));
  r.block = block;
  r.set = set;
  return make_problem(find(kernel), r);
}

// --- the models

/// Adds up x[k] for each k of the tile that begins at `first` and lies `from`, `from` + step, ... into it.
int32_t sum(const SumCells& x, int first, int tile, int from, int step) {
  uint32_t s = 0;
  for (int k = from; k < tile && first + k < int(x.size()); k += step) s += uint32_t(x[size_t(first + k)]);
  return int32_t(s);
}
/// What one launch must do to one block: the array it works in after each barrier and at the end.
struct Model {
  int items = 1;  ///< elements a thread
  int power = 1;  ///< that each element is raised to in the first launch
  std::function<std::vector<SumCells>(const SumCells& x, int first, int block)> states;
};

/// The tile as it was loaded, and again after thread 0 has added it up.
Model serial_in_block() {
  return {1, 1, [](const SumCells& x, int first, int block) {
            SumCells s;
            for (int i = 0; i < block; ++i) s.push_back(sum(x, first, block, i, block));
            return std::vector<SumCells>{s, s};
          }};
}
/// After step j cell i holds x[i] + ... of the largest run of 2^k <= 2^j elements that begins at a multiple
/// of its own length.
Model tree_mask(int power) {
  return {1, power, [](const SumCells& x, int first, int block) {
            std::vector<SumCells> all;
            for (int reach = 1; reach <= block; reach *= 2) {
              SumCells s;
              for (int i = 0; i < block; ++i) {
                const int own = i == 0 ? reach : std::min(reach, i & -i);
                s.push_back(sum(x, first + i, own, 0, 1));
              }
              all.push_back(s);
            }
            return all;
          }};
}
/// After the step of that stride cell i holds every element of the tile whose number leaves the rest i when
/// divided by the stride, or by the last stride greater than i. With `last`, the strides go down to that
/// only. `missing`: the array's own cells, of which the last tile may have fewer; else all of the block's.
Model halves(int unroll, int last, bool in_place = false) {
  return {unroll, 1, [=](const SumCells& x, int first, int block) {
            std::vector<SumCells> all;
            const int tile = block * unroll;
            for (int stride = block;; stride /= 2) {
              SumCells s;
              for (int i = 0; i < (in_place ? std::min(tile, int(x.size()) - first) : block); ++i) {
                const int modulus = std::max(stride, int(std::bit_ceil(unsigned(i) + 1)));
                s.push_back(i < block ? sum(x, first, tile, i, modulus) : x[size_t(first + i)]);
              }
              all.push_back(s);
              if (stride == 1 || stride / 2 < last) return all;
            }
          }};
}

SumCells input_of(const Problem& p) { return {p.data.begin(), p.data.end()}; }
SumCells cells(const std::byte* at, size_t count) {
  SumCells s(count);
  std::memcpy(s.data(), at, count * 4);
  return s;
}
/// The array of global memory that a block works in, its own tile of it, after each interval.
std::vector<SumCells> tiles_of(const DataflowGraph& f, int launch, int block, int array, SumCells x,
                               int first, int tile) {
  std::vector<SumCells> all;
  for (const Interval& v : f.of_block(launch, block)) {
    for (int k : v.nodes)
      if (const Node& n = f.nodes[size_t(k)]; writes(n.op) && n.place.array == array) {
        EXPECT_GE(n.place.index, first);
        EXPECT_LT(n.place.index, first + tile) << "block " << block << " writes to another's tile";
        x[size_t(n.place.index)] = int32_t(uint32_t(n.bits));
      }
    all.push_back({x.begin() + first, x.begin() + std::min(first + tile, int(x.size()))});
  }
  return all;
}

/// Runs the kernel and holds each launch against the model, whose input is the output of the launch before.
void compare(const std::string& kernel, const Problem& p, const Model& model, bool in_place = false) {
  const Trace t = run(find(kernel), p, Device::cpu);
  const DataflowGraph f = replay_trace(t);
  ASSERT_TRUE(f.snapshots_match && f.faults.empty() && t.findings.empty());
  SumCells x = input_of(p);
  int block = p.block;
  for (size_t l = 0; l < t.launches.size(); ++l) {
    const Launch& launch = t.launches[l];
    const int tile = block * model.items, tiles = (int(x.size()) + tile - 1) / tile;
    ASSERT_EQ(launch.grid, tiles);
    ASSERT_EQ(launch.block, block);
    if (l == 0)
      for (auto& v : x) v = model.power == 1 ? v : model.power == 2 ? v * v : v * v * v;
    SumCells sums;
    for (int b = 0; b < tiles; ++b) {
      const auto want = model.states(x, b * tile, block);
      std::vector<SumCells> got;
      if (in_place) {
        got = tiles_of(f, int(l), b, int(l), x, b * tile, tile);
      } else {
        const auto& bytes = launch.blocks[size_t(b)].snapshots;
        for (size_t at = 0; at < bytes.size(); at += launch.shared_bytes)
          got.push_back(cells(bytes.data() + at, size_t(launch.shared[0].size)));
      }
      ASSERT_EQ(got, want) << "launch " << l << " block " << b;
      sums.push_back(sum(x, b * tile, tile, 0, 1));
    }
    x = sums;
    const auto& after = launch.after[l + 1];
    ASSERT_EQ(cells(after.data(), x.size()), x) << "the sums of launch " << l;
    if (tile == 1) block *= 2;
  }
  ASSERT_EQ(x.size(), 1u) << "the last launch has one block";
}

const auto lengths = [](int tile) {
  return std::vector<int>{1, tile, tile + 1, 2 * tile - 1, 3 * tile + tile / 2};
};

TEST(ReduceModels, SerialInBlock) {
  for (int block : blocks_to_try(find("reduce/serial-in-block")))
    for (int n : {1, block + 1, 3 * block - 1}) {
      SCOPED_TRACE("block " + std::to_string(block) + " n " + std::to_string(n));
      compare("reduce/serial-in-block", problem("reduce/serial-in-block", n, block), serial_in_block());
      if (HasFatalFailure()) return;
    }
}
TEST(ReduceModels, TreeMask) {
  const char* of[] = {"sum", "squares", "cubes"};
  for (int power : {1, 2, 3})
    for (int block : blocks_to_try(find("reduce/tree-mask")))
      for (int n : lengths(block)) {
        SCOPED_TRACE("block " + std::to_string(block) + " n " + std::to_string(n) + " of " + of[power - 1]);
        const Problem p = problem("reduce/tree-mask", n, block, {{"of", of[power - 1]}});
        compare("reduce/tree-mask", p, tree_mask(power));
        if (HasFatalFailure()) return;
      }
}
TEST(ReduceModels, Shared) {
  for (int unroll : {1, 2, 4, 8})
    for (int block : blocks_to_try(find("reduce/shared")))
      for (int n : lengths(block * unroll)) {
        SCOPED_TRACE("block " + std::to_string(block) + " n " + std::to_string(n));
        const Problem p = problem("reduce/shared", n, block, {{"unroll", std::to_string(unroll)}});
        compare("reduce/shared", p, halves(unroll, 1));
        if (HasFatalFailure()) return;
      }
}
TEST(ReduceModels, InterleavedGlobal) {
  for (int unroll : {1, 2, 4, 8})
    for (int block : blocks_to_try(find("reduce/interleaved-global")))
      for (int n : lengths(block * unroll)) {
        SCOPED_TRACE("block " + std::to_string(block) + " unroll " + std::to_string(unroll) + " n " +
                     std::to_string(n));
        const Problem p =
            problem("reduce/interleaved-global", n, block, {{"unroll", std::to_string(unroll)}});
        compare("reduce/interleaved-global", p, halves(unroll, 1, true), true);
        if (HasFatalFailure()) return;
      }
}
TEST(ReduceModels, WarpShuffle) {
  for (int block : blocks_to_try(find("reduce/warp-shuffle")))
    for (int n : lengths(block)) {
      SCOPED_TRACE("block " + std::to_string(block) + " n " + std::to_string(n));
      compare("reduce/warp-shuffle", problem("reduce/warp-shuffle", n, block), halves(1, 32));
      if (HasFatalFailure()) return;
    }
}
TEST(WarpShuffle, HasNoBarrierInItsLastFiveSteps) {
  for (int block : blocks_to_try(find("reduce/warp-shuffle"))) {
    const Report r = [&] {
      static Trace t;
      t = run(find("reduce/warp-shuffle"), problem("reduce/warp-shuffle", block, block), Device::cpu);
      return analyse(t);
    }();
    EXPECT_EQ(r.barriers, std::max(0, int(std::log2(block)) - 5));
    EXPECT_EQ(r.span(), int(std::log2(block)));
  }
}

/// Which thread of the grid takes element e: whole vectors in turn, then what is left of less than a vector.
int taker(int e, int n, int width, int threads) {
  const int whole = n / width * width;
  return (e < whole ? e / width : e - whole) % threads;
}
TEST(ReduceModels, GridStride) {
  const Algorithm& a = find("reduce/grid-stride");
  for (const char* type : {"int32", "double"})
    for (int most : {1, 3, 1056})
      for (int block : blocks_to_try(a))
        for (int n : {1, 3, 4 * block, 4 * block + 1, 11 * block + 2, 29 * block + 3}) {
          SCOPED_TRACE("block " + std::to_string(block) + " n " + std::to_string(n) + " blocks " +
                       std::to_string(most) + " " + type);
          const Problem p = problem(a.name, n, block, {{"blocks", std::to_string(most)}, {"type", type}});
          const Trace t = run(a, p, Device::cpu);
          ASSERT_TRUE(t.findings.empty());
          const int width = type == std::string("double") ? 2 : 4,
                    grid = std::min(most, (n + 4 * block - 1) / (4 * block));
          ASSERT_EQ(t.launches.size(), grid == 1 ? 1u : 2u);
          std::vector<double> x = p.data;
          for (const Launch& l : t.launches) {
            ASSERT_EQ(l.grid, &l == &t.launches[0] ? grid : 1);
            const int warps = (block + 31) / 32, threads = l.grid * block;
            std::vector<double> want(size_t(l.grid * warps)), sums(size_t(l.grid));
            for (int e = 0; e < int(x.size()); ++e) {
              const int thread = taker(e, int(x.size()), width, threads);
              want[size_t(thread / block * warps + thread % block / 32)] += x[size_t(e)];
              sums[size_t(thread / block)] += x[size_t(e)];
            }
            for (int b = 0; b < l.grid; ++b) {
              const auto& bytes = l.blocks[size_t(b)].snapshots;
              ASSERT_EQ(bytes.size(), 2 * l.shared_bytes) << "one barrier";
              for (size_t at = 0; at < bytes.size(); at += l.shared_bytes)
                for (int w = 0; w < warps; ++w) {
                  const ElementType kind = l.shared[0].kind;
                  ASSERT_EQ(number(kind, bytes.data() + at + size_t(w * bytes_of(kind))),
                            want[size_t(b * warps + w)])
                      << "block " << b << " warp " << w;
                }
            }
            x = sums;
          }
        }
}

// --- what is counted, and what is proved

struct Ladder {
  const char* kernel;
  std::vector<const char*> orders;  ///< operators for which the proof needs no more than associativity
  std::vector<const char*> others;  ///< that must commute
};
const std::vector<Ladder> series{{"reduce/serial-in-block", {"add", "min", "max", "affine"}, {}},
                                 {"reduce/tree-mask", {"add", "min", "max", "affine"}, {}},
                                 {"reduce/interleaved-global", {}, {"add", "min", "max"}},
                                 {"reduce/shared", {}, {"add", "min", "max"}},
                                 {"reduce/warp-shuffle", {}, {"add", "min", "max"}},
                                 {"reduce/grid-stride", {}, {"add", "min", "max"}}};

TEST(ReduceCounts, AreTheTextbooksOnEveryPowerOfTwo) {
  for (const Ladder& variant : series)
    for (int block = 1; block <= 1024; block *= 2) {
      const Algorithm& a = find(variant.kernel);
      const Problem p = problem(variant.kernel, block, block);
      const Trace t = run(a, p, Device::cpu);
      const Report r = analyse(t);
      SCOPED_TRACE(a.name + " block " + std::to_string(block));
      ASSERT_EQ(t.formulas.size(), 2u);
      EXPECT_EQ(double(r.work().adds), t.formulas[0].value);
      EXPECT_EQ(double(r.span()), t.formulas[1].value);
      const std::string name = a.name;
      if (name != "reduce/warp-shuffle" && name != "reduce/grid-stride") {
        EXPECT_EQ(r.work().adds, block - 1);
      }
    }
}
TEST(ReduceCounts, AreTheTextbooksOnWholeTilesOfEveryUnroll) {
  for (const char* kernel : {"reduce/interleaved-global", "reduce/shared"})
    for (int unroll : {1, 2, 4, 8})
      for (int block = 2; block <= 512; block *= 4) {
        const Problem p = problem(kernel, block * unroll, block, {{"unroll", std::to_string(unroll)}});
        const Trace t = run(find(kernel), p, Device::cpu);
        const Report r = analyse(t);
        EXPECT_EQ(r.work().adds, block * unroll - 1);
        EXPECT_EQ(r.span(), unroll - 1 + int(std::log2(block)));
        EXPECT_EQ(t.formulas[0].value, double(r.work().adds));
        EXPECT_EQ(t.formulas[1].value, double(r.span()));
      }
}
TEST(ReduceCounts, InPlaceNothingIsPadded) {
  for (int n : {2, 31, 1000, 4097}) {
    const Trace t = run(find("reduce/interleaved-global"),
                        problem("reduce/interleaved-global", n, 32, {{"unroll", "4"}}), Device::cpu);
    EXPECT_EQ(analyse(t).work().adds, n - 1) << n;
  }
}

TEST(ReduceProofs, HoldForTheOperatorsThatTheyAreRightFor) {
  for (const Ladder& variant : series)
    for (int block : {1, 2, 8, 64})
      for (int n : {1, 2, 37, 128, 300}) {
        auto check = [&](const char* op, const char* need) {
          SCOPED_TRACE(std::string(variant.kernel) + " " + op + " n " + std::to_string(n) + " block " +
                       std::to_string(block));
          const Trace t =
              run(find(variant.kernel), problem(variant.kernel, n, block, {{"operator", op}}), Device::cpu);
          const Report r = analyse(t);
          EXPECT_TRUE(r.correct);
          EXPECT_TRUE(r.proof().holds) << r.proof().message.english();
          // Blocks of one or two threads, and two elements, keep the order by themselves.
          if (block >= 8 && n > 2) { EXPECT_EQ(r.proof().operators, need); }
        };
        for (const char* op : variant.orders) check(op, "associative");
        for (const char* op : variant.others) check(op, "commutative");
      }
}
TEST(ReduceProofs, MapsAreRefusedWhereTheOrderIsLost) {
  for (const Ladder& variant : series) {
    if (variant.others.empty()) continue;
    try {
      problem(variant.kernel, 4, 2, {{"operator", "affine"}});
      ADD_FAILURE() << variant.kernel << " accepts maps";
    } catch (const UsageError& e) {
      EXPECT_THAT(e.what(), HasSubstr("operator=affine is not for this algorithm: "));
    }
  }
}
TEST(ReduceProofs, PowersAreProvedAndOnlyAdded) {
  for (const char* of : {"squares", "cubes"}) {
    const Trace t =
        run(find("reduce/tree-mask"), problem("reduce/tree-mask", 100, 16, {{"of", of}}), Device::cpu);
    const Report r = analyse(t);
    EXPECT_TRUE(r.correct && r.proof().holds) << r.proof().message.english();
    const Problem p = problem("reduce/tree-mask", 4, 4, {{"of", of}, {"operator", "max"}});
    try {
      run(find("reduce/tree-mask"), p, Device::cpu);
      ADD_FAILURE() << "the largest of " << of << " is accepted";
    } catch (const UsageError& e) { EXPECT_THAT(e.what(), HasSubstr("leave out --set operator=max")); }
  }
}

TEST(GridStride, LoadsVectorsAndGoesRoundTheLoop) {
  RunSpec r;
  r.preset = "two-blocks";
  const Algorithm& a = find("reduce/grid-stride");
  const Trace t = run(a, make_problem(a, r), Device::cpu);
  const DataflowGraph f = replay_trace(t);
  // 16 whole vectors for 8 threads in the first launch; the two sums are fewer than a vector.
  EXPECT_EQ(f.vectors.size(), 16u);
  for (const auto& [node, count] : f.vectors) EXPECT_EQ(count, 4);
  EXPECT_EQ(t.launches.size(), 2u);
}

}  // namespace
}  // namespace bscope::test
