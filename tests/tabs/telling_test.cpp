#include <gtest/gtest.h>

#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/compare/picture.hpp"
#include "app/tabs/compare/steps.hpp"
#include "engine/analysis/run.hpp"
#include "tests/at_once.hpp"

namespace bscope {
namespace {

LoadedState compares(RunSpec left, const std::string& right) {
  LoadedState s;
  Target t;
  t.request = std::move(left);
  return with_other(opened(std::move(s), t, Where::nowhere), right);
}

TEST(Telling, FindsTheLengthAtWhichTwoKernelsCountDifferently) {
  const LoadedState s = compares({.kernel = "scan/blelloch"}, "scan/blelloch-padded");
  ASSERT_TRUE(s.results.of<CompareRuns>().comparison);
  EXPECT_TRUE(counts_alike(*s.results.of<CompareRuns>().comparison));
  const auto n = telling_length(s);
  ASSERT_TRUE(n);
  EXPECT_GT(*n, 16);
  const LoadedState longer = compared(with_open_length(s, *n, Where::compare));
  ASSERT_TRUE(longer.results.of<CompareRuns>().comparison);
  EXPECT_FALSE(counts_alike(*longer.results.of<CompareRuns>().comparison));
  EXPECT_EQ(longer.results.of<CompareRuns>().other->report.input, longer.run->report.input);
  // and at half of it they still count the same
  EXPECT_TRUE(counts_alike(
      *compared(with_open_length(s, *n / 2, Where::compare)).results.of<CompareRuns>().comparison));
}

TEST(Telling, LeavesAloneWhatDiffersAlready) {
  EXPECT_FALSE(counts_alike(
      *compares({.kernel = "scan/blelloch"}, "scan/kogge-stone").results.of<CompareRuns>().comparison));
  // the same kernel twice never differs
  EXPECT_FALSE(telling_length(compares({.kernel = "reduce/shared"}, "reduce/shared")));
}

}  // namespace
}  // namespace bscope
