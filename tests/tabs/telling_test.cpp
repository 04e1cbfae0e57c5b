#include <gtest/gtest.h>

#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/compare/steps.hpp"
#include "tests/at_once.hpp"

namespace bscope {
namespace {

State compares(RunSpec left, const std::string& right) {
  State s;
  Target t;
  t.request = std::move(left);
  return with_other(opened(std::move(s), t, Where::nowhere), right);
}

TEST(Telling, FindsTheLengthAtWhichTwoKernelsCountDifferently) {
  const State s = compares({.kernel = "scan/blelloch"}, "scan/blelloch-padded");
  ASSERT_TRUE(s.of<CompareState>().comparison);
  EXPECT_TRUE(counts_alike(*s.of<CompareState>().comparison));
  const auto n = telling_length(s);
  ASSERT_TRUE(n);
  EXPECT_GT(*n, 16);
  const State longer = compared(with_open_length(s, *n, Where::compare));
  ASSERT_TRUE(longer.of<CompareState>().comparison);
  EXPECT_FALSE(counts_alike(*longer.of<CompareState>().comparison));
  EXPECT_EQ(longer.of<CompareState>().other->report.input, longer.run->report.input);
  // and at half of it they still count the same
  EXPECT_TRUE(
      counts_alike(*compared(with_open_length(s, *n / 2, Where::compare)).of<CompareState>().comparison));
}

TEST(Telling, LeavesAloneWhatDiffersAlready) {
  EXPECT_FALSE(
      counts_alike(*compares({.kernel = "scan/blelloch"}, "scan/kogge-stone").of<CompareState>().comparison));
  // the same kernel twice never differs
  EXPECT_FALSE(telling_length(compares({.kernel = "reduce/shared"}, "reduce/shared")));
}

}  // namespace
}  // namespace bscope
