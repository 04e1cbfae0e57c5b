#include "engine/timing/several.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "engine/catalog/catalog.hpp"

namespace bscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Problem made_problem(const Algorithm& a, long long n) {
  Request r;
  r.kernel = a.name;
  Problem p = make_problem(a, r);
  p.data.clear();
  p.made = made_input("random", n, 7, 0);
  return p;
}

std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const UsageError& e) { return e.what(); }
  return "";
}

TEST(Several, PartsCoverTheInputInWholeVectors) {
  EXPECT_THAT(parts_of(16, 2), ElementsAre(InputPart{0, 8}, InputPart{8, 8}));
  EXPECT_THAT(parts_of(11, 2), ElementsAre(InputPart{0, 4}, InputPart{4, 7}));
  EXPECT_THAT(parts_of(5, 2), ElementsAre(InputPart{0, 4}, InputPart{4, 1}));
  EXPECT_THAT(parts_of(1, 1), ElementsAre(InputPart{0, 1}));
  for (int parts = 1; parts <= 9; ++parts)
    for (const long long from : {4LL * parts - 3, 1000LL, (1LL << 33) - 20})
      for (long long n = from; n < from + 40; ++n) {
        long long at = 0, least = n, most = 0;
        for (const InputPart& p : parts_of(n, parts)) {
          EXPECT_EQ(p.first, at);
          EXPECT_EQ(p.first % 4, 0);
          at += p.n;
          least = std::min(least, p.n);
          most = std::max(most, p.n);
        }
        EXPECT_EQ(at, n);
        EXPECT_GT(least, 0);
        EXPECT_LE(most - least, 4) << n << " in " << parts;
      }
}

TEST(Several, RefusesFewerVectorsThanParts) {
  for (const int parts : {2, 4, 8}) {
    const long long least = 4LL * parts - 3;
    EXPECT_EQ(parts_of(least, parts).size(), size_t(parts));
    const std::string why = refusal([&] { parts_of(least - 1, parts); });
    EXPECT_THAT(why, HasSubstr("too small for " + std::to_string(parts) + " GPUs"));
    EXPECT_THAT(why, HasSubstr("at least " + std::to_string(least)));
  }
}

TEST(Several, ACurveHasThePowersOfTwoAndTheEnd) {
  EXPECT_THAT(gpu_counts(1), ElementsAre(1));
  EXPECT_THAT(gpu_counts(2), ElementsAre(1, 2));
  EXPECT_THAT(gpu_counts(4), ElementsAre(1, 2, 4));
  EXPECT_THAT(gpu_counts(6), ElementsAre(1, 2, 4, 6));
}

TEST(Several, SumsBeforeWrapWithoutTheirLength) {
  EXPECT_THAT(sums_before(std::vector<unsigned long long>{}), ElementsAre(0));
  EXPECT_THAT(sums_before(std::vector<double>{1.5, 2, 4}, 10.0), ElementsAre(10, 11.5, 13.5, 17.5));
  const auto minus = (unsigned long long)(-3);
  EXPECT_THAT(sums_before(std::vector{minus, 5ULL}), ElementsAre(0, minus, 2));
}

TEST(Several, APartIsAPieceOfTheWholeInput) {
  for (const char* pattern : {"ramp", "random", "sine", "skewed"}) {
    Problem whole;
    whole.block = 64;
    whole.set["type"] = "float";
    whole.made = made_input(pattern, 1 << 20, 3, 0);
    for (const InputPart& part : parts_of(whole.n(), 3)) {
      const Problem p = problem_of(whole, part);
      EXPECT_EQ(p.n(), part.n);
      EXPECT_EQ(p.block, 64);
      EXPECT_EQ(p.text("type"), "float");
      for (long long i = 0; i < part.n; i += 997)
        EXPECT_EQ((*p.made)(i), (*whole.made)(part.first + i)) << pattern;
    }
    const Problem nested = problem_of(problem_of(whole, {1024, 4096}), {8, 16});
    EXPECT_EQ((*nested.made)(5), (*whole.made)(1037));
  }
}

// What the GPUs do, done by the host: sum the parts, add the sums before to a part's first number, scan it.
TEST(Several, CarryingTheSumsInTheFirstNumberScansTheWhole) {
  for (const char* name : {"scan/hierarchical", "scan/look-ahead"})
    for (const char* kind : {"inclusive", "exclusive"})
      for (const int gpus : {2, 3, 4}) {
        const Algorithm& a = find(name);
        Problem whole = made_problem(a, 1003);
        whole.set["scan"] = kind;
        const auto numbers = [](const Problem& p) {
          Problem held = p;
          for (long long i = 0; i < p.n(); ++i) held.data.push_back((*p.made)(i));
          held.made.reset();
          return held;
        };
        std::vector<Problem> parts;
        std::vector<double> sums, scanned;
        for (const InputPart& part : parts_of(whole.n(), gpus)) {
          parts.push_back(numbers(problem_of(whole, part)));
          sums.push_back(std::accumulate(parts.back().data.begin(), parts.back().data.end(), 0.0));
        }
        const auto before = sums_before(sums);
        for (size_t k = 0; k < parts.size(); ++k) {
          parts[k].data[0] += before[k];
          std::vector<double> mine = a.expected(parts[k]);
          if (std::string(kind) == "exclusive") mine[0] += before[k];
          scanned.insert(scanned.end(), mine.begin(), mine.end());
        }
        EXPECT_EQ(scanned, a.expected(numbers(whole))) << name << " " << kind << " on " << gpus;
      }
}

TEST(Several, RefusesWhatGpusCannotShare) {
  const Algorithm& scan = find("scan/hierarchical");
  Problem p = made_problem(scan, 1000);
  EXPECT_NO_THROW(check_shared(scan, p));
  p.set["operator"] = "max";
  EXPECT_THAT(refusal([&] { check_shared(scan, p); }), HasSubstr("leave out --set operator=max"));
  EXPECT_NO_THROW(check_shared(find("reduce/grid-stride"), made_problem(find("reduce/grid-stride"), 1000)));

  Request r;
  r.kernel = "reduce/shared";
  EXPECT_THAT(refusal([&] { check_shared(find(r.kernel), make_problem(find(r.kernel), r)); }),
              HasSubstr("use --n and --pattern"));
  r.kernel = "histogram/per-lane";
  EXPECT_THAT(refusal([&] { check_shared(find(r.kernel), make_problem(find(r.kernel), r)); }),
              HasSubstr("histogram/per-lane runs on one GPU only"));
}

TEST(Several, SaysThatThereAreTooFewGpus) {
  const int there = gpu_count();
  EXPECT_EQ(there > 0, gpu().has_value());
  EXPECT_THROW(several_gpus(there + 2, {}), NoDevice);
}

}  // namespace
}  // namespace bscope
