// What `check` prints for terminals, scripts, editors and workflows is of the same findings.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/cli/sarif.hpp"
#include "app/run/finding_groups.hpp"
#include "tests/cli/run_support.hpp"

namespace bscope {
namespace {

using nlohmann::json;
using test::barrierscope;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const std::string racy = "mistakes/missing-barrier";

TEST(CheckFormats, TextIsACompilers) {
  const auto r = barrierscope({"check", racy});
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.out, testing::ContainsRegex(
                         "kernels/mistakes/1_missing_barrier.cu:[0-9]+:[0-9]+: error: race on s: "));
  EXPECT_THAT(r.out, testing::ContainsRegex("\n +[0-9]+ \\| .*s\\[.*\n      \\| +\\^~+\n"));
  EXPECT_THAT(r.out, HasSubstr("   help: "));
  EXPECT_THAT(r.out, HasSubstr("cost  "));
  EXPECT_THAT(barrierscope({"check", "scan/blelloch"}).out, Not(HasSubstr("error:")));
}

TEST(CheckFormats, JsonHasEachGroup) {
  const auto r = barrierscope({"check", racy, "--format=json"});
  const json j = json::parse(r.out);
  EXPECT_EQ(j, json::parse(barrierscope({"check", racy, "--json"}).out));
  const json& g = j.at("groups").at(0);
  EXPECT_EQ(g.at("rule"), "race");
  EXPECT_EQ(g.at("severity"), "error");
  EXPECT_GT(g.at("line").get<int>(), 0);
  EXPECT_GT(g.at("count").get<int>(), 1);
  EXPECT_EQ(g.at("moment").size(), 4u);
}

TEST(CheckFormats, SarifIsALogOfResults) {
  const auto r = barrierscope({"check", racy, "--format", "sarif"});
  EXPECT_EQ(r.code, 1);
  const json log = json::parse(r.out);
  EXPECT_EQ(log.at("version"), "2.1.0");
  const json& run = log.at("runs").at(0);
  EXPECT_EQ(run.at("tool").at("driver").at("name"), "Barrierscope");
  const json& result = run.at("results").at(0);
  EXPECT_EQ(result.at("ruleId"), "race");
  EXPECT_EQ(result.at("level"), "error");
  const json& place = result.at("locations").at(0).at("physicalLocation");
  EXPECT_EQ(place.at("artifactLocation").at("uri"), "kernels/mistakes/1_missing_barrier.cu");
  EXPECT_GT(place.at("region").at("startLine").get<int>(), 0);
  for (const json& one : run.at("results")) {
    bool known = false;
    for (const json& rule : run.at("tool").at("driver").at("rules"))
      known |= rule.at("id") == one.at("ruleId");
    EXPECT_TRUE(known);
  }
  EXPECT_THAT(json::parse(barrierscope({"check", "scan/blelloch", "--format", "sarif"}).out)
                  .at("runs")
                  .at(0)
                  .at("results"),
              IsEmpty());
}

TEST(CheckFormats, SarifCountsLettersAndNoBytes) {
  FindingGroup g;
  g.message = message("It is wrong.");
  g.at = {.file = "größe 1.cu", .line = 3, .column = 10, .length = 4, .text = "/* ää */ s[0] = 1;"};
  const json place =
      json::parse(sarif_text({g})).at("runs")[0].at("results")[0].at("locations")[0].at("physicalLocation");
  EXPECT_EQ(place.at("artifactLocation").at("uri"), "gr%C3%B6%C3%9Fe%201.cu");
  EXPECT_EQ(place.at("region").at("startColumn"), 8);
  EXPECT_EQ(place.at("region").at("endColumn"), 12);
}

TEST(CheckFormats, GithubsAnnotationsAreOneLineEach) {
  const auto r = barrierscope({"check", racy, "--format", "github"});
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.out, StartsWith("::error file=kernels/mistakes/1_missing_barrier.cu,line="));
  EXPECT_THAT(r.out, HasSubstr(",title=race on s::Race on s: "));
  for (size_t at = 0; at < r.out.size(); at = r.out.find('\n', at) + 1) EXPECT_EQ(r.out.substr(at, 2), "::");
}

TEST(CheckFormats, AreNamed) {
  const auto r = barrierscope({"check", racy, "--format", "xml"});
  EXPECT_EQ(r.code, 2);
  EXPECT_THAT(r.err, HasSubstr("--format xml is not known: use text, json, sarif or github"));
  EXPECT_EQ(barrierscope({"check", racy, "--fix", "a.patch"}).code, 2) << "there is no file to change";
}

}  // namespace
}  // namespace bscope
