// The gallery of mistakes: each fails for real at every size and schedule where it can fail, `check` says
// what is wrong in words, and what the fix names is right.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/run/verdict.hpp"
#include "engine/analysis/out_of_bounds.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/simt/algorithm.hpp"
#include "tests/cli/run_support.hpp"
#include "tests/sanitized.hpp"

namespace bscope {
namespace {

using nlohmann::json;
using test::barrierscope;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<std::string> schedules{"auto",      "to-barrier", "lockstep",  "shuffle:1",
                                         "shuffle:2", "shuffle:7",  "shuffle:99"};

struct Checked {
  int code;
  json said;
  std::string text;
};
Checked checked(std::vector<std::string> args) {
  args.insert(args.begin(), "check");
  const auto text = barrierscope(args);
  args.push_back("--json");
  const auto r = barrierscope(args);
  EXPECT_EQ(r.err, "");
  EXPECT_EQ(text.code, r.code);
  return {r.code, json::parse(r.out), text.out};
}
Checked checked(const std::string& kernel, int n, int block, const std::string& schedule,
                std::vector<std::string> more = {}) {
  std::vector<std::string> args{kernel,       "--n",   std::to_string(n), "--block", std::to_string(block),
                                "--schedule", schedule};
  args.insert(args.end(), more.begin(), more.end());
  return checked(args);
}
/// A line of a mistake's source: the first that holds these words.
int line_of(const std::string& kernel, const std::string& words) {
  const std::string text(source_text(find(kernel).source));
  const size_t at = text.find(words);
  EXPECT_NE(at, std::string::npos) << words;
  return 1 + int(std::count(text.begin(), text.begin() + long(std::min(at, text.size())), '\n'));
}
std::string in_line(const std::string& kernel, const std::string& words) {
  return "line " + std::to_string(line_of(kernel, words));
}

// The rule of the whole catalog, at its defaults.
TEST(Catalog, LaddersPassAndMistakesFail) {
  for (const Algorithm* a : catalog()) {
    const auto c = checked({a->name});
    const bool wrong = a->family() == "mistakes" || a->name == "histogram/racy";
    EXPECT_EQ(c.code, wrong ? 1 : 0) << a->name << "\n" << c.text;
    EXPECT_EQ(c.said["passed"], !wrong) << a->name;
    EXPECT_EQ(c.said.contains("fix"), a->family() == "mistakes") << a->name;
    if (a->fix.empty()) continue;
    EXPECT_EQ(c.said["fix"], a->fix);
    EXPECT_THAT(c.text, HasSubstr("fix: "));
    EXPECT_THAT(barrierscope({"show", a->name}).out, HasSubstr("fix: "));
  }
}

TEST(Catalog, ListsEveryMend) {
  const json all = json::parse(barrierscope({"list", "--json"}).out);
  for (const auto& k : all["kernels"]) {
    const bool mistake = k["name"].get<std::string>().starts_with("mistakes/");
    EXPECT_EQ(k.contains("fix"), mistake) << k["name"];
    if (mistake) { EXPECT_EQ(k["fix"], find(k["name"].get<std::string>()).fix); }
  }
  EXPECT_THAT(barrierscope({"list"}).out, HasSubstr("fix: A tile ends before the next one begins"));
}

TEST(Catalog, SaysWhyAnOperatorIsRefused) {
  const json all = json::parse(barrierscope({"list", "--json"}).out);
  int refused = 0;
  for (const auto& k : all["kernels"])
    for (const auto& p : k["parameters"])
      for (const auto& r : p.value("refused", json::array())) {
        EXPECT_FALSE(r["why"].get<std::string>().empty());
        const auto run = barrierscope({"check", k["name"], "--set",
                                       p["name"].get<std::string>() + "=" + r["value"].get<std::string>()});
        EXPECT_EQ(run.code, 2);
        EXPECT_THAT(run.err, HasSubstr(r["why"].get<std::string>()));
        ++refused;
      }
  EXPECT_GT(refused, 0);
}

TEST(MissingBarrier, IsAHazardFromFourThreadsOn) {
  const std::string kernel = "mistakes/missing-barrier", where = in_line(kernel, "s[i] += s[i + stride]");
  for (int block : test::all_or_part<std::vector<int>>({4, 16, 32, 64, 256}, {4, 64}))
    for (int n : test::all_or_part<std::vector<int>>({1, 7, 16, 100, 300}, {1, 100}))
      for (const auto& schedule : schedules) {
        const auto c = checked(kernel, n, block, schedule);
        SCOPED_TRACE(kernel + " n " + std::to_string(n) + " block " + std::to_string(block) + " " + schedule);
        ASSERT_EQ(c.code, 1);
        ASSERT_FALSE(c.said["hazards"].empty());
        for (const auto& h : c.said["hazards"]) {
          EXPECT_EQ(h["array"], "s");
          const std::string sentence = h["sentence"];
          EXPECT_THAT(sentence,
                      AllOf(HasSubstr("s[" + std::to_string(h["index"].get<int>()) + "]"), HasSubstr(where),
                            HasSubstr("between two rounds of the loop"),
                            HasSubstr("hread " + std::to_string(h["threads"][0].get<int>() % block))));
        }
      }
  for (int block : {1, 2})
    EXPECT_EQ(checked(kernel, 50, block, "auto").code, 0) << "one step has no step before";
}

TEST(MissingBarrier, GivesWrongSumsWhenThreadsRunFarAhead) {
  EXPECT_EQ(checked("mistakes/missing-barrier", 256, 256, "to-barrier").said["correct"], false);
  const auto lucky = checked("mistakes/missing-barrier", 16, 16, "lockstep");
  EXPECT_EQ(lucky.said["correct"], true);
  EXPECT_THAT(lucky.text, HasSubstr("another order may give another"));
}

TEST(DivergentBarrier, IsFoundWheneverTheBlockIsNotFull) {
  const std::string kernel = "mistakes/divergent-barrier";
  const std::string first = in_line(kernel, "t.sync();");
  for (auto [n, block] : {std::pair(13, 16), {1, 2}, {31, 32}, {33, 32}, {100, 64}, {200, 37}})
    for (const auto& schedule : schedules) {
      const auto c = checked(kernel, n, block, schedule);
      SCOPED_TRACE(kernel + " n " + std::to_string(n) + " block " + std::to_string(block) + " " + schedule);
      ASSERT_EQ(c.code, 1);
      EXPECT_EQ(c.said["correct"], true) << "here a thread that has returned counts as arrived";
      EXPECT_THAT(c.said["hazards"], IsEmpty());
      ASSERT_FALSE(c.said["findings"].empty());
      const int here = n % block, last = block - 1;
      const std::string sentence = c.said["findings"][0]["sentence"];
      EXPECT_THAT(sentence, AllOf(HasSubstr("is not met by all"), HasSubstr(first),
                                  HasSubstr((here == last ? "thread " : "threads ") + std::to_string(here)),
                                  HasSubstr("where every thread of the block passes it")));
    }
  for (auto [n, block] : {std::pair(16, 16), {64, 64}, {256, 256}}) {
    const auto c = checked(kernel, n, block, "auto");
    EXPECT_EQ(c.code, 0) << c.text;
    EXPECT_THAT(c.text, HasSubstr("makes a mistake on purpose, and this run does not show it"));
  }
}

TEST(DroppedTail, NamesTheInputsThatNobodyReads) {
  const std::string kernel = "mistakes/dropped-tail";
  for (int block : {1, 4, 8, 64})
    for (int n : test::all_or_part<std::vector<int>>({1, 2, 5, 19, 98, 255}, {1, 98}))
      for (const auto& schedule : schedules) {
        const auto c = checked(kernel, n, block, schedule, {"--pattern", "ones"});
        SCOPED_TRACE(kernel + " n " + std::to_string(n) + " block " + std::to_string(block) + " " + schedule);
        ASSERT_EQ(c.code, 1);
        std::vector<int> tail;
        for (int k = n / 4 * 4; k < n; ++k) tail.push_back(k);
        EXPECT_EQ(c.said["coverage"]["unread"], tail);
        EXPECT_EQ(c.said["proof"]["holds"], false);
      }
  const auto c = checked({kernel});
  EXPECT_THAT(c.said["coverage"]["sentences"][0].get<std::string>(),
              AllOf(HasSubstr("x16, x17 and x18 of 19 inputs are never read"),
                    HasSubstr(in_line(kernel, "fours[k]"))));
  // Zeros at the end: right by luck, and refused all the same.
  const auto lucky = checked({kernel, "--values", "1,2,3,4,0"});
  EXPECT_EQ(lucky.said["correct"], true);
  EXPECT_EQ(lucky.code, 1);
  EXPECT_THAT(lucky.text, HasSubstr("x4 of 5 inputs is never read"));
  EXPECT_EQ(checked({kernel, "--n", "20"}).code, 0);
}

TEST(SignedChar, NamesTheKeyAndTheIndex) {
  const std::string kernel = "mistakes/signed-char", where = in_line(kernel, "atomic_add(local[keys[i]]");
  for (const auto& schedule : schedules)
    for (const char* block : {"1", "3", "32", "64"}) {
      const auto c =
          checked({kernel, "--values", "7,127,200,3,255,128", "--block", block, "--schedule", schedule});
      ASSERT_EQ(c.code, 1);
      EXPECT_EQ(c.said["correct"], false);
      std::string all;
      for (const auto& f : c.said["findings"]) all += f["sentence"].get<std::string>() + "\n";
      EXPECT_THAT(
          all,
          AllOf(HasSubstr("touches local[-56] in " + where), HasSubstr("what keys[2] holds: the key 200"),
                HasSubstr("touches local[-1] in"), HasSubstr("what keys[4] holds: the key 255"),
                HasSubstr("touches local[-128] in"), HasSubstr("what keys[5] holds: the key 128")));
      EXPECT_THAT(all, ::testing::Not(HasSubstr("reaches outside"))) << "said twice";
    }
  EXPECT_EQ(checked({kernel, "--values", "0,1,127"}).code, 0);
}

TEST(InPlace, IsAHazardFromThreeThreadsOn) {
  const std::string kernel = "mistakes/in-place", where = in_line(kernel, "sum[i] = sum[i - stride]");
  for (int block : {3, 16, 32, 33, 128})
    for (int n : {3, 16, 100, 200})
      for (const auto& schedule : schedules) {
        const auto c = checked(kernel, n, block, schedule);
        SCOPED_TRACE(kernel + " n " + std::to_string(n) + " block " + std::to_string(block) + " " + schedule);
        ASSERT_EQ(c.code, 1);
        ASSERT_FALSE(c.said["hazards"].empty());
        EXPECT_EQ(c.said["hazards"][0]["array"], "sum");
        EXPECT_THAT(c.said["hazards"][0]["sentence"].get<std::string>(),
                    AllOf(HasSubstr("sum["), HasSubstr(where), HasSubstr("into a variable")));
        EXPECT_EQ(c.said["proof"]["holds"], false);
      }
  EXPECT_EQ(checked(kernel, 256, 256, "to-barrier").said["correct"], false);
}

TEST(OverlappingTiles, NamesTheInputsThatTwoBlocksRead) {
  const std::string kernel = "mistakes/overlapping-tiles", where = in_line(kernel, "atomic_add");
  for (const auto& schedule : schedules)
    for (auto [n, block, items] :
         {std::tuple(224, 16, 4), {33, 8, 4}, {100, 1, 2}, {65, 32, 1}, {500, 37, 8}}) {
      const auto c = checked(kernel, n, block, schedule, {"--set", "items=" + std::to_string(items)});
      SCOPED_TRACE(kernel + " n " + std::to_string(n) + " block " + std::to_string(block) + " " + schedule);
      ASSERT_EQ(c.code, 1);
      EXPECT_EQ(c.said["correct"], false);
      std::vector<int> twice;
      for (int k = block * items; k < n; k += block * items) twice.push_back(k);
      EXPECT_EQ(c.said["coverage"]["read_by_two_blocks"], twice);
      EXPECT_EQ(c.said["coverage"]["unread"], json::array());
      const std::string x = "x" + std::to_string(twice[0]);
      EXPECT_THAT(c.said["coverage"]["sentences"][0].get<std::string>(),
                  AllOf(HasSubstr(x), HasSubstr("read by two blocks"), HasSubstr("by block 0 and by block 1"),
                        HasSubstr(where)));
      EXPECT_THAT(c.text, HasSubstr("help: Look at where a block's part"));
    }
  EXPECT_EQ(checked({kernel, "--n", "64", "--block", "16"}).code, 0) << "one tile has no neighbour";
}

// The kernels that the fixes name.
TEST(Mends, AreRight) {
  for (const Algorithm* a : catalog()) {
    if (a->family() != "mistakes") continue;
    for (const Algorithm* b : catalog()) {
      if (a->fix.find(b->name) == std::string::npos) continue;
      for (int n : {1, 13, 19, 100, 224})
        for (const auto& schedule : schedules) {
          const auto r = barrierscope({"check", b->name, "--n", std::to_string(n), "--schedule", schedule});
          EXPECT_EQ(r.code, 0) << a->name << " names " << b->name << "\n" << r.out;
        }
    }
  }
}

TEST(Strays, AreOnlyExplainedWhereTheDataChose) {
  Trace t;
  EXPECT_EQ(why_out_of_bounds(t, {}), Message());
  EXPECT_EQ(why_out_of_bounds(t, {.launch = 3}), Message());
  const Algorithm& a = find("mistakes/signed-char");
  RunSpec r;
  r.values = {{200}};
  t = run(a, make_problem(a, r), Device::cpu);
  ASSERT_EQ(t.findings.size(), 1u);
  EXPECT_THAT(why_out_of_bounds(t, t.findings[0]).english(), HasSubstr("keys[0]"));
  Finding other = t.findings[0];
  for (auto change : {&Finding::launch, &Finding::block, &Finding::thread, &Finding::line}) {
    other.*change += 1;
    EXPECT_EQ(why_out_of_bounds(t, other), Message());
    other.*change -= 1;
  }
}

}  // namespace
}  // namespace bscope
