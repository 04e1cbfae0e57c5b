#include "app/cli/course_folder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/assignments/assignment.hpp"
#include "app/cli/console.hpp"
#include "app/lessons/course_shelf.hpp"
#include "app/lessons/lesson.hpp"
#include "app/options/run_options.hpp"
#include "app/options/view_options.hpp"
#include "app/run/own_program.hpp"
#include "app/words/words.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {
namespace {

constexpr size_t largest_lesson = size_t(1) << 20;

/// The path of the course's lesson of that name, in the spoken language if there is one; empty: none has it.
std::string lesson_of(const Course& course, const std::string& name) {
  std::string best;
  for (const std::string& file : course.lessons) {
    const std::string path = (course.folder / file).string();
    const std::string language = language_folder_of(path);
    if (lesson_id(path) == name && (best.empty() || language == name_of(spoken()))) best = path;
  }
  return best;
}

}  // namespace

std::optional<Course> course_named(const std::vector<std::string>& words, const RunOptions& run, bool json,
                                   bool more) {
  if (words.size() != 1 || !is_course(words.front())) return {};
  const std::string& folder = words.front();
  if (json) throw UsageError(message("--json is for kernels: leave it out for the course {}", folder));
  if (run.given || more)
    throw UsageError(
        message("{} is a course, whose lessons bring their own runs: leave out the options that "
                "say what to trace",
                folder));
  Course course = read_course(folder);
  allow_programs_in(course.folder.string());
  return course;
}

std::string take_course(ViewOptions& look, const RunOptions& run, std::vector<std::string>& words) {
  const auto course = course_named(words, run, false);
  if (!course) return {};
  words.clear();
  const size_t colon = std::min(look.lesson.rfind(':'), look.lesson.size());
  if (look.lesson.empty())
    look.lesson = "all";
  else if (const std::string path = lesson_of(*course, look.lesson.substr(0, colon)); !path.empty())
    look.lesson = path + look.lesson.substr(colon);
  return course->folder.string();
}

std::string course_text(const Course& course, const Ink& ink) {
  std::string all = ink(Role::title, course.title) + "\n";
  const auto part = [&](const std::string& heading, const auto& of, const auto& line) {
    if (!of.empty()) all += "\n" + ink(Role::title, heading) + "\n";
    for (const auto& one : of) all += line(one) + "\n";
  };
  const auto path = [&](const std::string& name) { return (course.folder / name).string(); };
  part(tr("Lessons"), course.lessons, [&](const std::string& file) {
    const Lesson lesson = parse_lesson(read_file(path(file), largest_lesson), path(file));
    return tr("  {} ({} steps): barrierscope --lesson {}", lesson.title, lesson.steps.size(), path(file));
  });
  part(tr("Programs"), course.programs, [&](const CourseProgram& p) {
    return fmt::format("  {}: barrierscope {}", p.title,
                       (course.folder / p.folder / p.files.front()).lexically_normal().string());
  });
  part(tr("Assignments"), assignments_of(course), [&](const CourseAssignment& a) {
    if (!a.assignment) return "  " + a.name + ": " + tr(a.mistake);
    const std::string command = "barrierscope check FILE.cu --assignment ";
    return fmt::format("  {}: {}{}", tr(a.assignment->title), command, a.assignment->file);
  });
  part(tr("Recorded runs"), course.recordings,
       [&](const std::string& file) { return "  barrierscope " + path(file); });
  return all;
}

}  // namespace bscope
