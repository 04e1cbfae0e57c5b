// From a request to a problem: defaults, and one clear sentence for everything that cannot be.
#include "engine/simt/problem.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/edit_distance.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/trace/error.hpp"

namespace bscope::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal(const std::string& kernel, const RunSpec& r) {
  try {
    make_problem(find(kernel), r);
    return "accepted";
  } catch (const UsageError& e) { return e.what(); }
}

TEST(EditDistance, CountsSwappedLettersAsOneMistake) {
  EXPECT_EQ(edit_distance("show", "show"), 0u);
  EXPECT_EQ(edit_distance("shw", "show"), 1u);
  EXPECT_EQ(edit_distance("hsow", "show"), 1u);
  EXPECT_EQ(edit_distance("ca", "abc"), 3u) << "no letter is edited twice";
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  const std::vector<std::string> names{"n", "block", "seed", "values"};
  EXPECT_EQ(nearest_name("n", names), "n");
  EXPECT_EQ(nearest_name("x", names), "");
  EXPECT_EQ(nearest_name("blokc", names), "block");
  EXPECT_EQ(nearest_name("vlaeus", names), "values");
  EXPECT_EQ(nearest_name("bogus", names), "");
}

TEST(Catalog, IsSortedByFamilyAndRung) {
  std::vector<std::string> names;
  for (const Algorithm* a : catalog()) names.push_back(a->name);
  const std::vector<std::string> first{"reduce/tree-mask",        "reduce/shared",
                                       "scan/kogge-stone",        "scan/blelloch",
                                       "histogram/racy",          "histogram/global-atomics",
                                       "histogram/shared-atomics"};
  std::vector<std::string> those;
  for (const auto& n : names)
    if (std::find(first.begin(), first.end(), n) != first.end()) those.push_back(n);
  EXPECT_EQ(those, first);
  EXPECT_THAT(names, Each(testing::Not(HasSubstr("skeleton"))));
}

TEST(Find, NamesTheNearest) {
  auto sentence = [](const char* name) {
    try {
      find(name);
      return std::string();
    } catch (const UsageError& e) { return std::string(e.what()); }
  };
  EXPECT_THAT(sentence("scan/bleloch"),
              AllOf(HasSubstr("\"scan/bleloch\""), HasSubstr("did you mean scan/blelloch?")));
  EXPECT_THAT(sentence("kogge-stone"), HasSubstr("scan/kogge-stone"));
  EXPECT_THAT(sentence("zzzzzzzzzzzz"), HasSubstr("`barrierscope list`"));
  EXPECT_THAT(sentence(""), HasSubstr("There is no kernel \"\""));
}

TEST(Defaults, AreSixteenElementsInTheSmallestBlockThatHoldsThem) {
  const Problem p = make_problem(find("scan/blelloch"), {});
  EXPECT_EQ(p.n(), 16);
  EXPECT_EQ(p.block, 8);
  EXPECT_EQ(p.text("type"), "int32");
  EXPECT_THAT(p.data, Each(AllOf(testing::Ge(0), testing::Le(9))));
  EXPECT_EQ(make_problem(find("scan/kogge-stone"), {}).block, 16);
  EXPECT_EQ(make_problem(find("histogram/racy"), {}).n(), 224);
  EXPECT_EQ(make_problem(find("histogram/racy"), {})["bins"], 256);
  RunSpec r;
  r.n = 5;
  EXPECT_EQ(make_problem(find("scan/kogge-stone"), r).block, 8);
  r.n = 1;
  EXPECT_EQ(make_problem(find("scan/blelloch"), r).block, 1);
  r.n = 1 << 16;
  EXPECT_EQ(make_problem(find("scan/blelloch"), r).block, find("scan/blelloch").full_block);
  r.n = 64;
  r.set = {{"unroll", "4"}};
  EXPECT_EQ(make_problem(find("reduce/shared"), r).block, 16);
}

TEST(Defaults, TheSameSeedGivesTheSameInput) {
  RunSpec r;
  const auto once = make_problem(find("scan/blelloch"), r).data;
  EXPECT_EQ(make_problem(find("scan/blelloch"), r).data, once);
  r.seed = 2;
  EXPECT_NE(make_problem(find("scan/blelloch"), r).data, once);
}

