// Every scan against models of its own: shared memory after each interval of each block as the algorithm's
// definition has it, in closed form (which inputs a cell holds), and results as the standard library has
// them.
#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <numeric>
#include <random>

#include "engine/analysis/proof.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/element.hpp"
#include "engine/simt/problem.hpp"
#include "tests/catalog/blocks.hpp"

namespace bscope::test {
namespace {

using ::testing::HasSubstr;

Problem scan_problem(const std::string& kernel, int n, int block,
                     std::vector<std::pair<std::string, std::string>> set = {}, uint32_t seed = 1) {
  std::mt19937 random(seed + uint32_t(n) * 31 + uint32_t(block));
  RunSpec r;
  r.values.emplace();
  for (int k = 0; k < n; ++k) r.values->push_back(int(random() % 2001) - 1000);
  if (block) r.block = block;
  r.set = std::move(set);
  return make_problem(find(kernel), r);
}
Trace traced(const Problem& p, const std::string& kernel, Schedule::Policy kind = Schedule::to_barrier,
             uint32_t seed = 1) {
  Schedule s;
  s.kind = kind;
  s.seed = seed;
  return run(find(kernel), p, Device::cpu, s);
}
template <class T>
std::vector<T> cells_of(const std::vector<std::byte>& bytes, size_t from, size_t count) {
  std::vector<T> all(count);
  std::memcpy(all.data(), bytes.data() + from, count * sizeof(T));
  return all;
}
template <class T>
std::vector<T> cells_of(const std::vector<std::byte>& bytes) {
  return cells_of<T>(bytes, 0, bytes.size() / sizeof(T));
}
std::vector<int> scanned(const Trace& t) { return cells_of<int>(t.launches.back().after[size_t(t.output)]); }

/// The scan by the standard library.
std::vector<int> by_the_standard(const Problem& p) {
  const std::vector<int> x = p.values<int>();
  std::vector<int> y(x.size());
  if (p.text("scan") == "inclusive")
    std::inclusive_scan(x.begin(), x.end(), y.begin());
  else
    std::exclusive_scan(x.begin(), x.end(), y.begin(), 0);
  return y;
}

// --- the models
// ---------------------------------------------------------------------------------------------

/// The sums of a tile's inputs, padded with the identity.
template <class T>
class Sums {
 public:
  explicit Sums(std::vector<T> x) : x_(std::move(x)) {
    T sum = identity<T>();
    for (T v : x_) before_.push_back(sum), sum = sum + v;
    before_.push_back(sum);
  }
  int n() const { return int(x_.size()); }
  /// x[first] + ... + x[end-1]; cells before the tile count as the identity.
  T of(int first, int end) const {
    first = std::max(first, 0);
    if (first == 0) return before_[size_t(end)];
    if constexpr (std::is_same_v<T, int>) return before_[size_t(end)] - before_[size_t(first)];
    T sum = identity<T>();
    for (int k = first; k < end; ++k) sum = sum + x_[size_t(k)];
    return sum;
  }
  /// The `count` inputs up to and with i.
  T window(int i, int count) const { return of(i + 1 - count, i + 1); }

