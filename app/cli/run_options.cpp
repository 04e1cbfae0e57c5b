#include "app/cli/run_options.hpp"

#include "app/cli/command.hpp"
#include "app/cli/program_text.hpp"
#include "app/lessons/play.hpp"
#include "app/lessons/programs.hpp"
#include "app/lessons/shelf.hpp"
#include "app/options/options.hpp"
#include "app/options/run_options.hpp"
#include "app/run/first_kernel.hpp"
#include "app/run/memory.hpp"
#include "app/run/own_program.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/trace/error.hpp"

namespace bscope {

OpenedRun open(const Target& t, Console& c, bool with_mistakes) {
  OpenedRun opened = open_now(t);
  if (opened.program && with_mistakes) {
    tell_program(*opened.program, c);
    tell_notes(*opened.program, c);
  } else if (opened.program) {
    tell_output(*opened.program, c);
  }
  return opened;
}

void need_affordable(const Target& t) {
  if (t.is_program()) return;  // what it may take is limited
  if (t.is_file())
    refuse_if_too_large(t.file);
  else
    make_problem(find(t.request.kernel), t.request);
}

std::optional<Target> lessons_target(const ViewOptions& look, const RunOptions& run,
                                     const std::vector<std::string>& words) {
  if (look.lesson.empty()) return {};
  if (look.beside) return target_of(run, words, "");
  if (look.lesson == "all")  // the list of them, beside any run
    return target_of(run, words.empty() ? first_kernel : words.front());
  if (run.given || !words.empty())
    throw UsageError(
        message("--lesson {} brings its own run: leave out the {}", look.lesson,
                words.empty() ? message("options that say what to trace") : message("kernel or file")));
  const ChosenLesson chosen = choose_lesson(look.lesson, spoken());
  allow_programs_of(chosen.lesson);
  return shown_at(chosen.lesson.steps[size_t(chosen.step)], chosen.part).target;
}

void json_option(Options& o, bool& into) { o.flag("--json", "One JSON object on stdout, for scripts", into); }

}  // namespace bscope
