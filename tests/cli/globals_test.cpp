// `show --globals BLOCK`: global arrays after each interval; and steps that count through all launches.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run_support.hpp"

namespace bscope {
namespace {

using nlohmann::json;
using test::barrierscope;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<std::string> scan{"show", "scan/kogge-stone", "--values", "3,1,7,0,4,1,6,3,2,5", "--block",
                                    "4"};
json shown(std::vector<std::string> more) {
  more.insert(more.begin(), scan.begin(), scan.end());
  more.push_back("--json");
  const auto r = barrierscope(more);
  EXPECT_EQ(r.code, 0) << r.err;
  return json::parse(r.out);
}

TEST(ShowGlobals, AddsThemToTheIntervalsOfTheBlock) {
  const json plain = shown({}), with = shown({"--globals", "1"});
  json stripped = with;
  int seen = 0;
  for (auto& l : stripped["launches"])
    for (auto& i : l["intervals"]) {
      const bool here = i["block"] == 1;
      EXPECT_EQ(i.contains("global"), here);
      EXPECT_EQ(i.contains("global_content"), here);
      seen += here;
      i.erase("global");
      i.erase("global_content");
    }
  EXPECT_GT(seen, 1);
  EXPECT_EQ(stripped, plain) << "nothing else changes";

  // Block 1 of the first launch: its last interval stores its tile and the tile's total.
  const json& tiles = with["launches"][0]["intervals"];
  const json *first = nullptr, *last = nullptr;
  for (const auto& i : tiles)
    if (i["block"] == 1) {
      if (!first) first = &i;
      last = &i;
    }
  ASSERT_TRUE(last);
  EXPECT_EQ((*first)["global"]["totals"][1], 0);
  EXPECT_EQ((*first)["global_content"]["totals"][1], "identity");
  EXPECT_EQ((*last)["global"]["totals"][1], 4 + 1 + 6 + 3);
  EXPECT_EQ((*last)["global_content"]["totals"][1], "x4..x7");
  EXPECT_EQ((*last)["global"]["data"][5], 5);
  EXPECT_EQ((*last)["global_content"]["data"][5], "x4..x5");
  // Block 1 of the last launch adds the total of the tile before.
  const json& added = with["launches"].back()["intervals"][1];
  EXPECT_EQ(added["block"], 1);
  EXPECT_EQ(added["global_content"]["data"][5], "x0..x5");
  EXPECT_EQ(added["global"]["data"][5], 3 + 1 + 7 + 0 + 4 + 1);
}

TEST(ShowGlobals, StepsCountThroughLaunches) {
  int step = 0;
  const json all = shown({});
  for (const auto& l : all["launches"])
    for (const auto& i : l["intervals"]) EXPECT_EQ(i["step"], step++);
  EXPECT_GT(step, 10);
  const std::string text = barrierscope(scan).out;
  // on screen a block's steps count from 1; the number of --step follows
  EXPECT_THAT(text,
              AllOf(HasSubstr("launch 1: scan tiles"), HasSubstr("step 1 of "), Not(HasSubstr("step 0 of ")),
                    HasSubstr("--step 0\n"), HasSubstr("--step " + std::to_string(step - 1) + "\n")));
}

TEST(ShowGlobals, TextHasThemAfterEachLaunch) {
  const std::string plain = barrierscope(scan).out;
  EXPECT_THAT(plain, AllOf(HasSubstr("global arrays after launch 1: scan tiles\n"), HasSubstr("add totals\n"),
                           HasSubstr("holds totals[0] x0..x3, totals[1] x4..x7, totals[2] x8..x9"),
                           Not(HasSubstr("global arrays after step"))));
  auto with = scan;
  with.insert(with.end(), {"--globals", "1"});
  EXPECT_THAT(barrierscope(with).out, HasSubstr("global arrays after step"));
}

TEST(ShowWork, AddsAreUsesOfTheRunsOperator) {
  for (auto [op, words] : {std::pair("add", "49 adds, span 4"),
                           {"max", "49 adds (each a max), span 4"},
                           {"affine", "49 adds (each a compose), span 4"}})
    EXPECT_THAT(barrierscope({"show", "scan/kogge-stone", "--set", std::string("operator=") + op}).out,
                AllOf(HasSubstr(words), HasSubstr("textbook: adds = n log2 n - (n-1) = 49"),
                      HasSubstr("textbook: span = log2 n = 4")));
}

TEST(ShowGlobals, RefusesWhatIsNoBlock) {
  for (auto [value, words] : {std::pair("3", "its blocks are 0 to 2"),
                              {"-1", "blocks count from 0"},
                              {"x", "is not a number"},
                              {"1.5", "is not a number"}}) {
    auto args = scan;
    args.insert(args.end(), {std::string("--globals=") + value});
    const auto r = barrierscope(args);
    EXPECT_EQ(r.code, 2) << value;
    EXPECT_THAT(r.err, HasSubstr(words));
    EXPECT_EQ(r.out, "");
  }
}

}  // namespace
}  // namespace bscope
