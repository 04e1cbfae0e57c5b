#include <algorithm>
#include <ostream>

#include "app/cli/course_folder.hpp"
#include "app/cli/json.hpp"
#include "app/cli/lesson_file.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/text.hpp"
#include "app/cli/verb.hpp"
#include "app/lessons/answers.hpp"
#include "app/lessons/place.hpp"
#include "app/lessons/play.hpp"
#include "app/options/options.hpp"
#include "app/options/run_options.hpp"
#include "app/run/numbers.hpp"
#include "app/run/run_store.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

struct ShowArguments {
  std::vector<std::string> words;
  RunOptions run;
  bool json = false, steps = false;
  std::optional<int> globals;  ///< the block whose intervals tell of the global arrays
};

/// A lesson as a reader sees it, its numbers filled in.
void show_lesson(const Lesson& lesson, Console& c) {
  if (!lesson.mistakes.empty()) throw UsageError(message_of(lesson, lesson.mistakes[0]));
  RunStore store;
  LessonRuns runs(store);
  c.out << c.ink()(Role::title, lesson.title) << "\n";
  for (const LessonStep& s : lesson.steps) {
    std::vector<Mistake> mistakes;
    c.out << "\n" << c.ink()(Role::title, s.title) << "\n\n";
    for (int k = 0; k < int(s.parts.size()); ++k) {
      const LessonStep& shown = shown_at(s, k);
      const auto run = runs.of(shown.target);
      const Cursor place = find_place(shown, *run, mistakes);
      c.out << filled(s.parts[size_t(k)].text, s.parts[size_t(k)].line, shown, *run, place, runs, mistakes)
            << (k + 1 == int(s.parts.size()) ? "\n" : "\n\n---\n\n");
    }
    if (!mistakes.empty()) throw UsageError(message_of(lesson, mistakes[0]));
  }
}

int show_run(const ShowArguments& a, Console& c) {
  if (is_lesson(a.words, a.run, a.json, a.globals.has_value()))
    return show_lesson(read_lesson(a.words[0]), c), 0;
  if (const auto course = course_named(a.words, a.run, a.json, a.steps || a.globals)) {
    c.out << course_text(*course, c.ink());
    return 0;
  }
  const auto [run, program, session] = open(target_of(a.run, a.words, "show"), c);
  int blocks = 0;
  for (const Launch& l : run->trace.launches) blocks = std::max(blocks, l.grid);
  if (a.globals && *a.globals >= blocks)
    throw UsageError(
        message("--globals {} is no block of this run: its blocks are 0 to {}", *a.globals, blocks - 1));
  if (a.json)
    show_json(c.out, *run, a.globals, program.get());
  else if (program && !a.steps && !a.globals)  // a program of two lines may have ten thousand steps
    c.out << summary_text(*run, c.ink(), c.width);
  else
    show_text(c.out, *run, c.ink(), c.width, a.globals);
  return 0;
}

int block_number(const std::string& name, const std::string& typed) {
  const int block = number<int>(name, typed, tr_noop("the number of a block, from 0,"));
  if (block < 0) throw UsageError(message("--globals {} is no block: blocks count from 0", typed));
  return block;
}

const RegisterVerb show{{
    .name = "show",
    .what = "Every interval between barriers, as text or JSON",
    .place = 3,
    .takes = [](Options& o) -> Action {
      const auto a = std::make_shared<ShowArguments>();
      run_words(o, "Name of a kernel, a .bscope file, your own .cu file, or a course's folder", 1, a->words);
      json_option(o, a->json);
      o.flag("--steps", "Each step of your own .cu file, too; without it a summary", a->steps);
      o.option("--globals", "BLOCK", "Global arrays after each interval of this block, too", a->globals,
               block_number);
      trace_options(o, a->run);
      return [a](Console& c, const Window&) { return show_run(*a, c); };
    },
}};

}  // namespace
}  // namespace bscope
