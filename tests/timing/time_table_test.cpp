#include "app/cli/time_table.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "engine/timing/recording.hpp"

namespace bscope {
namespace {

using testing::HasSubstr;
using testing::Not;

Record record(const std::string& kernel, long long n, double seconds,
              std::map<std::string, std::string> parameters = {}) {
  Record r;
  r.kernel = kernel;
  r.n = n;
  r.type = "int32";
  r.parameters = std::move(parameters);
  r.samples = {seconds, seconds, seconds};
  r.bytes = double(n) * 4;
  r.correct = true;
  complete(r, {"", "", "", 1000, 0, 0});
  return r;
}
Recording recording(std::vector<Record> records) {
  Recording run{"A GPU", "driver 1", "2026-01-02", 1000, 1100, 1200, 1980};
  run.records = std::move(records);
  return run;
}
std::string line_with(const std::string& text, const std::string& what) {
  const size_t at = text.find(what);
  if (at == std::string::npos) return "";
  const size_t begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

TEST(TimeTable, ShowsParametersThatDiffer) {
  const std::string text = time_table(recording({
      record("reduce/shared", 1 << 20, 1e-3, {{"block", "256"}, {"unroll", "1"}}),
      record("reduce/shared", 1 << 20, 2e-3, {{"block", "256"}, {"unroll", "8"}}),
      record("cub/reduce", 1 << 20, 4e-3),
  }));
  EXPECT_THAT(text, HasSubstr("unroll 8"));
  EXPECT_THAT(text, Not(HasSubstr("block 256")));
  EXPECT_THAT(line_with(text, "unroll 8"), HasSubstr("2.000"));
  EXPECT_THAT(line_with(text, "unroll 1"), HasSubstr("4.000"));
}

TEST(TimeTable, LeavesOutColumnsThatHoldNothing) {
  Recording run = recording({record("scan/a", 1 << 20, 1e-3)});
  EXPECT_THAT(time_table(run), Not(HasSubstr("warm")));
  EXPECT_THAT(time_table(run), Not(HasSubstr("of CUB")));
  EXPECT_THAT(time_table(run), Not(HasSubstr("parameters")));
  run.records[0].warm_samples = {5e-6};
  complete(run.records[0], run);
  run.records[0].cycles_per_block = 5120;
  run.records[0].throttled = true;
  EXPECT_THAT(time_table(run), HasSubstr("5.00 us"));
  EXPECT_THAT(time_table(run), HasSubstr("5120"));
  EXPECT_THAT(time_table(run), HasSubstr("right, throttled"));
  EXPECT_EQ(time_table(recording({})), "");
}

TEST(TimeTable, ColumnsStandUnderTheirHeads) {
  const std::string text =
      time_table(recording({record("scan/a", 1 << 20, 1e-3), record("cub/scan", 1 << 20, 1.1e-3),
                            record("scan/with-a-longer-name", 1000, 1e-6)}));
  const size_t at = text.find("result");
  ASSERT_NE(at, std::string::npos);
  size_t lines = 0;
  for (size_t begin = text.find('\n') + 1; begin < text.size(); begin = text.find('\n', begin) + 1) {
    const std::string line = text.substr(begin, text.find('\n', begin) - begin);
    // a plus-minus sign takes two bytes and one column
    EXPECT_EQ(line.find("right") - size_t(std::count(line.begin(), line.end(), '\xc2')), at) << line;
    ++lines;
  }
  EXPECT_EQ(lines, 3u);
}

TEST(TimeTable, ComparesTheSameJobsAlone) {
  Record of_floats = record("cub/scan", 1 << 20, 9e-3);
  of_floats.type = "float";
  Record on_two = record("cub/scan", 1 << 20, 9e-3);
  on_two.gpus = 2;
  for (const Record& other : {record("cub/reduce", 1 << 20, 9e-3), record("cub/scan", 1 << 19, 9e-3),
                              of_floats, on_two, record("cub/scan", 1 << 20, 9e-3, {{"operator", "max"}}),
                              record("cub/scan", 1 << 20, 9e-3, {{"pattern", "ramp"}}),
                              record("cub/scan", 1 << 20, 9e-3, {{"scan", "inclusive"}}),
                              record("cub/scan", 1 << 20, 9e-3, {{"seed", "2"}})})
    EXPECT_THAT(
        line_with(time_table(recording({record("scan/a", 1 << 20, 1e-3, {{"scan", "exclusive"}}), other})),
                  "scan/a"),
        Not(HasSubstr("9.000")));
  EXPECT_THAT(
      time_table(recording({record("scan/a", 1 << 20, 1e-3, {{"scan", "exclusive"}}),
                            record("cub/scan", 1 << 20, 9e-3, {{"operator", "add"}, {"seed", "1"}})})),
      HasSubstr("9.000"));
}

TEST(TimeTable, SaysWhatSetsAJobApart) {
  const std::string text = time_table(recording({
      record("scan/a", 1 << 20, 1e-3, {{"operator", "add"}}),
      record("scan/a", 1 << 20, 1e-3, {{"operator", "max"}}),
      record("cub/scan", 1 << 20, 1e-3, {{"seed", "2"}}),
  }));
  EXPECT_THAT(text, HasSubstr("operator max"));
  EXPECT_THAT(line_with(text, "cub/scan"), HasSubstr("seed 2"));
}

TEST(Verdicts, AreOfTheFastestRightKernelAtTheLargestN) {
  Record wrong = record("scan/wrong", 1 << 20, 1e-9);
  wrong.correct = false;
  const std::string text = verdicts(recording({
      record("scan/slow", 1 << 20, 2e-3),
      record("scan/fast", 1 << 20, 1e-3),
      record("scan/fast", 1 << 10, 1e-9),
      wrong,
      record("cub/scan", 1 << 20, 1.3e-3),
      record("thrust/scan", 1 << 20, 1.4e-3),
      record("copy/scan", 1 << 20, 0.97e-3),
  }));
  EXPECT_EQ(text, "scan/fast at N = 2^20: 1.300 x CUB, 1.400 x Thrust, 0.970 x a copy\n");
}

TEST(Verdicts, OneForEachInput) {
  const std::string text = verdicts(recording({
      record("histogram/a", 1 << 20, 1e-3, {{"pattern", "random"}}),
      record("cub/histogram", 1 << 20, 2e-3, {{"pattern", "random"}}),
      record("histogram/a", 1 << 20, 1e-3, {{"pattern", "skewed"}, {"skew", "0.5"}}),
      record("cub/histogram", 1 << 20, 3e-3, {{"pattern", "skewed"}, {"skew", "0.5"}}),
      record("read/histogram", 1 << 20, 0.9e-3, {{"pattern", "random"}}),
  }));
  EXPECT_EQ(text,
            "histogram/a at N = 2^20, pattern random: 2.000 x CUB, 0.900 x a pure read\n"
            "histogram/a at N = 2^20, pattern skewed, skew 0.5: 3.000 x CUB\n");
}

TEST(Verdicts, OfTheCpuAreTbbOverOneCore) {
  const Recording run = recording({record("serial/scan", 1 << 20, 3e-3), record("tbb/scan", 1 << 20, 1e-3)});
  EXPECT_EQ(verdicts(run), "tbb/scan at N = 2^20: 3.000 x one core\n");
  EXPECT_THAT(line_with(time_table(run), "tbb/scan"), HasSubstr("3.000"));
}

TEST(RatioText, HasAsManyDigitsInTheSpread) {
  EXPECT_EQ(ratio_text({1.3124, 0.0041}), "1.312 \u00b1 0.004");
  EXPECT_EQ(ratio_text({0.0123, 0.000001}), "0.0123 \u00b1 0.0001");
  EXPECT_EQ(ratio_text({123.4, 2.5}), "123.4 \u00b1 2.5");
  EXPECT_EQ(ratio_text({2, 0}), "2.000");
  EXPECT_EQ(ratio_text({}), "-");
}

}  // namespace
}  // namespace bscope
