#include "app/session/typed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/parts/fuzzy.hpp"
#include "engine/analysis/run.hpp"
#include "tests/at_once.hpp"
#include "tests/places.hpp"
#include "tests/session/opened.hpp"

namespace bscope {
namespace {

using testing::HasSubstr;
using Numbers = std::vector<double>;

std::string refusal(const std::string& text) {
  try {
    numbers_in(text);
  } catch (const UsageError& e) { return e.what(); }
  return "";
}

TEST(Typed, NumbersComeAsPeopleWriteThem) {
  EXPECT_EQ(numbers_in("3,1 7\t0\n4;1\r\n"), (Numbers{3, 1, 7, 0, 4, 1}));
  EXPECT_EQ(numbers_in("[3, +1, -7.5e1]"), (Numbers{3, 1, -75}));
  EXPECT_EQ(numbers_in("\"3\",\"1\"\n# sums\n7 # seven"), (Numbers{3, 1, 7}));
  EXPECT_EQ(numbers_in("3，1；7、0"), (Numbers{3, 1, 7, 0}));  // as a Chinese keyboard types them
  EXPECT_EQ(numbers_in(" \n"), Numbers{});
}

TEST(Typed, ARefusalNamesTheWordAndItsLine) {
  EXPECT_THAT(refusal("1 2\n3 four"), HasSubstr("line 2: \"four\" is not a number"));
  EXPECT_THAT(refusal("1.2.3"), HasSubstr("\"1.2.3\""));
  EXPECT_THAT(refusal("nan"), HasSubstr("nan"));
  EXPECT_THAT(refusal("inf"), HasSubstr("inf"));
  EXPECT_THAT(refusal("0x10"), HasSubstr("0x10"));
  EXPECT_THAT(refusal("1e999"), HasSubstr("1e999"));
  // never through the middle of a character
  EXPECT_THAT(refusal("aaaaaaaaaaaaaaaaaaaaaaa\xe6\x95\xb0zzz"), HasSubstr("\xe6\x95\xb0\""));
}

TEST(Typed, ValuesAreTheOpenKernelsInput) {
  LoadedState s = with_values(opened_on("reduce/shared"), {1, 2, 3}, Where::file);
  EXPECT_EQ(s.run->trace.kernel, "reduce/shared");
  EXPECT_EQ(s.run->report.input, (Numbers{1, 2, 3}));
  const auto run = s.run;
  s = with_values(std::move(s), {0.5}, Where::file);  // of integers
  EXPECT_EQ(s.run, run);
  EXPECT_EQ(s.error_at, Where::file);
}

TEST(Typed, FilesAreOpenedAsWhatTheyAre) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "barrierscope-typed";
  fs::create_directories(folder / "empty");
  std::ofstream(folder / "n.txt") << "5 6 7";
  std::ofstream(folder / "r.json") << "{}";
  std::ofstream(folder / "t.bscope") << "no trace";
  Opening o = opened_path(opened_on("scan/kogge-stone"), (folder / "n.txt").string());
  EXPECT_EQ(o.state.run->report.input, (Numbers{5, 6, 7}));
  EXPECT_THAT(o.notice, HasSubstr("n.txt"));
  o = opened_path(opened_on("scan/kogge-stone"), (folder / "r.json").string());
  EXPECT_EQ(o.recording, (folder / "r.json").string());
  for (const char* name : {"t.bscope", "missing", "empty"}) {
    o = opened_path(opened_on("scan/kogge-stone"), (folder / name).string());
    EXPECT_EQ(o.state.error_at, Where::file) << name;
    EXPECT_FALSE(o.state.error.empty()) << name;
    EXPECT_EQ(o.state.run->trace.kernel, "scan/kogge-stone") << name;
    EXPECT_EQ(o.notice, "") << name;
  }
  // an image is counted: another family's kernel gives way to a histogram
  const std::string image = BARRIERSCOPE_ROOT "/assets/inputs/night.png";
  o = opened_path(opened_on("scan/kogge-stone"), image);
  EXPECT_EQ(o.state.run->trace.kernel, "histogram/shared-atomics");
  EXPECT_TRUE(o.state.target.request.image);
  EXPECT_EQ(o.state.target.request.input_name, "night.png");
  std::ofstream(folder / "i.png") << "png";
  o = opened_path(opened_on("scan/kogge-stone"), (folder / "i.png").string());
  EXPECT_EQ(o.state.error_at, Where::file);
  EXPECT_EQ(o.state.run->trace.kernel, "scan/kogge-stone");
  fs::remove_all(folder);
}

int score(const char* typed, const char* text) {
  const auto m = fuzzy(typed, text);
  return m ? m->score : -1000;
}

TEST(Fuzzy, FindsLettersInOrder) {
  EXPECT_TRUE(fuzzy("bk", "Brent-Kung"));
  EXPECT_TRUE(fuzzy("", "anything"));
  EXPECT_TRUE(fuzzy("kogge stone", "Kogge-Stone"));
  EXPECT_FALSE(fuzzy("kb", "Brent-Kung"));
  EXPECT_FALSE(fuzzy("brentkungs", "Brent-Kung"));
  EXPECT_EQ(fuzzy("bk", "Brent-Kung")->bytes, (std::vector<int>{0, 6}));
  EXPECT_EQ(fuzzy("\xe6\x89\xab", "\xe4\xb8\x8a\xe6\x89\xab")->bytes, (std::vector<int>{3}));
  // not the middle of one character and the beginning of another
  EXPECT_FALSE(fuzzy("\xe6\x89\xab", "\xe6\x89\xaa\xe6\x8a\xab"));
}

TEST(Fuzzy, WordsAndRunsCountMost) {
  EXPECT_GT(score("zoom", "Zoom in"), score("zoom", "Change zero of our memory"));
  EXPECT_GT(score("bp", "Blelloch, padded"), score("bp", "Bumps"));
  EXPECT_GT(score("undo", "Undo"), score("undo", "Undo the last of all the changes"));
}

TEST(Typed, AFilesNameIsNoPath) {
  EXPECT_EQ(file_name_of("scan/kogge-stone"), "kogge-stone");
  EXPECT_EQ(file_name_of("kogge_stone2"), "kogge_stone2");
  for (const char* kernel : {"", "/", "x/", "x/..", "..", "x/---"})
    EXPECT_EQ(file_name_of(kernel), "run") << kernel;
  for (const char* kernel : {"x/../../etc/passwd", "x//etc/passwd", "x/a\\b:c\n.", "../../a"})
    EXPECT_EQ(file_name_of(kernel).find_first_of("/.\\:\n"), std::string::npos) << kernel;
  EXPECT_LE(file_name_of(std::string(5000, 'a')).size(), 60u);
}

}  // namespace
}  // namespace bscope