 private:
  std::vector<T> x_, before_;
};
template <class T>
using ScanCells = std::vector<T>;
template <class T>
using ScanStates = std::vector<ScanCells<T>>;

/// What f says of each of n cells.
template <class T, class F>
ScanCells<T> each(int n, F f) {
  ScanCells<T> s;
  for (int i = 0; i < n; ++i) s.push_back(f(i));
  return s;
}
int steps(int n) { return std::bit_width(unsigned(n - 1)); }  // ceil(log2 n)
/// The largest power of two that divides i + 1.
int node(int i) { return 1 << std::countr_zero(unsigned(i + 1)); }

/// After step j a cell holds 2^j inputs. The even steps are in the first buffer, the odd ones in the second.
template <class T>
ScanStates<T> hillis_steele(const Sums<T>& x, bool inclusive) {
  const int n = x.n();
  ScanCells<T> buffers(size_t(2 * n), T{});
  if constexpr (!std::is_arithmetic_v<T>) std::memset(buffers.data(), 0, buffers.size() * sizeof(T));
  ScanStates<T> all;
  for (int j = 0; j <= steps(n); ++j) {
    for (int i = 0; i < n; ++i) buffers[size_t(j % 2 * n + i)] = x.window(i, 1 << j);
    all.push_back(buffers);
  }
  if (!inclusive) all.push_back(buffers);
  return all;
}
/// The same in one buffer; in every other interval all read and none writes.
template <class T>
ScanStates<T> kogge_stone(const Sums<T>& x, bool inclusive) {
  ScanStates<T> all;
  for (int j = 0; j <= steps(x.n()); ++j) {
    all.push_back(each<T>(x.n(), [&](int i) { return x.window(i, 1 << j); }));
    if (j < steps(x.n()) || !inclusive) all.push_back(all.back());
  }
  return all;
}
/// Upwards: after the step by s a cell is the sum of a subtree of up to 2s inputs.
template <class T>
ScanCells<T> tree(const Sums<T>& x, int s) {
  return each<T>(x.n(), [&](int i) { return x.window(i, std::min(node(i), 2 * s)); });
}
/// Downwards every s-th cell holds all that is before and in it.
template <class T>
ScanStates<T> brent_kung(const Sums<T>& x, bool) {
  const int n = x.n(), top = 1 << steps(n);
  ScanStates<T> all{each<T>(n, [&](int i) { return x.window(i, 1); })};
  for (int s = 1; s < n; s *= 2) all.push_back(tree(x, s));
  for (int s = top / 4; s > 0; s /= 2)
    all.push_back(each<T>(n, [&](int i) { return node(i) >= s ? x.of(0, i + 1) : x.window(i, node(i)); }));
  all.push_back(all.back());  // the store
  return all;
}
template <class T>
ScanStates<T> three_phase(const Sums<T>& x, int items) {
  const int n = x.n(), threads = n / items;
  auto section = [&](int i) { return x.of(i / items * items, i + 1); };
  auto is_last = [&](int i) { return i % items == items - 1; };
  ScanStates<T> all{each<T>(n, [&](int i) { return x.window(i, 1); }), each<T>(n, section)};
  for (int j = 1; j <= steps(threads); ++j) {
    all.push_back(all.back());  // all read
    all.push_back(each<T>(n, [&](int i) { return is_last(i) ? x.window(i, items << j) : section(i); }));
  }
  all.push_back(each<T>(n, [&](int i) { return x.of(0, i + 1); }));
  all.push_back(all.back());
  return all;
}
/// Downwards the last cell of each subtree of s inputs holds what is before the subtree.
template <class T>
ScanStates<T> blelloch(const Sums<T>& x, bool) {
  const int n = x.n();
  ScanStates<T> all{each<T>(n, [&](int i) { return x.window(i, 1); })};
  for (int s = 1; s < n; s *= 2) all.push_back(tree(x, s));
  for (int s = n; s > 0; s /= 2)  // the first is the clear: nothing is before the whole
    all.push_back(
        each<T>(n, [&](int i) { return node(i) >= s ? x.of(0, i + 1 - s) : x.window(i, node(i)); }));
  all.push_back(all.back());
  return all;
}
template <class T>
ScanStates<T> blelloch_padded(const Sums<T>& x, bool inclusive) {
  ScanStates<T> all;
  for (const ScanCells<T>& s : blelloch(x, inclusive)) {
    ScanCells<T>& with_gaps = all.emplace_back(s.size() + s.size() / 32);
    std::memset(with_gaps.data(), 0, with_gaps.size() * sizeof(T));
    for (size_t k = 0; k < s.size(); ++k) with_gaps[k + k / 32] = s[k];
  }
  return all;
}

// --- held against the kernels
// ---------------------------------------------------------------------------------

struct Scan {
  std::string name;
  int tile;  ///< elements for each thread
  std::vector<std::pair<std::string, std::string>> set;
};
std::ostream& operator<<(std::ostream& out, const Scan& s) { return out << s.name; }

template <class T>
ScanStates<T> model(const Scan& scan, const Sums<T>& x, bool inclusive) {
  if (scan.name == "hillis-steele") return hillis_steele(x, inclusive);
  if (scan.name == "kogge-stone") return kogge_stone(x, inclusive);
  if (scan.name == "brent-kung") return brent_kung(x, inclusive);
  if (scan.name == "three-phase") return three_phase(x, scan.tile);
  if (scan.name == "blelloch") return blelloch(x, inclusive);
  return blelloch_padded(x, inclusive);
}

/// Bits, so that affine maps compare too.
template <class T>
std::vector<uint32_t> bits(const ScanCells<T>& s) {
  std::vector<uint32_t> all(s.size());
  std::memcpy(all.data(), s.data(), s.size() * sizeof(T));
  return all;
}

/// Every scan launch of the run: each block's shared memory after each interval, the totals that it leaves,
/// and the scanned tile.
template <class T>
void hold_against_model(const Scan& scan, const Trace& t, bool inclusive, int block) {
  static_assert(sizeof(T) == 4);
  int level = 0;
  for (size_t l = 0; l < t.launches.size(); ++l) {
    const Launch& launch = t.launches[l];
    if (!launch.name.starts_with("scan")) continue;
    const size_t scanned = size_t(level), totals = size_t(level + 1);  // ids of arrays, in order of creation
    const auto input = cells_of<T>(l ? t.launches[l - 1].after[scanned] : t.arrays[0].initial);
    const auto result = cells_of<T>(launch.after[scanned]), sums = cells_of<T>(launch.after[totals]);
    ASSERT_EQ(launch.block, block);
    const int n = block * scan.tile;
    for (int b = 0; b < launch.grid; ++b) {
      std::vector<T> tile(size_t(n), identity<T>());
      const int first = b * n, count = std::min(n, int(input.size()) - first);
      std::copy_n(input.begin() + first, count, tile.begin());
      const Sums<T> x(tile);
      const ScanStates<T> want = model(scan, x, inclusive);
      const auto& real = launch.blocks[size_t(b)].snapshots;
      ASSERT_EQ(real.size(), want.size() * launch.shared_bytes) << "another number of intervals";
      for (size_t k = 0; k < want.size(); ++k)
        ASSERT_EQ(bits(cells_of<T>(real, k * launch.shared_bytes, want[k].size())), bits(want[k]))
            << "launch " << l << " block " << b << " interval " << k;
      EXPECT_EQ(bits<T>({sums[size_t(b)]}), bits<T>({x.of(0, n)}));
      for (int k = 0; k < count; ++k)
        ASSERT_EQ(bits<T>({result[size_t(first + k)]}), bits<T>({x.of(0, inclusive ? k + 1 : k)}));
    }
    ++level;
  }
  EXPECT_GE(level, 1);
}

class TileScan : public testing::TestWithParam<Scan> {};
INSTANTIATE_TEST_SUITE_P(Catalog, TileScan,
                         testing::Values(Scan{"hillis-steele", 1, {}}, Scan{"kogge-stone", 1, {}},
                                         Scan{"brent-kung", 2, {}}, Scan{"three-phase", 4, {}},
                                         Scan{"three-phase", 1, {{"items", "1"}}},
                                         Scan{"three-phase", 7, {{"items", "7"}}}, Scan{"blelloch", 2, {}},
                                         Scan{"blelloch-padded", 2, {}}),
                         [](const auto& p) {
                           std::string name = p.param.name + "_" + std::to_string(p.param.tile);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(TileScan, GoesThroughTheStatesOfItsModelInEveryLegalBlock) {
  const std::string kernel = "scan/" + GetParam().name;
  for (const char* kind : {"inclusive", "exclusive"})
    for (int block : blocks_to_try(find(kernel))) {
      // One length of section in every block, the others in some.
      if (kernel == "scan/three-phase" && GetParam().tile != 4 && block % 13 != 1) continue;
      if (block * GetParam().tile == 1) continue;  // tiles of one: the next level takes another block
      auto set = GetParam().set;
      set.emplace_back("scan", kind);
      const int tile = block * GetParam().tile,
                n = tile + 1 + tile / 3 * (block % 3);  // the rest is short, or empty
      const Problem p = scan_problem(kernel, block % 5 ? n : tile, block, set);
      SCOPED_TRACE(kernel + " " + kind + " block " + std::to_string(block));
      const Trace t = traced(p, kernel);
      hold_against_model<int>(GetParam(), t, kind == std::string("inclusive"), block);
      EXPECT_EQ(scanned(t), by_the_standard(p));
      if (HasFatalFailure()) return;
    }
}

TEST_P(TileScan, GoesThroughThemWithMapsThatDoNotCommuteToo) {
  const std::string kernel = "scan/" + GetParam().name;
  for (const char* kind : {"inclusive", "exclusive"})
    for (int block : {2, 3, 4, 8, 32, 37, 64}) {
      if (find(kernel).power_of_two_block && !std::has_single_bit(unsigned(block))) continue;
      auto set = GetParam().set;
      set.emplace_back("scan", kind);
      set.emplace_back("operator", "affine");
      const int tile = block * GetParam().tile;
      for (int n : {1, tile - 1, tile, 3 * tile - 2, block < 5 ? tile * tile + 1 : tile + 1}) {
        const Trace t = traced(scan_problem(kernel, n, block, set), kernel);
        SCOPED_TRACE(kernel + " " + kind + " block " + std::to_string(block) + " n " + std::to_string(n));
        hold_against_model<Affine>(GetParam(), t, kind == std::string("inclusive"), block);
        if (HasFatalFailure()) return;
        const Report r = analyse(t);
        EXPECT_TRUE(r.correct);
        EXPECT_EQ(r.flow.hazards_found, 0u);
        EXPECT_EQ(r.proof().operators, "associative") << r.proof().message.english();
      }
    }
}

long adds(const Trace& t) {
  long n = 0;
  for (const Launch& l : t.launches)
    for (const BlockRun& b : l.blocks)
      for (const Event& e : b.events) n += e.op == Op::add;
  return n;
}

TEST(Scans, AddAsOftenAsTheTextbooksSay) {
  for (int log = 0; log <= 10; ++log)
    for (const char* kind : {"inclusive", "exclusive"}) {
      const int n = 1 << log;
      auto counted = [&](const char* name, int per_thread) {
        const std::string kernel = std::string("scan/") + name;
        const Trace t = traced(scan_problem(kernel, n, n / per_thread, {{"scan", kind}}), kernel);
        EXPECT_EQ(t.launches.size(), 1u);
        EXPECT_EQ(double(adds(t)), t.formulas.at(0).value) << kernel << " " << kind << " n " << n;
        EXPECT_EQ(t.formulas[0].of, "adds");
        EXPECT_EQ(double(analyse(t).span()), t.formulas.at(1).value) << kernel << " " << kind << " n " << n;
        return adds(t);
      };
      EXPECT_EQ(counted("hillis-steele", 1), n * log - (n - 1));
      EXPECT_EQ(counted("kogge-stone", 1), n * log - (n - 1));
      if (log == 0) continue;
      EXPECT_EQ(counted("brent-kung", 2), 2 * n - 2 - log);
      const int to_own = kind == std::string("inclusive") ? n : 0;  // Blelloch's scan is exclusive
      EXPECT_EQ(counted("blelloch", 2), 2 * (n - 1) + to_own);
      EXPECT_EQ(counted("blelloch-padded", 2), 2 * (n - 1) + to_own);
    }
}

TEST(Scans, InThreePhasesStayWithinTheTextbooksBound) {
  for (int items : {1, 2, 3, 8, 48})
    for (int threads : {1, 2, 4, 32, 64}) {
      const int n = items * threads, log = std::countr_zero(unsigned(threads));
      if (n == 1) continue;
      const Trace t = traced(scan_problem("scan/three-phase", n, threads, {{"items", std::to_string(items)}}),
                             "scan/three-phase");
      ASSERT_EQ(t.launches.size(), 1u);
      EXPECT_EQ(adds(t), n - threads + threads * log - (threads - 1) + (threads - 1) * (items - 1));
      EXPECT_EQ(t.formulas.at(0).value, n - 1 + threads * log + n - threads);
      EXPECT_LE(double(adds(t)), t.formulas.at(0).value);
    }
}

/// For int32 and one tile of 1024 elements by 512 threads; hardware counters gave 988 / 606 without padding.
TEST(Scans, PaddingEndsTheBankConflicts) {
  auto wavefronts = [](const char* kernel) {
    const Trace t = traced(scan_problem(kernel, 1024, 512), kernel);
    return total(requests(t, replay_trace(t)));
  };
  const RequestTotals plain = wavefronts("scan/blelloch"), padded = wavefronts("scan/blelloch-padded");
  EXPECT_EQ(plain.shared_load_wavefronts, 988);
  EXPECT_EQ(plain.shared_store_wavefronts, 606);
  EXPECT_EQ(padded.shared_load_wavefronts, 213);
  EXPECT_EQ(padded.shared_store_wavefronts, 141);
  EXPECT_EQ(padded.shared_requests, plain.shared_requests);
}

TEST(Scans, TakeAnyLengthThroughSeveralLevels) {
  for (const char* by : {"hillis-steele", "kogge-stone", "brent-kung", "three-phase", "blelloch"})
    for (const char* kind : {"inclusive", "exclusive"})
      for (int block : {1, 2, 4, 32})
        for (int n :
             {1, 2, 3, 5, 7, 8, 9, 13, 31, 32, 33, 63, 64, 65, 127, 128, 129, 211, 511, 512, 513, 1021}) {
          const Problem p = scan_problem("scan/hierarchical", n, block, {{"block_scan", by}, {"scan", kind}});
          const Trace t = traced(p, "scan/hierarchical");
          ASSERT_EQ(scanned(t), by_the_standard(p)) << by << " " << kind << " block " << block << " n " << n;
          ASSERT_TRUE(t.findings.empty());
          const double counted = double(adds(t)), formula = t.formulas.at(0).value;
          // Blelloch's inclusive scan adds for real elements only; three phases have a bound.
          const bool exact =
              by != std::string("three-phase") && kind + std::string(by) != "inclusiveblelloch";
          if (exact) { ASSERT_EQ(counted, formula) << by << " " << kind << " block " << block << " n " << n; }
          ASSERT_LE(counted, formula) << by << " " << kind << " block " << block << " n " << n;
        }
}

TEST(Hierarchical, ShowsEachLevelInItsOwnFileAndArray) {
  const Problem p = make_problem(find("scan/hierarchical"), {});
  EXPECT_EQ(p.n(), 32);
  EXPECT_EQ(p.block, 4);
  const Trace t = traced(p, "scan/hierarchical");
  std::vector<std::string> launches, arrays;
  for (const Launch& l : t.launches) launches.push_back(l.name + ", " + t.sources[size_t(l.source)].path);
  for (const ArrayInfo& a : t.arrays) arrays.push_back(a.name);
  EXPECT_THAT(launches,
              testing::ElementsAre("scan tiles, kernels/scan/2_kogge_stone.cu",
                                   "scan totals, kernels/scan/2_kogge_stone.cu",
                                   "scan totals 2, kernels/scan/2_kogge_stone.cu",
                                   "add totals 2, kernels/tiles.hpp", "add totals, kernels/tiles.hpp"));
  EXPECT_THAT(arrays, testing::ElementsAre("data", "totals", "totals 2", "totals 3"));
  EXPECT_EQ(analyse(t).proof().operators, "associative");
}

// --- look-back
// ------------------------------------------------------------------------------------------------

TEST(LookBack, FinishesUnderEverySeedWith64Blocks) {
  const Problem p = scan_problem("scan/look-back", 64 * 16 - 1, 4);
  for (uint32_t seed = 1; seed <= 100; ++seed) {
    const Trace t = traced(p, "scan/look-back", Schedule::shuffled, seed);
    ASSERT_EQ(t.launches.at(0).grid, 64);
    ASSERT_TRUE(t.findings.empty()) << "seed " << seed << ": " << t.findings[0].text();
    ASSERT_EQ(scanned(t), by_the_standard(p)) << "seed " << seed;
  }
}

TEST(LookBack, IsProvedInTheOrderThatWasSeenForOperatorsThatDoNotCommuteToo) {
  for (const char* op : {"add", "min", "max", "affine"})
    for (const char* kind : {"inclusive", "exclusive"})
      for (auto [n, block, items] : {std::tuple{1, 1, "4"},
                                     {7, 2, "4"},
                                     {100, 4, "4"},
                                     {300, 37, "4"},
                                     {999, 64, "4"},
                                     {1025, 16, "16"},
                                     {3000, 96, "4"}})
        for (auto schedule : {Schedule::to_barrier, Schedule::lockstep, Schedule::shuffled}) {
          const Problem p =
              scan_problem("scan/look-back", n, block, {{"operator", op}, {"scan", kind}, {"items", items}});
          const Trace t = traced(p, "scan/look-back", schedule);
          const Report r = analyse(t);
          const std::string at = std::string(op) + " " + kind + " n " + std::to_string(n);
          ASSERT_TRUE(t.findings.empty()) << at;
          EXPECT_TRUE(r.correct) << at;
          EXPECT_EQ(r.flow.hazards_found, 0u)
              << at << (r.flow.hazards.empty() ? "" : r.flow.hazards[0].message.english());
          EXPECT_TRUE(r.flow.snapshots_match) << at;
          EXPECT_TRUE(order_matters(t, r.flow)) << at;
          EXPECT_EQ(r.proof().operators, "associative") << at << r.proof().message.english();
          EXPECT_THAT(r.proof().message.english(), HasSubstr("in the order of blocks that was seen"));
        }
}

TEST(LookBack, TakesTwoBlocksAtATimeAndNoTurns) {
  for (uint32_t seed : {1u, 2u, 3u}) {
    Schedule s;
    s.kind = Schedule::shuffled;
    s.seed = seed;
    s.resident_blocks = 2;
    const Problem p = scan_problem("scan/look-back", 2000, 8);
    Trace t = run(find("scan/look-back"), p, Device::cpu, s);
    EXPECT_EQ(scanned(t), by_the_standard(p));
    for (Launch& l : t.launches) l.turns.clear();  // as from a GPU
    const Report r = analyse(t);
    EXPECT_TRUE(r.flow.faults.empty()) << r.flow.faults[0].text();
    EXPECT_EQ(r.proof().operators, "associative") << r.proof().message.english();
  }
}

TEST(WaitsAhead, IsADeadlockThatNamesWhoWaitsWhere) {
  const Algorithm& a = find("mistakes/waits-ahead");
  const Problem p = make_problem(a, {});
  for (auto kind : {Schedule::to_barrier, Schedule::lockstep, Schedule::shuffled}) {
    const Trace t = traced(p, a.name, kind);
    ASSERT_EQ(t.findings.size(), 8u);  // one for each block that has started
    EXPECT_THAT(
        t.findings.front().text(),
        testing::AllOf(HasSubstr("Deadlock in block 7: thread 0 waits in line "),
                       HasSubstr("(a loop that waits on ready[8])"), HasSubstr("threads 1-3 wait in line "),
                       HasSubstr("Blocks 8 to 15 have not started: 8 blocks fit at a time")));
    const Report r = analyse(t);
    EXPECT_FALSE(r.correct);
    EXPECT_EQ(r.flow.of_block(0, 7).back().phase, "wait for the block after")
        << "though nobody gets anywhere";
    EXPECT_EQ(r.flow.of_block(0, 7).front().phase, "load");
  }
  // As long as all blocks fit, it is right.
  const Problem fits = scan_problem(a.name, 8 * 4, 4);
  const Trace t = traced(fits, a.name);
  EXPECT_TRUE(t.findings.empty());
  EXPECT_TRUE(analyse(t).correct);
}

}  // namespace
}  // namespace bscope::test
