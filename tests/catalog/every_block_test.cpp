// Every kernel at every kind of legal block size, on several tiles: a last warp that is short, sections and
// rings that do not divide evenly, parameters in turn. What a run gives is the serial result, exactly.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/trace.hpp"
#include "tests/catalog/output.hpp"
#include "tests/sanitized.hpp"

namespace bscope::test {
namespace {

/// Inputs so small that float's sums are exact, too: any order must give the same bits.
std::vector<double> numbers(int n, uint32_t seed, int below, int from) {
  std::vector<double> v;
  for (int k = 0; k < n; ++k) {
    seed = seed * 1664525u + 1013904223u;
    v.push_back(double(int(seed >> 8) % below + from));
  }
  return v;
}

/// The values that a parameter is tried with: all, or three of a range.
std::vector<std::string> values_of(const Parameter& p) {
  std::vector<std::string> all;
  for (const Choice& c : p.values) all.push_back(c.text);
  if (all.empty())
    for (const int v : {std::stoi(p.initial.text), p.least, std::min(p.least + 6, p.most)})
      all.push_back(std::to_string(v));
  return all;
}
/// The k-th choice of all parameters together.
std::vector<std::pair<std::string, std::string>> combination(const Algorithm& a, unsigned k) {
  std::vector<std::pair<std::string, std::string>> set;
  for (const Parameter& p : a.parameters) {
    const auto values = values_of(p);
    set.emplace_back(p.name, values[k % values.size()]);
    k /= unsigned(values.size());
  }
  return set;
}
unsigned combinations(const Algorithm& a) {
  unsigned n = 1;
  for (const Parameter& p : a.parameters) n *= unsigned(values_of(p).size());
  return n;
}

/// The request of that combination, or of the next one that the kernel takes: not all go together.
std::pair<RunSpec, Problem> accepted(const Algorithm& a, int block, unsigned k) {
  for (unsigned tried = 0;; ++tried) try {
      RunSpec r;
      r.block = block;
      r.set = combination(a, k + tried);
      const Problem p = make_problem(a, r);
      a.expected(p);
      return {r, p};
    } catch (const UsageError&) {
      if (tried == combinations(a)) throw;
    }
}

/// With BARRIERSCOPE_EVERY_BLOCK=K in the environment: every legal size, with K combinations each.
int every_block() {
  const char* asked = std::getenv("BARRIERSCOPE_EVERY_BLOCK");
  return asked ? std::max(1, std::atoi(asked)) : 0;
}
/// One lane, one lane more or fewer than whole warps, last warps shorter than the row of warps before them.
std::vector<int> blocks_of(const Algorithm& a) {
  std::vector<int> all = legal_blocks(a);
  if (every_block()) return all;
  const std::set<int> most{1,  2,  3,   5,   17,  31,  32,  33,  63,  64,  65,  95,   96,
                           97, 99, 127, 130, 257, 512, 517, 737, 752, 896, 999, 1023, 1024};
  const auto& some = test::all_or_part(most, {1, 3, 31, 32, 33, 65, 97});
  std::erase_if(all, [&](int block) { return !some.contains(block); });
  return all;
}

class EveryBlock : public testing::TestWithParam<const Algorithm*> {};
INSTANTIATE_TEST_SUITE_P(Catalog, EveryBlock, testing::ValuesIn([] {
                           auto all = catalog();
                           std::erase_if(all, [](auto* a) { return a->family() == "mistakes"; });
                           return all;
                         }()),
                         [](const auto& p) {
                           std::string name = p.param->name;
                           for (char& c : name)
                             if (!isalnum(c)) c = '_';
                           return name;
                         });

TEST_P(EveryBlock, IsRightOnSeveralTiles) {
  const Algorithm& a = *GetParam();
  const unsigned choices = combinations(a);
  unsigned turn = 0;
  for (const int block : blocks_of(a))
    for (int again = 0; again < std::max(1, every_block()); ++again, ++turn) {
      // 7919 is a prime: neighbours get quite different choices, and in time each choice comes.
      auto [r, shape] = accepted(a, block, turn * 7919u % choices);
      const int tile = a.family() == "histogram" && a.full_block == 1 ? 1000 : a.tile(shape);
      // Several tiles, more than a ring has places where they are small, and a part of one more.
      const int n = tile * std::clamp(6000 / tile, 2, 40) + 1 + int(turn * 613u % unsigned(tile));
      r.values = shape.set.contains("bins") ? numbers(n, turn, shape["bins"], 0) : numbers(n, turn, 19, -9);
      const Problem p = make_problem(a, r);
      Schedule s;
      s.kind = a.name == "histogram/racy" ? Schedule::to_barrier : Schedule::Policy(1 + turn % 3);
      s.seed = turn;
      s.most_events = size_t(64) << 20;
      std::string at = a.name + " --n " + std::to_string(n) + " --block " + std::to_string(block) +
                       " --schedule " + name_of(s);
      for (const auto& [name, value] : p.set) at += " --set " + name + "=" + value;
      const Trace t = run(a, p, Device::cpu, s);
      ASSERT_TRUE(t.findings.empty()) << at << ": " << t.findings[0].text();
      ASSERT_EQ(output(t), a.expected(p)) << at;
    }
}

}  // namespace
}  // namespace bscope::test
