#include <ostream>

#include "app/cli/json.hpp"
#include "app/cli/lesson_file.hpp"
#include "app/cli/text.hpp"
#include "app/cli/verb.hpp"
#include "app/lessons/play.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

struct Asked {
  std::vector<std::string> words;
  RunOptions run;
  bool json = false;
};

/// What a lesson's writer has to fix, a line each.
int check_lesson_file(const Lesson& lesson, Console& c) {
  const auto mistakes = check_lesson(lesson);
  for (const Mistake& m : mistakes) c.out << sentence_of(lesson, m) << "\n";
  if (mistakes.empty())
    c.out << say("{}: {} steps, all as they should be", lesson.title, lesson.steps.size()) << "\n";
  return mistakes.empty() ? 0 : 1;
}

int check_run(const Asked& a, Console& c) {
  if (is_lesson(a.words, a.run, a.json)) return check_lesson_file(read_lesson(a.words[0]), c);
  const auto [run, program] = open(target_of(a.run, a.words, "check"), c);
  const Verdict v = check(*run, program.get());
  if (a.json)
    check_json(c.out, *run, v, program.get());
  else
    c.out << check_text(*run, v, c.ink());
  return v.passed() ? 0 : 1;
}

const RegisterVerb check_verb{{
    .name = "check",
    .what = "Hazards, barriers, result, proof; exit code 1 if any fails",
    .place = 4,
    .takes = [](Options& o) -> Action {
      const auto a = std::make_shared<Asked>();
      run_words(o, "Name of a kernel, a .bscope file, your own .cu file, or a lesson's .md file", 1,
                a->words);
      json_option(o, a->json);
      trace_options(o, a->run);
      return [a](Console& c, const Window&) { return check_run(*a, c); };
    },
}};

}  // namespace
}  // namespace bscope
