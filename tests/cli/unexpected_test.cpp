// A run without an expected result is neither right nor wrong.
#include <gmock/gmock.h>

#include <filesystem>

#include "app/run/run.hpp"
#include "app/run/verdict.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/file.hpp"
#include "tests/cli/run_support.hpp"

namespace bscope::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A trace without an expected result, in a file.
class Unexpected : public testing::Test {
 protected:
  Unexpected() {
    Trace t = open_run({.kernel = "scan/blelloch", .n = 8})->trace;
    t.expected.clear();
    t.property = Property::none;
    save(t, file_);
  }
  ~Unexpected() override { std::filesystem::remove(file_); }
  const std::string file_ = testing::TempDir() + "unexpected.bscope";
};

TEST_F(Unexpected, PassesWhereNothingElseFails) {
  const Verdict v = check(*open_file(file_));
  EXPECT_FALSE(v.judged);
  EXPECT_TRUE(v.passed());
  const Result r = barrierscope({"check", file_});
  EXPECT_EQ(r.code, 0) << r.out;
  EXPECT_THAT(r.out, HasSubstr("nothing to compare the result with"));
  EXPECT_THAT(r.out, Not(HasSubstr("FAIL")));
}

TEST_F(Unexpected, IsSaidInTextAndJson) {
  const std::string text = barrierscope({"show", file_}).out;
  EXPECT_THAT(text, HasSubstr("no expected result given"));
  EXPECT_THAT(text, Not(HasSubstr("wrong")));
  for (const char* verb : {"show", "check"})
    EXPECT_THAT(barrierscope({verb, file_, "--json"}).out, HasSubstr("\"correct\":null")) << verb;
}

}  // namespace
}  // namespace bscope::test
