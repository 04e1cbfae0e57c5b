// Users' own programs as runs: which may run, and what is said of them.
#include "app/run/own_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run/target.hpp"
#include "app/run/verdict.hpp"
#include "engine/cuda/toolchain/diagnostics.hpp"
#include "engine/cuda/toolchain/own_program.hpp"
#include "tests/messages.hpp"

namespace bscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(OwnPrograms, RunNotUnlessSomebodyAllowedIt) {
  Target t;
  t.file = "/nowhere/homework.cu";
  EXPECT_TRUE(t.is_program());
  EXPECT_THROW(open_now(t), NotAllowed);
  EXPECT_FALSE(may_run(t.file));
  allow_programs_in("/nowhere/else/");
  EXPECT_FALSE(may_run(t.file));
  EXPECT_TRUE(may_run("/nowhere/else/deeper/a.cu"));
  allow_programs_in("/nowhere");
  EXPECT_TRUE(may_run(t.file));
}

TEST(OwnPrograms, SayWhatIsWrongBesideTheirKernels) {
  cuda::ProgramRun p;
  p.compiled = true;
  p.report.ended = "returned";
  EXPECT_THAT(mistakes_of(p), IsEmpty());
  p.report.exit = 3;
  EXPECT_THAT(texts(mistakes_of(p)), ElementsAre("the program ended with exit code 3"));
  p.report.end = {.message = Message::plain("The host code touches d_in"), .file = "a.cu", .line = 7};
  p.report.warnings = {{.message = Message::plain("cudaMemcpy goes the wrong way"), .file = ""}};
  p.diagnostics = {{cuda::Diagnostic::warning, "a.cu", 1, 1, Message::verbatim("unused")},
                   {cuda::Diagnostic::error, "a.cu", 2, 0, Message::plain("\"integral\" is not known")}};
  EXPECT_THAT(texts(mistakes_of(p)),
              ElementsAre("a.cu:7: The host code touches d_in", "cudaMemcpy goes the wrong way",
                          "a.cu:2: error: \"integral\" is not known"));
}

TEST(OwnPrograms, ThatALimitOfOursStopsHaveNotFailed) {
  cuda::ProgramRun p;
  p.compiled = true;
  p.report.ended = "stopped";
  p.report.exit = 124;
  p.report.end = {.message = Message::plain("The program was stopped after 20 s"), .file = "a.cu", .line = 7};
  EXPECT_THAT(mistakes_of(p), IsEmpty());
  EXPECT_EQ(stop_of(p).english(), "a.cu:7: The program was stopped after 20 s");
  p.report.warnings = {{.message = Message::plain("cudaMemcpy goes the wrong way"), .file = ""}};
  EXPECT_THAT(texts(mistakes_of(p)), ElementsAre("cudaMemcpy goes the wrong way"));
  p.report.ended = "crashed";
  EXPECT_EQ(stop_of(p).english(), "");
}

TEST(OwnPrograms, AreJudgedByWhatTheyDidBeforeTheyWereStopped) {
  Verdict v;
  v.snapshots_match = v.ordered = v.well_behaved = v.judged = v.correct = true;
  EXPECT_TRUE(v.passed());
  v.stopped = Message::plain("stopped after 20 s");
  v.correct = false;  // what was not reached
  v.coverage.unread = {3};
  v.proof_failed = true;
  EXPECT_FALSE(v.passed());
  EXPECT_FALSE(v.failed());
  v.ordered = false;
  EXPECT_TRUE(v.failed());
}

}  // namespace
}  // namespace bscope
