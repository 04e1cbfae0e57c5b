// Each member of what files of users' programs hold is listed in `fields`: one that is not is lost on the
// way.
#include <gtest/gtest.h>

#include <boost/pfr/core.hpp>

#include "engine/cuda/on_gpu/in_place.hpp"
#include "engine/cuda/run_files/program_report.hpp"
#include "engine/cuda/run_files/run_settings.hpp"
#include "engine/trace/json_fields.hpp"

namespace bscope::cuda {
namespace {

template <class T>
constexpr size_t members = boost::pfr::tuple_size_v<T>;

TEST(FileFields, ListEveryMemberOfTimesInPlace) {
  EXPECT_EQ(count_fields<LaunchConfiguration>(), members<LaunchConfiguration>);
  EXPECT_EQ(count_fields<TimedLaunch>(), members<TimedLaunch> - 1 + members<LaunchConfiguration>);
  EXPECT_EQ(count_fields<LaunchRecord>(), members<LaunchRecord> - 1) << "each launch is a line";
  EXPECT_EQ(count_fields<OutputDifference>(), members<OutputDifference>);
  // whether it is wrong is there for other programs, and so is a kernel's bandwidth
  EXPECT_EQ(count_fields<OutputCheck>(), members<OutputCheck> - 1 + members<OutputDifference> + 1);
  EXPECT_EQ(count_fields<TimedKernel>(),
            members<TimedKernel> - 2 + members<LaunchConfiguration> + members<Statistics> + 1);
  EXPECT_EQ(count_fields<InPlace>(), members<InPlace>);
}

TEST(FileFields, ListEveryMemberOfTheReportOfARun) {
  EXPECT_EQ(count_fields<Remark>(), members<Remark>);
  EXPECT_EQ(count_fields<ReportedLaunch>(), members<ReportedLaunch>);
  EXPECT_EQ(count_fields<ProgramReport>(), members<ProgramReport> - 1 + members<Remark>);
}

TEST(FileFields, ListEveryMemberOfTheSettingsOfARun) {
  EXPECT_EQ(count_fields<DeviceCode>(), members<DeviceCode>);
  EXPECT_EQ(count_fields<UserSource>(), members<UserSource>);
  EXPECT_EQ(count_fields<RunLimits>(), members<RunLimits>);
  EXPECT_EQ(count_fields<RunSettings>(), members<RunSettings>);
}

TEST(RunSettings, AreReadAsTheyWereWritten) {
  RunSettings s;
  s.device = {{"0.ll"}};
  s.sources = {{"/a.cu", "a.cu", "/tmp/0.cu"}};
  s.limits.patience = 8;
  const std::string text = json_text(to_fields_json(s));
  EXPECT_EQ(text, R"({"name":"program","device":[{"ir":"0.ll"}],"our_folders":[],"ours_on_device":[],)"
                  R"("sources":[{"file":"/a.cu","shown":"a.cu","text":"/tmp/0.cu"}],"schedule":"to-barrier",)"
                  R"("native_asks":"","native_answers":"","device_model":"",)"
                  R"("limits":{"memory":2147483648,"launch_events":4194304,"trace_events":8388608,)"
                  R"("shown_launches":4,"loop_turns":30000000,"unseen_alike":true,)"
                  R"("seconds":0.0,"patience":8.0}})");
  RunSettings again;
  from_fields_json(again, parse_json(text, "run.json"), {});
  EXPECT_EQ(json_text(to_fields_json(again)), text);
  EXPECT_THROW(from_fields_json(again, parse_json(R"({"name":"x"})", "run.json"), {}), BadFile);
}

}  // namespace
}  // namespace bscope::cuda
