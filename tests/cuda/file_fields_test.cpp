// Each member of what files of users' programs hold is listed in `fields`: one that is not is lost on the
// way.
#include <gtest/gtest.h>

#include <boost/pfr/core.hpp>

#include "engine/cuda/on_gpu/in_place.hpp"
#include "engine/cuda/run_files/program_report.hpp"
#include "engine/cuda/run_files/run_settings.hpp"
#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/cuda/toolchain/terms.hpp"
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

TEST(FileFields, ListEveryMemberOfAProgramAndItsTerms) {
  EXPECT_EQ(count_fields<Program>(), members<Program>);
  EXPECT_EQ(count_fields<Setting>(), members<Setting>);
  EXPECT_EQ(count_fields<Terms>(), members<Terms>);
  EXPECT_EQ(count_fields<Stated>(), members<Stated>);
  EXPECT_EQ(count_fields<LineEdit>(), members<LineEdit>);
}

TEST(FileFields, ListEveryMemberOfWhatBecameOfAProgram) {
  EXPECT_EQ(count_fields<ProgramRun>(), members<ProgramRun> - 1) << "the trace is a file by itself";
  EXPECT_EQ(count_fields<Diagnostic>(), members<Diagnostic>);
  EXPECT_EQ(count_fields<Suggestion>(), members<Suggestion>);
  EXPECT_EQ(count_fields<Schedule>(), members<Schedule>);
  EXPECT_EQ(count_fields<LeftOut>(), members<LeftOut>);
  EXPECT_EQ(count_fields<OtherOrder>(), members<OtherOrder>);
  EXPECT_EQ(count_fields<Hazard>(), members<Hazard>);
  EXPECT_EQ(count_fields<Finding>(), members<Finding>);
  EXPECT_EQ(count_fields<Cure>(), members<Cure>);
  EXPECT_EQ(count_fields<BarrierPlace>(), members<BarrierPlace>);
}

TEST(ProgramRun, IsReadAsItWasWritten) {
  ProgramRun run;
  run.diagnostics = {{.severity = Diagnostic::note,
                      .file = "a.cu",
                      .line = 3,
                      .column = 4,
                      .text = message("{} is here", "it")}};
  run.compiled = true;
  run.output = "said\n";
  run.suggestions = {
      {.name = "N", .file = "a.cu", .line = 1, .is = 1024, .smaller = 64, .message = message("try 64")}};
  run.schedule = {.kind = Schedule::shuffled, .seed = 7, .without = {{"a.cu", 24}}};
  Hazard race;
  race.place = {0, 5};
  race.lines = {24, 31};
  race.threads = {1, 2};
  race.writes = {true, false};
  race.cure = {.kind = CureKind::barrier, .places = {{24, 31, true}}, .scope = Cure::SyncScope::warp};
  run.other.hazards = {race};
  run.other.faults = {
      {.line = 9, .message = message("out"), .kind = FindingKind::out_of_bounds, .cells = {{1, 2}}}};
  run.other.arrays = {"in"};
  run.program.files = {"a.cu"};
  run.program.constants = {{"N", "64", 1}};
  run.report.ended = "returned";
  const auto written = to_fields_json(run);
  ProgramRun again;
  from_fields_json(again, parse_json(json_text(written), "run"), {}, Reading::exact);
  EXPECT_EQ(to_fields_json(again), written);
  EXPECT_EQ(again.diagnostics, run.diagnostics);
  EXPECT_EQ(again.schedule, run.schedule);
  EXPECT_EQ(again.program, run.program);
  ASSERT_EQ(again.other.hazards.size(), 1u);
  EXPECT_EQ(again.other.hazards[0].cure, race.cure);
  EXPECT_EQ(again.other.hazards[0].writes, race.writes);
  EXPECT_EQ(again.other.faults, run.other.faults);
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
