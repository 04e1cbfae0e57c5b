#include "engine/timing/several.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"

namespace bscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Problem made_problem(const Algorithm& a, long long n) {
  RunSpec r;
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
  const auto equal = [](long long n, int parts) {
    return parts_of(n, std::vector<int>(size_t(parts), 1), parts);
  };
  EXPECT_THAT(equal(16, 2), ElementsAre(InputPart{0, 8}, InputPart{8, 8}));
  EXPECT_THAT(equal(11, 2), ElementsAre(InputPart{0, 4}, InputPart{4, 7}));
  EXPECT_THAT(equal(5, 2), ElementsAre(InputPart{0, 4}, InputPart{4, 1}));
  EXPECT_THAT(equal(1, 1), ElementsAre(InputPart{0, 1}));
  EXPECT_THAT(parts_of(20, {1, 2, 2}, 2), ElementsAre(InputPart{0, 4}, InputPart{4, 8}, InputPart{12, 8}));
  for (const std::vector<int>& weights : std::vector<std::vector<int>>{{1},
                                                                       {1, 1},
                                                                       {1, 2, 2},
                                                                       {1, 1, 1},
                                                                       {1, 2, 2, 2},
                                                                       {1, 1, 1, 1, 1, 1, 1},
                                                                       {1, 2, 2, 2, 2},
                                                                       {3, 1, 4}}) {
    const long long all = std::reduce(weights.begin(), weights.end());
    for (const long long from : {4 * all - 3, 1000LL, (1LL << 33) - 20})
      for (long long n = from; n < from + 40; ++n) {
        long long at = 0;
        const auto parts = parts_of(n, weights, 2);
        ASSERT_EQ(parts.size(), weights.size());
        for (size_t k = 0; k < parts.size(); ++k) {
          EXPECT_EQ(parts[k].first, at);
          EXPECT_EQ(parts[k].first % 4, 0);
          EXPECT_GT(parts[k].n, 0);
          EXPECT_NEAR(double(parts[k].n), double(n) * weights[k] / double(all), 8) << n;
          at += parts[k].n;
        }
        EXPECT_EQ(at, n);
      }
  }
}

// The first GPU takes what no other waits for: the beginning of a scan and its end.
TEST(Several, AScanIsSharedThreeToTwo) {
  const auto shares = shares_of(Property::inclusive_scan, 9 * 400, 4);
  EXPECT_THAT(shares, ElementsAre(ElementsAre(InputPart{0, 400}, InputPart{2800, 800}),
                                  ElementsAre(InputPart{400, 800}), ElementsAre(InputPart{1200, 800}),
                                  ElementsAre(InputPart{2000, 800})));
  EXPECT_THAT(shares_of(Property::exclusive_scan, 100, 1), ElementsAre(ElementsAre(InputPart{0, 100})));
  for (const Property p : {Property::reduction, Property::histogram})
    EXPECT_THAT(shares_of(p, 800, 2),
                ElementsAre(ElementsAre(InputPart{0, 400}), ElementsAre(InputPart{400, 400})));
}

// The bound, by the bytes of the schedule in several.hpp: a piece that is scanned is read and written.
TEST(Several, TheBoundIsWhatTheSharesMove) {
  EXPECT_DOUBLE_EQ(most_speed_up(1, 4), 4);
  for (const int gpus : {2, 3, 4, 8}) {
    const long long n = 4LL * (2 * gpus + 1) * 1000;
    const auto shares = shares_of(Property::inclusive_scan, n, gpus);
    const double beginning = 2.0 * double(shares[0][0].n), end = 2.0 * double(shares[0][1].n);
    double first = beginning, second = end;
    for (size_t k = 1; k < shares.size(); ++k) {
      first = std::max(first, double(shares[k][0].n));
      second = std::max(second, 2.0 * double(shares[k][0].n));
    }
    EXPECT_DOUBLE_EQ(2.0 * double(n) / (first + second), most_speed_up(2, gpus)) << gpus;
  }
}

TEST(Several, RefusesFewerVectorsThanParts) {
  for (const int gpus : {2, 4, 8})
    for (const Property p : {Property::reduction, Property::inclusive_scan}) {
      const long long least = 4LL * (p == Property::reduction ? gpus : 2 * gpus + 1) - 3;
      EXPECT_EQ(shares_of(p, least, gpus).size(), size_t(gpus));
      const std::string why = refusal([&] { shares_of(p, least - 1, gpus); });
      EXPECT_THAT(why, HasSubstr("too small for " + std::to_string(gpus) + " GPUs"));
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
    for (const InputPart& part : parts_of(whole.n(), {1, 2, 2}, 2)) {
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
        std::vector<int> weights(size_t(gpus) + 1, 2);
        weights[0] = 1;
        for (const InputPart& part : parts_of(whole.n(), weights, gpus)) {
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

  RunSpec r;
  r.kernel = "reduce/shared";
  EXPECT_THAT(refusal([&] { check_shared(find(r.kernel), make_problem(find(r.kernel), r)); }),
              HasSubstr("use --n and --pattern"));
  r.kernel = "patterns/global-stride";
  EXPECT_THAT(refusal([&] { check_shared(find(r.kernel), make_problem(find(r.kernel), r)); }),
              HasSubstr("patterns/global-stride runs on one GPU only"));
  EXPECT_NO_THROW(check_shared(find("histogram/per-lane"), made_problem(find("histogram/per-lane"), 1000)));
}

TEST(Several, SaysThatThereAreTooFewGpus) {
  const int there = gpu_count();
  EXPECT_EQ(there > 0, gpu().has_value());
  EXPECT_THROW(several_gpus(there + 2, {}), NoDevice);
  EXPECT_THROW(gpus_together({there, there}, {}), NoDevice);
}

}  // namespace
}  // namespace bscope
