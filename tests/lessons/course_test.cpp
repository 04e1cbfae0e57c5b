// A course's folder: what it holds, how it stands on the shelf, and what the command line says of it.
#include "app/assignments/course.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>

#include "app/assignments/assignment.hpp"
#include "app/lessons/shelf.hpp"
#include "app/run/own_program.hpp"
#include "app/session/session_file.hpp"
#include "app/session/typed.hpp"
#include "engine/cuda/toolchain/run_folder.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/whole_file.hpp"
#include "tests/at_once.hpp"
#include "tests/cli/run_support.hpp"
#include "tests/places.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string ours = BARRIERSCOPE_ROOT "/tests/lessons/course";

/// A lesson of one step on a kernel.
std::string lesson(const std::string& title, const std::string& words = "It has {n} elements.") {
  return "# " + title + "\n\n## Look\n```show\nkernel: scan/blelloch\nn: 8\nblock: 4\n```\n" + words + "\n";
}

/// A course that is written for the test.
struct WrittenCourse {
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((folder.path() / file).parent_path());
    write_whole(folder.path() / file, text);
  }
  std::string path(const std::string& file) const { return (folder.path() / file).string(); }
  const cuda::RunFolder folder;
};

TEST(Course, HoldsWhatItsFolderHolds) {
  const Course course = read_course(ours + "/");
  EXPECT_EQ(course.folder, ours);
  EXPECT_EQ(course.title, "A week on shared memory");
  EXPECT_THAT(course.lessons, ElementsAre("en/01-shift.md"));  // README.md has headings, and shows nothing
  EXPECT_THAT(course.assignments, ElementsAre("assignments/shift"));
  ASSERT_EQ(course.programs.size(), 2u);
  EXPECT_EQ(course.programs[1].title,
            "Each cell gets its left neighbour's value, through shared memory: a barrier between writing and "
            "reading.");
  EXPECT_TRUE(is_course(ours));
  EXPECT_FALSE(is_course(ours + "/programs")) << "programs alone may be a project";
  EXPECT_FALSE(is_course(ours + "/en/01-shift.md"));
  const WrittenCourse empty;
  EXPECT_THROW(read_course(empty.folder.path()), UsageError);
  EXPECT_THROW(read_course(empty.path("nowhere")), BadFile);
}

TEST(Course, StandsBeforeAllOtherLessons) {
  const WrittenCourse course;
  course.write("en/01-first.md", lesson("First"));
  course.write("zh/01-first.md", lesson("第一课"));
  course.write("02-tree.md", lesson("A tree of ours", "On to [the first](lesson:tree)."));
  course.write("tasks/broken/assignment.json", "{}");
  LessonShelf shelf({BARRIERSCOPE_ROOT "/assets/lessons"});
  shelf.refresh();
  const size_t before = shelf.ids().size();
  shelf.show_course(course.folder.path().string());
  ASSERT_EQ(shelf.ids().size(), before + 3);
  EXPECT_EQ(shelf.ids()[0], course.path("02-tree.md"));
  EXPECT_EQ(shelf.ids()[1], course.path("en/01-first.md"));  // once, in whichever language
  EXPECT_EQ(shelf.find(shelf.ids()[1], Language::en)->title, "First");
  EXPECT_EQ(shelf.find(shelf.ids()[1], Language::zh)->title, "第一课");
  EXPECT_EQ(shelf.find(course.path("zh/01-first.md"), Language::en)->title, "First");
  EXPECT_NE(shelf.find("tree", Language::en)->title, "A tree of ours") << "ours keeps its name";
  const CourseItem* broken = shelf.course().item(shelf.ids()[2]);
  ASSERT_TRUE(broken);
  EXPECT_FALSE(broken->assignment.assignment);
  EXPECT_FALSE(broken->assignment.mistake.empty());
  EXPECT_EQ(lesson_beside(course.path("02-tree.md"), "tree"), course.path("02-tree.md"));

  // what appears and goes is noticed
  course.write("en/03-third.md", lesson("Third"));
  const auto now = fs::last_write_time(course.path("en"));
  fs::last_write_time(course.path("en"), now + std::chrono::seconds(2));
  EXPECT_TRUE(shelf.refresh());
  EXPECT_EQ(shelf.ids()[2], course.path("en/03-third.md"));
  EXPECT_FALSE(shelf.refresh());
  shelf.show_course("");
  EXPECT_EQ(shelf.ids().size(), before);
}

