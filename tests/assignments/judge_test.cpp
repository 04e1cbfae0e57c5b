// A program is judged the same by runs that a store loads, as a window and a page do, and by runs that are
// opened at once. ASSIGNMENTS=all in the environment judges by all built-in assignments.
#include "app/assignments/judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <semaphore>
#include <string_view>

#include "app/assignments/assignment.hpp"
#include "app/run/own_program.hpp"
#include "app/run/run_store.hpp"
#include "app/run/target.hpp"
#include "engine/cuda/toolchain/places.hpp"
#include "engine/cuda/toolchain/program.hpp"
#include "engine/trace/json_fields.hpp"
#include "engine/trace/json_text.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;

class Judging : public testing::Test {
 protected:
  void SetUp() override {
    try {
      if (!fs::exists(cuda::find_places().library)) GTEST_SKIP() << "built without the runtime of CUDA";
    } catch (const cuda::NoToolchain& e) { GTEST_SKIP() << e.what(); }
    allow_programs_in(assignment_file("tree-sum").parent_path().parent_path());
    store_.wake = [this] { woken_.release(); };
  }

  /// As a window does: frame after frame, until all runs are there.
  Grade by_store(const Assignment& a, const Target& program) {
    const std::vector<Target> targets = targets_of(a, program);
    const auto made = [&] {
      return std::ranges::all_of(targets, [&](const Target& t) { return store_.find(t).has_value(); });
    };
    for (; !made(); store_.end_frame(false)) woken_.acquire();
    return judge(a, program, [&](const Target& t) { return store_.find(t)->value(); });
  }
  /// Ends frames that ask for nothing.
  void end_frames() {
    for (int frame = 0; frame < 2; ++frame) store_.end_frame(false);
  }

  std::counting_semaphore<> woken_{0};  // the store's threads release it until they end
  RunStore store_;
};

void expect_equal(const Grade& a, const Grade& b) {
  ASSERT_EQ(a.judgements.size(), b.judgements.size());
  EXPECT_EQ(a.earned(), b.earned());
  for (size_t k = 0; k < a.judgements.size(); ++k) {
    const Judgement &x = a.judgements[k], &y = b.judgements[k];
    ASSERT_EQ(x.runs.size(), y.runs.size()) << x.id;
    EXPECT_EQ(x.id, y.id);
    for (size_t r = 0; r < x.runs.size(); ++r) {
      EXPECT_EQ(x.runs[r].passed, y.runs[r].passed) << x.id;
      EXPECT_EQ(x.runs[r].seen, y.runs[r].seen) << x.id;
      EXPECT_EQ(x.runs[r].figure, y.runs[r].figure) << x.id;
      EXPECT_EQ(x.runs[r].line, y.runs[r].line) << x.id;
    }
  }
}

TEST_F(Judging, ByAStoresRunsIsJudgingAtOnce) {
  const char* asked = std::getenv("ASSIGNMENTS");
  const bool all = asked && std::string_view(asked) == "all";
  for (const KnownAssignment& known : known_assignments()) {
    if (!all && known.name != "tree-sum") continue;
    Assignment a = read_assignment(known.file);
    if (!all) a.runs.erase(a.runs.begin(), a.runs.end() - 1);
    for (const char* name : {"start.cu", "solution.cu"}) {
      Target program;
      program.file = (known.file.parent_path() / name).string();
      if (!fs::exists(program.file)) continue;
      SCOPED_TRACE(program.file);
      const Grade at_once = judge(a, program), by_store = this->by_store(a, program);
      expect_equal(at_once, by_store);
      EXPECT_EQ(at_once.passed(), name == std::string_view("solution.cu"));
    }
  }
}

TEST_F(Judging, LeavesNoRunInTheStore) {
  Assignment a = read_assignment(assignment_file("tree-sum"));
  a.runs.resize(1);
  Target program;
  program.file = a.start.string();
  const Target judged = targets_of(a, program).front();
  std::weak_ptr<const bscope::Run> run;
  {
    const Grade grade = by_store(a, program);
    run = grade.runs.front().run;
  }
  EXPECT_FALSE(run.expired());
  end_frames();
  EXPECT_TRUE(run.expired()) << "undo goes back to no run of a program that is judged";
  EXPECT_FALSE(store_.find(judged));
  store_.forget_file(program.file);
  EXPECT_FALSE(store_.loading(judged)) << "its file has changed";
}

TEST(Targets, AreTheProgramOnTheAssignmentsTerms) {
  const Assignment a = read_assignment(assignment_file("tree-sum"));
  Target program;
  program.file = "mine.cu";
  program.program.constants = {{.name = "N", .value = "7"}};
  program.program.arguments = {"5"};
  const std::vector<Target> all = targets_of(a, program);
  ASSERT_EQ(all.size(), a.runs.size());
  for (size_t k = 0; k < all.size(); ++k) {
    EXPECT_EQ(all[k].program.constants, a.runs[k].constants);
    EXPECT_TRUE(all[k].program.arguments.empty());
    EXPECT_EQ(all[k].program.files.front(), "mine.cu");
    EXPECT_TRUE(all[k].program.named_only);
    EXPECT_EQ(all[k].terms.stated, a.expected);
    EXPECT_NE(all[k].terms, program.terms);
    cuda::Terms read;  // as they are sent
    from_fields_json(read, parse_json(json_text(to_fields_json(all[k].terms)), "terms"), "terms");
    EXPECT_EQ(read, all[k].terms);
  }
}

TEST(Judge, PassesOnWhyNoProgramRuns) {
  const Assignment a = read_assignment(assignment_file("tree-sum"));
  Target program;
  program.file = a.start.string();
  const auto refuses = [&](auto error) { return [error](const Target&) -> OpenedRun { throw error; }; };
  EXPECT_THROW(judge(a, program, refuses(NotRun(Message::plain("the connection ended")))), NotRun);
  const Grade refused = judge(a, program, refuses(UsageError(Message::plain("no such barrier"))));
  EXPECT_FALSE(refused.passed());
  EXPECT_EQ(refused.judgements.back().runs.front().seen.english(), "no such barrier");
}

}  // namespace
}  // namespace bscope
