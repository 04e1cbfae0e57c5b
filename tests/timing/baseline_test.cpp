#include "engine/timing/baseline.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "tests/sanitized.hpp"

namespace bscope {
namespace {

Baseline job(const std::string& family, long long n, const std::string& pattern = "random", double shape = 0,
             int bins = 256) {
  return {.family = family, .input = made_input(pattern, n, 1, family == "histogram" ? bins : 0, shape)};
}

const Patience brief{.least = 1, .most = 2, .noise = 0.5, .seconds = 0.01};

TEST(Baseline, EveryFamilyIsRightAndCountsItsBytes) {
  Recording run;
  run.copy_gb_per_s = 10;  // the memory's, which small jobs in the caches are not compared with
  for (const char* family : {"reduce", "scan", "histogram"})
    for (long long n : {1, 2, 31, 1000, 100003})
      for (const char* type : {"int32", "float", "double"})
        for (bool inclusive : {true, false}) {
          Baseline one = job(family, n, "skewed", 0.6);
          one.type = type;
          one.inclusive = inclusive;
          const auto records = cpu_baselines(one, run, brief);
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

TEST(Baseline, StopsWhenAsked) {
  EXPECT_TRUE(cpu_baselines(job("reduce", 1000), {}, brief, [] { return true; }).empty());
  int asked = 0;
  EXPECT_TRUE(cpu_baselines(job("scan", 1000), {}, brief, [&] { return ++asked > 1; }).empty())
      << "a run that was cut short leaves no record";
}

TEST(Baseline, RefusesWhatItCannotDo) {
  EXPECT_THROW(cpu_baselines(job("sort", 10), {}, brief), UsageError);
  EXPECT_THROW(cpu_baselines(job("histogram", 10, "random", 0, 0), {}, brief), UsageError);
  EXPECT_THROW(cpu_baselines(job("scan", 1LL << 40), {}, brief), TooLarge);
}

TEST(Baseline, RefusesWhatWouldTakeTooLongBeforeItMakesIt) {
  constexpr double longest = 1e-3;
  for (const char* family : {"reduce", "histogram"}) try {
      cpu_baselines(job(family, 1LL << 28), {}, brief, {}, longest);
      ADD_FAILURE() << family << " was not refused";
    } catch (const TooLarge& e) {
      EXPECT_NE(std::string(e.what()).find("use at most --n 16777216, or raise --most-seconds"),
                std::string::npos)
          << e.what();
    }
  EXPECT_FALSE(cpu_baselines(job("histogram", 1 << 16), {}, brief, {}, longest).empty());
}

// A float's ulp is 2 from 2^24 on: a sum of ones on one core ends there, and rounding explains it.
TEST(Baseline, WrapsAndRoundsAsItsTypeDoes) {
  for (const char* pattern : {"ones", "ramp", "sine", "skewed"})
    for (const char* type : {"int32", "float"})
      for (const char* family : {"reduce", "scan"}) {
        Baseline one = job(family, 3 << test::all_or_part(22, 15), pattern);  // a ramp's sum leaves the int32
        one.type = type;
        for (const Record& r : cpu_baselines(one, {}, brief))
          EXPECT_TRUE(r.correct) << r.kernel << " " << pattern << " " << type;
      }
}

TEST(Baseline, TakesValuesThatAreHeld) {
  const Baseline one{.family = "scan", .type = "double", .input = {}, .held = {0.5, -2.25, 1e9}};
  const auto records = cpu_baselines(one, {}, brief);
  ASSERT_FALSE(records.empty());
  EXPECT_EQ(records[0].n, 3);
  EXPECT_TRUE(records[0].correct);
}

TEST(Baseline, AreTheCpusMeter) {
  const auto meter = cpu_meter(brief);
  EXPECT_GT(meter->begin().copy_gb_per_s, 0);
  const Algorithm& a = find("scan/blelloch");
  RunSpec r{.n = 5000, .set = {{"type", "double"}, {"scan", "exclusive"}}};
  const auto records = meter->references(a, timed_problem(a, r));
  ASSERT_FALSE(records.empty());
  EXPECT_EQ(records[0].parameters.at("scan"), "exclusive");
  EXPECT_EQ(records[0].type, "double");
  EXPECT_TRUE(records[0].correct);
  r.set = {{"operator", "max"}};
  EXPECT_THROW(meter->references(a, timed_problem(a, r)), UsageError);
  EXPECT_THROW(meter->kernel(a, timed_problem(a, r)), UsageError);
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