TEST(Patterns, AreWhatTheyAreCalled) {
  RunSpec r;
  r.n = 40;
  r.pattern = "ones";
  EXPECT_THAT(make_problem(find("scan/blelloch"), r).data, Each(1));
  r.pattern = "sine";
  const auto sine = make_problem(find("scan/blelloch"), r).data;
  EXPECT_EQ(sine[25], double(int(10 * std::sin(0.02 * 3.14 * 25))));
  r.pattern = "ramp";
  EXPECT_EQ(make_problem(find("scan/blelloch"), r).data[39], 39);
  for (const char* pattern : {"ones", "ramp", "random", "sine", "skewed"})
    for (const char* bins : {"1", "7", "256"}) {
      RunSpec h;
      h.n = 1000;
      h.pattern = pattern;
      h.set = {{"bins", bins}};
      EXPECT_THAT(make_problem(find("histogram/racy"), h).data,
                  Each(AllOf(testing::Ge(0), testing::Lt(std::stoi(bins)))));
    }
}

TEST(Skew, IsTheShareOfOneKey) {
  RunSpec r;
  r.n = 4000;
  r.skew = 1;
  const auto one = make_problem(find("histogram/racy"), r).data;
  EXPECT_THAT(one, Each(one[0]));
  r.skew = 0.5;
  const auto half = make_problem(find("histogram/racy"), r).data;
  EXPECT_NEAR(double(std::count(half.begin(), half.end(), one[0])), 2000, 150);
}

TEST(LegalBlocks, ArePowersOfTwoWhereTheTreeNeedsThem) {
  EXPECT_EQ(legal_blocks(find("scan/kogge-stone")).size(), 1024u);
  EXPECT_THAT(legal_blocks(find("scan/blelloch")), ElementsAre(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024));
}

TEST(BadUsage, Sizes) {
  EXPECT_THAT(refusal("scan/blelloch", {.n = 0}), HasSubstr("--n 0 is too small"));
  EXPECT_THAT(refusal("scan/blelloch", {.n = -5}), HasSubstr("--n -5"));
  EXPECT_THAT(refusal("scan/blelloch", {.n = 1ll << 40}), HasSubstr("use at most --n"));
  EXPECT_THAT(refusal("scan/blelloch", {.block = 1025}), HasSubstr("takes 1 to 1024 threads"));
  EXPECT_THAT(refusal("scan/blelloch", {.block = 0}), HasSubstr("--block 0"));
  EXPECT_THAT(refusal("scan/blelloch", {.block = 48}), HasSubstr("needs a power of two, e.g. 32 or 64"));
  EXPECT_EQ(refusal("scan/kogge-stone", {.block = 48}), "accepted");
}

TEST(BadUsage, Settings) {
  EXPECT_THAT(refusal("scan/blelloch", {.set = {{"tipe", "int32"}}}),
              AllOf(HasSubstr("no parameter \"tipe\""), HasSubstr("use scan, operator or type.")));
  EXPECT_THAT(refusal("scan/blelloch", {.set = {{"type", "int"}}}), HasSubstr("use int32, float or double."));
  EXPECT_THAT(refusal("reduce/tree-mask", {.set = {{"of", "roots"}}}),
              HasSubstr("use sum, squares or cubes."));
  EXPECT_THAT(refusal("reduce/shared", {.set = {{"operator", "affine"}}}),
              AllOf(HasSubstr("not for this algorithm"), HasSubstr("x0 meets x8 before x1")));
  EXPECT_THAT(refusal("scan/blelloch", {.set = {{"operator", "affine"}, {"type", "float"}}}),
              HasSubstr("leave out --set type=float"));
  for (const char* bins : {"0", "257", "x", "", "16.5", "99999999999999999999"})
    EXPECT_THAT(refusal("histogram/racy", {.set = {{"bins", bins}}}), HasSubstr("whole number from 1 to 256"))
        << bins;
}

TEST(BadUsage, Values) {
  EXPECT_THAT(refusal("scan/blelloch", {.values = {{1, 2.5}}}),
              HasSubstr("Value 2.5 (number 2 of the input) is no int32"));
  EXPECT_THAT(refusal("scan/blelloch", {.values = {{3e9}}}), HasSubstr("is no int32"));
  EXPECT_THAT(refusal("scan/blelloch", {.values = {{NAN}}}), HasSubstr("is no int32"));
  EXPECT_THAT(refusal("scan/blelloch", {.values = {{1e39}}, .set = {{"type", "float"}}}),
              HasSubstr("range of float"));
  EXPECT_THAT(refusal("scan/blelloch", {.values = {{INFINITY}}, .set = {{"type", "double"}}}),
              HasSubstr("range of double"));
  EXPECT_EQ(refusal("scan/blelloch", {.values = {{1, 2.5}}, .set = {{"type", "float"}}}), "accepted");
  EXPECT_THAT(refusal("scan/blelloch", {.values = std::vector<double>{}}), HasSubstr("holds no value"));
  EXPECT_THAT(
      refusal("histogram/racy", {.values = {{1, 2, 300, 400}}}),
      HasSubstr(
          "Key 300 (number 3 of the input) falls in none of the 256 bins: use whole numbers from 0 to 255."));
  EXPECT_THAT(refusal("histogram/racy", {.values = {{16}}, .set = {{"bins", "16"}}}),
              HasSubstr("none of the 16 bins"));
  EXPECT_THAT(refusal("histogram/racy", {.values = {{-1}}}), HasSubstr("Key -1"));
}

