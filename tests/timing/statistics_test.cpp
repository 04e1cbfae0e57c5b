#include "engine/timing/statistics.hpp"

#include <gtest/gtest.h>

namespace bscope {
namespace {

TEST(Statistics, MedianAndEnds) {
  EXPECT_EQ(summarise({}).median, 0);
  EXPECT_EQ(summarise({3, 1, 2}).median, 2);
  const Statistics even = summarise({4, 1, 3, 2});
  EXPECT_EQ(even.median, 2.5);
  EXPECT_EQ(even.least, 1);
  EXPECT_EQ(even.most, 4);
}

TEST(Statistics, OneInterruptedSampleIsNoNoise) {
  std::vector<double> v(50, 1.0);
  v[7] = 1000;
  EXPECT_EQ(summarise(v).median, 1);
  EXPECT_EQ(summarise(v).noise, 0);
}

TEST(Statistics, NoiseFallsWithTheSquareRootOfTheCount) {
  const auto even = [](int n) {
    std::vector<double> v;
    for (int i = 0; i < n; ++i) v.push_back(1 + 0.1 * i / n);
    return summarise(v).noise;
  };
  EXPECT_GT(even(100), 0.004);
  EXPECT_NEAR(even(400), even(100) / 2, even(100) / 20);
}

TEST(Statistics, TwoSpeedsAreNoise) {
  std::vector<double> v;
  for (int i = 0; i < 41; ++i) v.push_back(i % 2 ? 1 : 3);
  EXPECT_GT(summarise(v).noise, 0.3);
}

// statistics.quantiles(range(1, 8), n=4) is [2, 4, 6]; of range(1, 5) it is [1.25, 2.5, 3.75].
TEST(Statistics, QuartilesAsPythonHasThem) {
  EXPECT_DOUBLE_EQ(quartile_distance({7, 1, 6, 2, 5, 3, 4}), 1);
  EXPECT_DOUBLE_EQ(quartile_distance({1, 2, 3, 4}), 1);
  EXPECT_EQ(quartile_distance({}), 0);
  EXPECT_EQ(quartile_distance({3}), 0);
  EXPECT_GE(quartile_distance({1, 2}), 0);
}

TEST(Sample, StopsWhenQuietEnough) {
  int calls = 0;
  EXPECT_EQ(sample({.least = 11, .most = 200}, [&] { return ++calls, 1.0; }).size(), 11u);
}

TEST(Sample, StopsAtItsCapWhenNeverQuiet) {
  int calls = 0;
  EXPECT_EQ(sample({.least = 11, .most = 40, .noise = 0.005, .seconds = 60},
                   [&] { return ++calls % 2 ? 1.0 : 3.0; })
                .size(),
            40u);
  EXPECT_EQ(sample({.least = 11, .most = 40, .noise = 0.005, .seconds = 0}, [] { return 1.0; }).size(), 1u);
}

TEST(WallClock, RepeatsWhatIsTooShortToTime) {
  long calls = 0;
  const auto once = wall_clock([&] { ++calls; });
  const long before = calls;
  EXPECT_GE(once(), 0);
  EXPECT_GT(calls - before, 10) << "an empty call lasts nowhere near 50 microseconds";
}

}  // namespace
}  // namespace bscope
