#include "engine/timing/merge.hpp"

#include <gmock/gmock.h>

#include "engine/simt/problem.hpp"

namespace bscope {
namespace {

using testing::HasSubstr;

Recording part(const std::string& date, std::vector<std::pair<std::string, long long>> points, double seconds,
               const std::string& device = "A GPU") {
  Recording run{device, "driver 1", date, 2000, 2200, 3000};
  for (const auto& [kernel, n] : points) {
    Record r;
    r.kernel = kernel;
    r.n = n;
    r.type = "int32";
    r.parameters = {{"block", "256"}};
    r.samples = {seconds};
    r.bytes = double(n);
    complete(r, run);
    run.records.push_back(r);
  }
  return run;
}

TEST(Merge, KeepsEveryPointAndTheLaterOfTwo) {
  Recording first = part("2026-01-01T00:00:00Z", {{"scan/a", 1024}, {"scan/a", 4096}}, 1);
  first.notes = {"left out"};
  Recording second = part("2026-01-02T00:00:00Z", {{"scan/a", 2048}, {"scan/a", 4096}}, 2);
  second.copy_gb_per_s = 1900;
  second.notes = {"left out", "hot"};
  const Recording all = merged({{"b.json", second}, {"a.json", first}});
  ASSERT_EQ(all.records.size(), 3u);
  EXPECT_EQ(all.records[0].n, 1024);
  EXPECT_EQ(all.records[1].n, 2048);
  EXPECT_EQ(all.records[2].seconds.median, 2) << "4096 was measured again later";
  EXPECT_EQ(all.copy_gb_per_s, 2000) << "the earliest's";
  EXPECT_EQ(all.date, "2026-01-01T00:00:00Z");
  EXPECT_THAT(all.notes, testing::ElementsAre("left out", "hot",
                                              "put together from a.json of 2026-01-01T00:00:00Z, b.json of "
                                              "2026-01-02T00:00:00Z"));
}

TEST(Merge, OtherParametersTypesAndGpusAreOtherPoints) {
  const Recording one = part("1", {{"scan/a", 1024}}, 1);
  for (const auto& change : std::vector<std::function<void(Record&)>>{
           [](Record& r) { r.parameters["block"] = "128"; }, [](Record& r) { r.type = "float"; },
           [](Record& r) { r.gpus = 2; }, [](Record& r) { r.kernel = "scan/b"; }}) {
    Recording other = one;
    change(other.records[0]);
    EXPECT_EQ(merged({{"a", one}, {"b", other}}).records.size(), 2u);
  }
  EXPECT_EQ(merged({{"a", one}, {"b", one}}).records.size(), 1u);
  EXPECT_TRUE(merged({{"a", one}}).notes.empty());
}

TEST(Merge, OneRecordingIsOfOneDevice) {
  const NamedRecording here{"a.json", part("1", {{"scan/a", 1024}}, 1)},
      there{"b.json", part("2", {{"scan/a", 1024}}, 1, "Another GPU")};
  try {
    merged({here, there});
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_THAT(e.what(), HasSubstr("b.json is of Another GPU (driver 1) and a.json of A GPU (driver 1)"));
  }
  NamedRecording newer = here;
  newer.second.driver = "driver 2";
  EXPECT_THROW(merged({here, newer}), UsageError);
  EXPECT_THROW(merged({}), UsageError);
  const auto both = merged_by_device({here, there, here});
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0].device, "A GPU");
  EXPECT_EQ(both[0].records.size(), 1u);
}

}  // namespace
}  // namespace bscope