TEST(BadUsage, Inputs) {
  EXPECT_THAT(refusal("scan/blelloch", {.pattern = "wild"}),
              HasSubstr("use ones, ramp, random, sine or skewed."));
  EXPECT_THAT(refusal("scan/blelloch", {.skew = 0.5}), HasSubstr("--skew is for histograms"));
  EXPECT_THAT(refusal("histogram/racy", {.skew = 1.5}), HasSubstr("between 0 (uniform) and 1"));
  EXPECT_THAT(refusal("histogram/racy", {.skew = NAN}), HasSubstr("between 0 (uniform) and 1"));
  EXPECT_THAT(refusal("histogram/racy", {.pattern = "ones", .skew = 0.5}), HasSubstr("leave out --pattern"));
  EXPECT_THAT(refusal("scan/blelloch", {.n = 3, .values = {{1, 2}}}),
              HasSubstr("--n says 3 and --values holds 2"));
  EXPECT_THAT(refusal("scan/blelloch", {.values = {{1}}, .input_file = "x"}), HasSubstr("both given"));
  EXPECT_THAT(refusal("scan/blelloch", {.values = {{1}}, .pattern = "ones"}),
              HasSubstr("leave out --pattern"));
  EXPECT_THAT(refusal("scan/blelloch", {.preset = "queue-7x20"}), HasSubstr("it has none at all"));
  EXPECT_THAT(refusal("histogram/racy", {.preset = "queue"}), HasSubstr("use queue-7x20."));
  EXPECT_THAT(refusal("histogram/racy", {.n = 7, .preset = "queue-7x20"}), HasSubstr("leave out --n"));
}

class Files : public testing::Test {
 protected:
  std::string path_ = testing::TempDir() + "barrierscope_numbers_" +
                      testing::UnitTest::GetInstance()->current_test_info()->name();
  void TearDown() override { std::remove(path_.c_str()); }
  void write(const std::string& text) { std::ofstream(path_, std::ios::binary) << text; }
  std::string refusal() {
    try {
      read_numbers(path_);
      return "accepted";
    } catch (const UsageError& e) {
      EXPECT_THAT(e.what(), HasSubstr(path_));
      return e.what();
    }
  }
};
TEST_F(Files, NumbersAreSeparatedBySpaceOrCommas) {
  write("# a comment\n3, 1\t7\r\n0,-4 +1  2.5e1 # the rest, 9\n\n6");
  EXPECT_THAT(read_numbers(path_), ElementsAre(3, 1, 7, 0, -4, 1, 25, 6));
}
TEST_F(Files, TheSameSeparatorsAsWhereNumbersAreTyped) {
  write("[3; 1; 7]\n\"0\",'4'");
  EXPECT_THAT(read_numbers(path_), ElementsAre(3, 1, 7, 0, 4));
}
TEST_F(Files, Infinite) {
  write("1 inf");
  EXPECT_THAT(refusal(), HasSubstr("\"inf\" is not a number"));
}
TEST_F(Files, Missing) { EXPECT_THAT(refusal(), HasSubstr("there is no file")); }
TEST_F(Files, Empty) {
  write("");
  EXPECT_THAT(refusal(), HasSubstr("holds no number"));
}
TEST_F(Files, OnlyComments) {
  write("# nothing\n");
  EXPECT_THAT(refusal(), HasSubstr("holds no number"));
}
TEST_F(Files, NoNumber) {
  write("1 2\n3 four");
  EXPECT_THAT(refusal(), HasSubstr("line 2: \"four\" is not a number"));
}
TEST_F(Files, Binary) {
  write(std::string("\x7f\x45LF\0\0\1", 7));
  EXPECT_THAT(refusal(), HasSubstr("is a binary file"));
}
TEST_F(Files, BinaryWithoutZeros) {
  write("\xfd\xfe\x80\x81");
  EXPECT_THAT(refusal(), HasSubstr("\"????\" is not a number"));
}
TEST_F(Files, Folder) {
  std::filesystem::create_directory(path_);
  EXPECT_THAT(refusal(), HasSubstr("is a folder"));
}
TEST_F(Files, Huge) {
  std::ofstream file(path_, std::ios::binary);
  file.seekp((256 << 20) + 1);
  file << "1";
  file.close();
  EXPECT_THAT(refusal(), HasSubstr("too large"));
}

}  // namespace
}  // namespace bscope::test
