#include "app/cli/lesson_file.hpp"

#include "app/lessons/programs.hpp"
#include "app/lessons/shelf.hpp"
#include "app/options/run_options.hpp"
#include "app/words/words.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {

bool is_lesson(const std::vector<std::string>& words, const RunOptions& run, bool json, bool more) {
  if (words.empty() || !words[0].ends_with(".md")) return false;
  if (json) throw UsageError(message("--json is for kernels: leave it out for a lesson"));
  if (run.given || more)
    throw UsageError(message(
        "{} is a lesson and brings its own runs: leave out the options that say what to trace", words[0]));
  return true;
}

Lesson read_lesson(const std::string& path) {
  open_to_read(path);  // or it says why it is no lesson
  LessonShelf shelf(std::vector<std::filesystem::path>{});
  shelf.add(path);
  const Lesson* lesson = shelf.find(path, Language::en);
  if (!lesson) throw UsageError(message("there is no lesson {}: check the file's name", path));
  allow_programs_of(*lesson);
  return *lesson;
}

}  // namespace bscope