LoadedState blelloch() {
  LoadedState s;
  s.target.request.kernel = "scan/blelloch";
  s.run = open_now(s.target).run;
  return to_step(std::move(s), 0);
}

TEST(Course, IsOpenedAsAFolder) {
  LoadedState s = blelloch();
  Opening opening = opened_path(std::move(s), ours + "/");
  EXPECT_EQ(opening.course, ours);
  EXPECT_TRUE(opening.state.error.empty());
  // the session of a lesson of it names its file, and opens it without the course
  const Lesson first = choose_lesson(ours + "/en/01-shift.md", Language::en).lesson;
  allow_programs_in(ours);
  s = at_lesson_step(std::move(opening.state), first, 1, runs_at_once(), 0);
  const LoadedState later = with_session(blelloch(), session_text(s));
  EXPECT_EQ(later.lesson.lesson, ours + "/en/01-shift.md");
  EXPECT_EQ(later.lesson.step, 1);
  const WrittenCourse empty;
  opening = opened_path(later, empty.folder.path().string());
  EXPECT_TRUE(opening.course.empty());
  EXPECT_EQ(opening.state.error_at, Where::file);
  EXPECT_THAT(opening.state.error.english(), HasSubstr("holds no CUDA program, lesson, assignment"));
}

TEST(Course, OnTheCommandLine) {
  const auto shown = test::barrierscope({"show", ours});
  EXPECT_EQ(shown.code, 0);
  EXPECT_THAT(shown.out, AllOf(HasSubstr("A week on shared memory"), HasSubstr("Neighbours (4 steps)"),
                               HasSubstr("programs/neighbours.cu"), HasSubstr("A barrier for the shift")));
  const WrittenCourse course;
  course.write("01-good.md", lesson("Good", "Now [do it](assignment:mine), then [on](lesson:bad)."));
  course.write("assignments/mine/assignment.json",
               "{\"format\": \"barrierscope.assignment/1\", \"title\": \"T\", \"task\": \"Do.\"}\n");
  const auto good = test::barrierscope({"check", course.folder.path().string()});
  EXPECT_EQ(good.code, 1);
  EXPECT_THAT(good.out, HasSubstr("there is no lesson \"bad\""));
  course.write("02-bad.md", lesson("Bad", "It has {m} elements."));
  const auto bad = test::barrierscope({"check", course.folder.path().string()});
  EXPECT_EQ(bad.code, 1);
  EXPECT_THAT(bad.out, AllOf(HasSubstr("Good: 1 steps"), HasSubstr("02-bad.md, line 9"),
                             HasSubstr("mine: an assignment"), HasSubstr("2 lessons, 0 programs, 1 ass")));
  course.write("02-bad.md", lesson("Mended"));
  EXPECT_EQ(test::barrierscope({"check", course.folder.path().string()}).code, 0);
  EXPECT_THAT(test::barrierscope({course.folder.path().string()}).out, HasSubstr("Mended (1 steps)"));
  EXPECT_THAT(test::barrierscope({course.folder.path().string(), "--lesson", "good:2"}).err,
              HasSubstr("this lesson has 1 steps"));
  for (const auto& [option, says] :
       {std::pair("--json", "--json is for kernels"), std::pair("--n=8", "is a course")}) {
    const auto refused = test::barrierscope({"check", course.folder.path().string(), option});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, HasSubstr(says));
  }
}

}  // namespace
}  // namespace bscope
