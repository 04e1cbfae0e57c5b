#include "engine/timing/baseline.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bscope {
namespace {

const Patience brief{.least = 1, .most = 2, .noise = 0.5, .seconds = 0.01};

TEST(Baseline, EveryFamilyIsRightAndCountsItsBytes) {
  Recording run;
  run.copy_gb_per_s = 10;
  for (const char* family : {"reduce", "scan", "histogram"})
    for (long long n : {1, 2, 31, 1000, 100003})
      for (const char* type : {"int32", "float", "double"})
        for (bool inclusive : {true, false}) {
          const Baseline job{.family = family, .n = n, .type = type, .inclusive = inclusive, .skew = 0.6};
          const auto records = cpu_baselines(job, run, brief);
          ASSERT_FALSE(records.empty());
          EXPECT_EQ(records[0].kernel, std::string("serial/") + family);
          // the copy moves as many bytes, to the byte where they can be halved
          const Record& copy = records.back();
          EXPECT_EQ(copy.kernel, std::string("copy/") + family);
          EXPECT_EQ(copy.family(), family);
          EXPECT_LE(std::abs(copy.bytes - bytes_to_move(family, n, copy.type)), 1);
          for (const Record& r : records) {
            EXPECT_TRUE(r.correct) << r.kernel << " " << n << " " << type;
            EXPECT_GT(r.gb_per_s, 0);
            EXPECT_DOUBLE_EQ(r.of_copy, r.gb_per_s / copy.gb_per_s);
            if (&r != &copy) { EXPECT_EQ(r.bytes, bytes_to_move(family, n, r.type)); }
          }
        }
}

// Twice as many bytes in the caches as in memory a second is what made small jobs reach 300% of "copy".
TEST(Baseline, SmallJobsAreComparedWithSmallCopies) {
  const Patience some{.least = 5, .most = 50, .noise = 0.02, .seconds = 0.1};
  Recording run;
  run.copy_gb_per_s = 1;  // what the memory could do; must not count
  for (const char* family : {"reduce", "scan"})
    for (const Record& r : cpu_baselines({.family = family, .n = 1 << 12}, run, some))
      EXPECT_LT(r.of_copy, 1.5) << r.kernel;
}

TEST(Baseline, StopsWhenAsked) {
  EXPECT_TRUE(cpu_baselines({.family = "reduce", .n = 1000}, {}, brief, [] { return true; }).empty());
  int asked = 0;
  EXPECT_TRUE(cpu_baselines({.family = "scan", .n = 1000}, {}, brief, [&] { return ++asked > 1; }).empty())
      << "a run that was cut short leaves no record";
}

TEST(Baseline, RefusesWhatItCannotDo) {
  EXPECT_THROW(cpu_baselines({.family = "sort", .n = 10}, {}, brief), std::invalid_argument);
  EXPECT_THROW(cpu_baselines({.family = "histogram", .n = 10, .bins = 0}, {}, brief), std::invalid_argument);
}

TEST(Baseline, NamesTheMachine) {
  const Recording run = cpu_recording(brief);
  EXPECT_FALSE(run.device.empty());
  EXPECT_NE(run.driver.find("threads"), std::string::npos);
  EXPECT_EQ(run.date.size(), 20u);
  EXPECT_GT(run.copy_gb_per_s, 0.1);
}

}  // namespace
}  // namespace bscope
