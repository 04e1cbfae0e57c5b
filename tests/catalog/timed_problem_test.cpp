#include <gmock/gmock.h>

#include <cmath>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/patterns.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

using testing::HasSubstr;

std::string refused_timing(const std::string& kernel, const RunSpec& r) {
  try {
    timed_problem(find(kernel), r);
  } catch (const UsageError& e) { return e.what(); }
  return "accepted";
}

TEST(TimedProblem, IsSaidAndNotHeld) {
  const Problem p = timed_problem(find("scan/look-back"), {.n = 1LL << 33});
  EXPECT_TRUE(p.data.empty());
  ASSERT_TRUE(p.made);
  EXPECT_EQ(p.n(), 1LL << 33);
  EXPECT_EQ(p.block, find("scan/look-back").full_block);
  EXPECT_EQ(timed_problem(find("scan/look-back"), {.n = 64, .block = 128}).block, 128);
}

TEST(TimedProblem, DefaultsToTheStandardRun) {
  const Problem sine = timed_problem(find("reduce/shared"), {.n = 1000});
  EXPECT_EQ(pattern_of(sine), "sine");
  for (long long i : {0, 25, 999})
    EXPECT_EQ((*sine.made)(i), double(int(10 * std::sin(0.02 * 3.14 * double(i)))));
  const Problem keys = timed_problem(find("histogram/privatised"), {.n = 1000, .set = {{"bins", "16"}}});
  EXPECT_EQ(pattern_of(keys), "random");
  EXPECT_EQ(keys.made->bins, 16);
}

TEST(TimedProblem, ValuesFilesAndPresetsStayHeld) {
  const Problem typed = timed_problem(find("scan/blelloch"), {.values = {{3, 1, 7}}});
  EXPECT_EQ(typed.data.size(), 3u);
  EXPECT_FALSE(typed.made);
  EXPECT_EQ(pattern_of(typed), "");
  const Problem preset = timed_problem(find("histogram/racy"), {.preset = "queue-7x20"});
  EXPECT_FALSE(preset.data.empty());
  EXPECT_EQ(preset.block, make_problem(find("histogram/racy"), {.preset = "queue-7x20"}).block);
}

TEST(TimedProblem, IsRefusedForTheSameReasons) {
  EXPECT_THAT(refused_timing("scan/blelloch", {.n = 0}), HasSubstr("--n 0 is too small"));
  EXPECT_THAT(refused_timing("scan/blelloch", {.n = (1LL << 40) + 1}), HasSubstr("too large"));
  EXPECT_THAT(refused_timing("scan/blelloch", {.n = 8, .block = 48}), HasSubstr("needs a power of two"));
  EXPECT_THAT(refused_timing("scan/blelloch", {.n = 8, .set = {{"tipe", "int32"}}}),
              HasSubstr("no parameter"));
  EXPECT_THAT(refused_timing("scan/blelloch", {.n = 8, .pattern = "waves"}),
              HasSubstr("There is no pattern"));
  EXPECT_THAT(refused_timing("scan/blelloch", {.n = 8, .set = {{"operator", "affine"}, {"type", "float"}}}),
              HasSubstr("16-bit"));
  EXPECT_EQ(refused_timing("scan/blelloch", {.n = 1LL << 31, .pattern = "ramp"}), "accepted");
}

TEST(TimedProblem, PatternsLayOutAnInputThatIsOnlySaid) {
  const Algorithm& a = find("patterns/global-stride");
  const RunSpec r{.n = 100, .pattern = "random", .block = 32, .set = {{"width", "8"}, {"pad", "1"}}};
  const Problem said = timed_problem(a, r);
  ASSERT_TRUE(said.made);
  Problem held = said;
  held.made.reset();
  for (long long k = 0; k < said.n(); ++k) held.data.push_back((*said.made)(k));
  EXPECT_EQ(a.expected(said), a.expected(held));
  EXPECT_EQ(a.cpu(said, {}).launches.back().after, a.cpu(held, {}).launches.back().after);
}

// NVBench's axis: with k more words joined by AND a bit is set with chance 2^-(k+1), and the keys' entropy is
// that of as many such bits, relative to uniform ones.
TEST(TimedProblem, EntropiesAreNvbenchs) {
  for (const double asked : key_entropies()) {
    const Problem p = timed_problem(find("histogram/privatised"), {.n = 1 << 16, .entropy = asked});
    std::map<double, double> counts;
    for (long long i = 0; i < p.n(); ++i) ++counts[(*p.made)(i)];
    double bits = 0;
    for (const auto& [key, count] : counts) {
      const double share = count / double(p.n());
      bits -= share * std::log2(share);
    }
    EXPECT_NEAR(bits / 8, asked, 0.005);
  }
}

TEST(TimedProblem, ZipfsKeysAreAsOftenAsTheirRankSays) {
  const Problem p =
      timed_problem(find("histogram/privatised"), {.n = 1 << 18, .pattern = "zipf", .set = {{"bins", "64"}}});
  std::vector<double> counts(64);
  for (long long i = 0; i < p.n(); ++i) ++counts.at(size_t((*p.made)(i)));
  for (const int k : {1, 3, 9}) EXPECT_NEAR(counts[0] / counts[size_t(k)], k + 1, 0.06 * (k + 1));
}

TEST(TracedProblem, TakesKeysOfZipfAndEntropyToo) {
  const Algorithm& a = find("histogram/racy");
  for (const RunSpec& r : {RunSpec{.n = 500, .pattern = "zipf"}, RunSpec{.n = 500, .entropy = 0.337}}) {
    const Problem held = make_problem(a, r), said = timed_problem(a, r);
    ASSERT_EQ(held.data.size(), 500u);
    for (long long i = 0; i < 500; ++i) EXPECT_EQ(held.data[size_t(i)], (*said.made)(i));
  }
  EXPECT_THAT(make_problem(a, {.n = 100, .entropy = 0}).data, testing::Each(0));
}

TEST(TracedProblem, WhatKeysAloneCanHaveIsRefusedForNumbers) {
  EXPECT_THAT(refused_timing("scan/blelloch", {.n = 8, .pattern = "zipf"}),
              HasSubstr("for histograms: for scan/blelloch use ones, ramp, random, sine or skewed."));
  EXPECT_THAT(refused_timing("scan/blelloch", {.n = 8, .entropy = 1}),
              HasSubstr("--entropy is for histograms"));
  EXPECT_THAT(refused_timing("histogram/racy", {.n = 8, .entropy = 0.5}),
              HasSubstr("0.811, 0.544, 0.337, 0.201 or 0"));
  EXPECT_THAT(refused_timing("histogram/racy", {.n = 8, .skew = 0.5, .entropy = 1}), HasSubstr("both given"));
  EXPECT_THAT(refused_timing("histogram/racy", {.n = 8, .pattern = "zipf", .skew = 0.5}),
              HasSubstr("leave out --pattern zipf"));
}

}  // namespace
}  // namespace bscope
