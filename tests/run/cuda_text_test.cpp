// The CUDA programs of the catalog's kernels, line by line beside the dialect.
#include "app/run/cuda_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "app/run/run.hpp"
#include "app/tabs/watch/steps.hpp"
#include "engine/analysis/barrier_lines.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/run_spec.hpp"
#include "tests/at_once.hpp"

namespace bscope {
namespace {

using testing::HasSubstr;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> all;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}
std::shared_ptr<const Run> run_of(const std::string& kernel, bool in_cuda) {
  return open_run({.kernel = kernel}, Device::cpu, {}, in_cuda);
}

class EveryCudaText : public testing::TestWithParam<std::string> {
 protected:
  const CudaText& text = *cuda_text_of(GetParam());
};

TEST_P(EveryCudaText, NamesLinesOfBothTexts) {
  const auto program = lines_of(text.text);
  ASSERT_FALSE(program.empty());
  EXPECT_FALSE(text.lines.empty());
  for (const auto& [place, in_cuda] : text.lines) {
    const auto dialect = lines_of(source_text(place.first));
    ASSERT_TRUE(place.second >= 1 && place.second <= int(dialect.size()))
        << place.first << ":" << place.second;
    ASSERT_FALSE(in_cuda.empty());
    for (const int line : in_cuda) {
      ASSERT_TRUE(line >= 1 && line <= int(program.size())) << line;
      EXPECT_NE(program[size_t(line) - 1].find_first_not_of(" }"), std::string::npos) << line;
    }
  }
}

TEST_P(EveryCudaText, OnlyLinesAndWordsDiffer) {
  const auto dialect = run_of(GetParam(), false), cuda = run_of(GetParam(), true);
  EXPECT_EQ(why_not_in_cuda(dialect->trace).english(), "");
  ASSERT_EQ(cuda->trace.dialect, Dialect::ours_in_cuda) << "a line that touches memory is not known";
  ASSERT_EQ(cuda->trace.sources.size(), 1u);
  EXPECT_EQ(cuda->trace.sources[0].path, text.path);
  EXPECT_EQ(lines_of(cuda->trace.sources[0].text).size(), lines_of(text.text).size());
  for (const auto& [part, constant] : text.constants)  // the text is of this run
    if (const std::string value = parameter_of(cuda->trace, part); as_whole(value)) {
      EXPECT_THAT(cuda->trace.sources[0].text, HasSubstr(constant + " = " + value));
    }
  ASSERT_EQ(cuda->trace.launches.size(), dialect->trace.launches.size());
  const int lines = int(lines_of(text.text).size());
  for (size_t k = 0; k < cuda->trace.launches.size(); ++k) {
    const Launch &a = dialect->trace.launches[k], &b = cuda->trace.launches[k];
    for (size_t block = 0; block < a.blocks.size(); ++block) {
      auto events = b.blocks[block].events;
      ASSERT_EQ(events.size(), a.blocks[block].events.size());
      for (size_t e = 0; e < events.size(); ++e) {
        const int line = a.blocks[block].events[e].line;  // 0: it stands in none
        ASSERT_TRUE(line == 0 ? events[e].line == 0 : events[e].line >= 1 && events[e].line <= lines);
        events[e].line = uint16_t(line);
      }
      EXPECT_EQ(events, a.blocks[block].events);
    }
  }
  EXPECT_EQ(cuda->report.output, dialect->report.output);
  EXPECT_EQ(cuda->report.flow.hazards_found, dialect->report.flow.hazards_found);
  EXPECT_EQ(cuda->report.flow.intervals.size(), dialect->report.flow.intervals.size());
}

// A click on a barrier of the program leaves the dialect's out, and its line is known again.
TEST_P(EveryCudaText, EachBarrierIsOneOfTheDialects) {
  LoadedState s = opened({}, {.request = {.kernel = GetParam()}}, Where::nowhere);
  ASSERT_TRUE(s.run) << s.error.english();
  for (const int line : barrier_lines(s.run->trace, s.run->report.flow, 0).met) {
    SCOPED_TRACE(line);
    EXPECT_THAT(lines_of(text.text)[size_t(line) - 1], HasSubstr("sync"));
    const LoadedState asked = turn_barrier(s, line);
    ASSERT_TRUE(asked.wanted);
    EXPECT_FALSE(asked.wanted->schedule.without.empty());
    const LoadedState without = opened(s, *asked.wanted, Where::nowhere);
    ASSERT_EQ(without.error.english(), "");
    EXPECT_TRUE(barrier_lines(without.run->trace, without.run->report.flow, 0).left_out.contains(line));
    EXPECT_TRUE(turn_barrier(without, line).wanted->schedule.without.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryCudaText, testing::ValuesIn([] {
                           std::vector<std::string> all;
                           for (const CudaText& t : cuda_texts()) all.push_back(t.kernel);
                           return all;
                         }()),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace_if(
                               name, [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

TEST(CudaTexts, ARunThatNoProgramHasStaysInTheDialectAndSaysWhy) {
  RunSpec request{.kernel = "scan/blelloch"};
  request.set = {{"operator", "max"}};
  const auto run = open_run(request, Device::cpu, {}, true);
  EXPECT_EQ(run->trace.dialect, Dialect::ours);
  EXPECT_EQ(why_not_in_cuda(run->trace).english(), "no CUDA program with operator = max");
}

TEST(CudaTexts, TheLineStaysTheSameInTheOtherText) {
  LoadedState s = opened({}, {.request = {.kernel = "scan/blelloch"}}, Where::nowhere);
  const auto line_with = [](const LoadedState& in, const std::string& words) {
    const auto all = lines_of(in.run->trace.sources[0].text);
    return 1 +
           int(std::ranges::find_if(all, [&](const auto& l) { return l.find(words) != std::string::npos; }) -
               all.begin());
  };
  s.cursor.line = line_with(s, "sum[right] += left");
  s = show_dialect(std::move(s), true);
  ASSERT_TRUE(s.wanted);
  s = opened(s, *s.wanted, Where::nowhere);
  EXPECT_EQ(s.run->trace.dialect, Dialect::ours);
  EXPECT_EQ(s.cursor.line, line_with(s, "sum[right] += left"));
  s = show_dialect(std::move(s), false);
  s = opened(s, *s.wanted, Where::nowhere);
  EXPECT_EQ(s.run->trace.dialect, Dialect::ours_in_cuda);
  EXPECT_EQ(s.cursor.line, line_with(s, "sum[right] += left"));
}

TEST(CudaTexts, AProgramIsWrittenInTheSizesThatAreAsked) {
  const CudaText& text = *cuda_text_of("scan/blelloch");
  const std::string program = program_with(text, {{"n", "1000"}, {"block", "128"}, {"operator", "add"}});
  EXPECT_THAT(program, HasSubstr("N = 1000, BLOCK = 128"));
  EXPECT_EQ(why_no_program(text, {{"n", "1000"}, {"operator", "add"}}).english(), "");
  EXPECT_EQ(why_no_program(text, {{"operator", "min"}}).english(), "no CUDA program with operator = min");
}

}  // namespace
}  // namespace bscope
