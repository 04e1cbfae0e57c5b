#include "engine/timing/baseline.hpp"

#include <gtest/gtest.h>

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
          for (const Record& r : records) {
            EXPECT_TRUE(r.correct) << r.kernel << " " << n << " " << type;
            EXPECT_EQ(r.bytes, bytes_to_move(family, n, r.type));
            EXPECT_GT(r.gb_per_s, 0);
            EXPECT_DOUBLE_EQ(r.of_copy, r.gb_per_s / 10);
          }
        }
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
