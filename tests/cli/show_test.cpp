// What `show` and `check` say of the lesson's own example, as JSON.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/catalog/catalog.hpp"
#include "engine/simt/algorithm.hpp"
#include "tests/cli/run_support.hpp"
#include "tests/places.hpp"
#include "tests/sanitized.hpp"

namespace bscope {
namespace {

using nlohmann::json;
using test::barrierscope;
using ::testing::Contains;
using ::testing::HasSubstr;

json parsed(const std::vector<std::string>& args, int code = 0) {
  const auto r = barrierscope(args);
  EXPECT_EQ(r.code, code) << r.err;
  EXPECT_EQ(r.err, "");
  return json::parse(r.out);
}
const json& blelloch() {
  static const json j =
      parsed({"show", "scan/blelloch", "--values", "3,1,7,0,4,1,6,3", "--block", "4", "--json"});
  return j;
}
json states(const json& show) {
  json all = json::array();
  for (const auto& i : show["launches"][0]["intervals"]) all.push_back(i["shared"]["sum"]);
  return all;
}

TEST(Show, BlellochsSharedStates) {
  const json all = states(blelloch());
  const json expected = {{3, 1, 7, 0, 4, 1, 6, 3},   {3, 4, 7, 7, 4, 5, 6, 9},     {3, 4, 7, 11, 4, 5, 6, 14},
                         {3, 4, 7, 11, 4, 5, 6, 25}, {3, 4, 7, 11, 4, 5, 6, 0},    {3, 4, 7, 0, 4, 5, 6, 11},
                         {3, 0, 7, 4, 4, 11, 6, 16}, {0, 3, 4, 11, 11, 15, 16, 22}};
  // The intervals that end with another state than the one before: loading into registers may be one more.
  json distinct = json::array();
  for (const auto& s : all)
    if (distinct.empty() || s != distinct.back()) distinct.push_back(s);
  EXPECT_EQ(distinct, expected);
}

TEST(Show, BlellochsTotals) {
  const json& j = blelloch();
  EXPECT_EQ(j["format"], "barrierscope.show/1");
  EXPECT_EQ(j["kernel"], "scan/blelloch");
  EXPECT_EQ(j["device"], "cpu");
  EXPECT_EQ(j["parameters"]["block"], 4);
  EXPECT_EQ(j["input"], json({3, 1, 7, 0, 4, 1, 6, 3}));
  EXPECT_EQ(j["output"], json({0, 3, 4, 11, 11, 15, 16, 22}));
  EXPECT_EQ(j["expected"], j["output"]);
  EXPECT_EQ(j["correct"], true);
  EXPECT_EQ(j["totals"]["adds"], 14);
  EXPECT_EQ(j["launches"].size(), 1u);
  const auto& l = j["launches"][0];
  EXPECT_EQ(l["grid"], 1);
  EXPECT_EQ(l["block"], 4);
  EXPECT_THAT(l["file"].get<std::string>(), HasSubstr("blelloch.cu"));
  long adds = 0, wavefronts = 0;
  for (const auto& i : l["intervals"])
    adds += i["adds"].get<long>(), wavefronts += i["shared_wavefronts"].get<long>();
  EXPECT_EQ(adds, 14);
  EXPECT_EQ(wavefronts, j["totals"]["shared_wavefronts"]);
  EXPECT_THAT(
      j["formulas"],
      Contains(::testing::Truly([](const json& f) { return f["of"] == "adds" && f["value"] == 14; })));
  EXPECT_EQ(l["intervals"].back()["closed_by"], "exit");
  EXPECT_TRUE(l["intervals"].back()["line"].is_null());
  EXPECT_EQ(l["global"]["data"], j["output"]);
}

TEST(Show, BlellochsLastDownSweep) {
  const json& intervals = blelloch()["launches"][0]["intervals"];
  // The last interval that writes to shared memory.
  const json* last = nullptr;
  for (const auto& i : intervals)
    for (const auto& a : i["arrows"])
      if (a["to"][0] == "sum") last = &i;
  ASSERT_NE(last, nullptr);
  EXPECT_EQ((*last)["phase"], "down-sweep");
  int left = 0, right = 0;
  for (const auto& a : (*last)["arrows"]) {
    const int cell = a["to"][1].get<int>();
    if (cell % 2) {
      EXPECT_EQ(a["from"], json::array({json::array({"sum", cell - 1}), json::array({"sum", cell})}));
      EXPECT_EQ(a["operator"], "add");
      ++right;
    } else {
      EXPECT_EQ(a["from"], json::array({json::array({"sum", cell + 1})}));
      EXPECT_EQ(a["operator"], "copy");
      ++left;
    }
  }
  EXPECT_EQ(left, 4);
  EXPECT_EQ(right, 4);
}

TEST(Show, BlellochsRootHoldsAllInputsBeforeTheClear) {
  const json& intervals = blelloch()["launches"][0]["intervals"];
  int seen = 0;
  for (size_t k = 1; k < intervals.size(); ++k)
    if (intervals[k]["shared"]["sum"][7] == 0) {
      EXPECT_EQ(intervals[k - 1]["content"]["sum"][7], "x0..x7");
      EXPECT_EQ(intervals[k]["content"]["sum"][7], "identity");
      ++seen;
      break;
    }
  EXPECT_EQ(seen, 1);
}

TEST(Check, ProvesBlelloch) {
  const json j = parsed({"check", "scan/blelloch", "--json"});
  EXPECT_EQ(j["format"], "barrierscope.check/1");
  EXPECT_EQ(j["correct"], true);
  EXPECT_EQ(j["hazards"], json::array());
  EXPECT_EQ(j["findings"], json::array());
  EXPECT_EQ(j["proof"]["holds"], true);
  EXPECT_EQ(j["proof"]["operators"], "associative");
  EXPECT_EQ(j["snapshots_match_replay"], true);
}

TEST(Check, FailsOnARaceWithOneObject) {
  const json j = parsed({"check", "histogram/racy", "--preset", "queue-7x20", "--json"}, 1);
  EXPECT_FALSE(j["hazards"].empty());
  EXPECT_EQ(j["hazards"][0]["lines"].size(), 2u);
  EXPECT_NE(j["hazards"][0]["sentence"], "");
  EXPECT_EQ(barrierscope({"show", "histogram/racy", "--preset", "queue-7x20", "--json"}).code, 0)
      << "`show` of a wrong result is done";
}

class CheckInFolder : public test::Folder {};
TEST_F(CheckInFolder, KeepsTheTraceThatWasJudged) {
  const json judged = parsed({"check", "histogram/racy", "--json", "-o", in("kept.bscope")}, 1);
  EXPECT_EQ(parsed({"check", in("kept.bscope"), "--json"}, 1), judged);
  barrierscope({"trace", "histogram/racy", "-o", in("traced.bscope")});
  EXPECT_EQ(test::read_file(in("kept.bscope")), test::read_file(in("traced.bscope")));
}

TEST(Show, QueuesOfThePreset) {
  auto totals = [](const char* kernel) {
    return parsed({"show", kernel, "--preset", "queue-7x20", "--json"})["totals"];
  };
  EXPECT_EQ(totals("histogram/global-atomics")["longest_global_queue"], 140);
  const json shared = totals("histogram/shared-atomics");
  EXPECT_EQ(shared["longest_shared_queue"], 20);
  EXPECT_EQ(shared["longest_global_queue"], 7);
  const json racy = totals("histogram/racy");
  EXPECT_GT(racy["lost_updates"], 0);
  EXPECT_EQ(racy["lost_updates"], totals("histogram/racy")["lost_updates"]) << "not reproducible";
}

TEST(Show, FloatsAndNeverWrittenCells) {
  const json j =
      parsed({"show", "scan/kogge-stone", "--values", "0.5,0.1,1e30", "--set", "type=float", "--json"});
  EXPECT_EQ(j["input"], json({0.5, 0.1, 1e30}));
  EXPECT_EQ(j["launches"][0]["global"]["data"], j["output"]) << "one number in two spellings";
  EXPECT_EQ(j["launches"][0]["arrays"][0]["type"], "float");
}

// Rows of an array that was declared with them begin lines of their own, column below column.
TEST(Show, TwoBuffersStandBelowEachOther) {
  const auto text =
      barrierscope({"show", "scan/hillis-steele", "--values", "3,1,7,0,4,1,6,3", "--block", "8"});
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("\n  sum     3   1   7   0   4   1   6   3\n"
                                  "          0   1   2   3   4   5   6   7\n"
                                  "  sum    [3] [4] [8] [7] [4] [5] [7] [9]\n"
                                  "          8   9  10  11  12  13  14  15\n"));
  EXPECT_EQ(parsed({"show", "scan/hillis-steele", "--json"})["launches"][0]["arrays"][0]["rows"], 2);
  EXPECT_FALSE(blelloch()["launches"][0]["arrays"][0].contains("rows"));
}

TEST(List, NamesEveryKernel) {
  const json j = parsed({"list", "--json"});
  EXPECT_EQ(j["format"], "barrierscope.list/1");
  ASSERT_EQ(j["kernels"].size(), catalog().size());
  for (const auto& k : j["kernels"]) {
    for (const char* key :
         {"name", "title", "lesson", "parameters", "presets", "default_n", "default_block", "source"})
      EXPECT_TRUE(k.contains(key)) << k["name"] << " lacks " << key;
    EXPECT_TRUE(
        std::filesystem::exists(std::filesystem::path(BARRIERSCOPE_ROOT) / k["source"].get<std::string>()));
    EXPECT_GE(k["default_block"], 1);
  }
  const auto played =
      std::ranges::find(j["lessons"], "room-for-blocks", [](const json& l) { return l["name"]; });
  ASSERT_NE(played, j["lessons"].end());
  EXPECT_EQ((*played)["programs"][0]["device_model"], "sm_90");
  const auto text = barrierscope({"list"});
  EXPECT_EQ(text.code, 0);
  for (const Algorithm* a : catalog()) EXPECT_THAT(text.out, HasSubstr(a->name));
}

// Every kernel can be shown, checked and printed as text, at sizes that do and do not fill their tiles.
TEST(Show, EveryKernelAtSeveralSizes) {
  for (const Algorithm* a : catalog())
    for (const char* n : test::all_or_part<std::vector<const char*>>({"1", "13", "40"}, {"13"})) {
      const json j = parsed({"show", a->name, "--n", n, "--json"});
      EXPECT_EQ(j["format"], "barrierscope.show/1");
      EXPECT_EQ(barrierscope({"show", a->name, "--n", n}).code, 0);
      const auto check = barrierscope({"check", a->name, "--n", n});
      EXPECT_THAT(check.code, ::testing::AnyOf(0, 1)) << check.err;
    }
}

}  // namespace
}  // namespace bscope
