#include "app/cli/start.hpp"

#include <algorithm>

#include "app/export/export.hpp"
#include "app/lessons/shelf.hpp"
#include "app/links/place.hpp"
#include "app/run/own_program.hpp"
#include "app/run/run_store.hpp"
#include "app/session/session_file.hpp"
#include "app/session/tab.hpp"
#include "app/tabs/compare/steps.hpp"
#include "app/tabs/time/time_state.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/cuda/on_gpu/in_place.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/file.hpp"

namespace bscope {
namespace {

void need_view(const std::string& view) {
  if (!view.empty() && view != "run" && !tab_named(view))
    throw UsageError(message("no view \"{}\": choose run or one of {}", view, tab_names()));
}

void need(const LoadedState& s, Where where) {
  if (!s.error.empty() && s.error_at == where) throw UsageError(s.error);
}

}  // namespace

LoadedState start(const RenderOptions& o) {
  need_view(o.view);
  if (o.targets.empty()) throw UsageError(message("render what? Name a kernel or a .bscope file"));
  LoadedState s;
  RunStore runs;
  const Target& target = o.targets[0];
  const bool saved = target.is_file() && !target.is_program();  // with the place where the user left it
  s.dialect = o.dialect;
  if (saved) {
    s = load_session(std::move(s), target.file, runs);
    if (!s.run) throw BadFile(s.error);
  } else {
    s.target = as_shown(s, whole(target));
    OpenedRun made = open_now(s.target);
    s.run = std::move(made.run);
    s.program = std::move(made.program);
  }
  if (!steps(*s.run)) throw UsageError(message("this run has no step that could be drawn: it has no launch"));
  if (o.targets.size() > 1) {
    s = with_other(std::move(s), o.targets[1], runs);
    need(s, Where::compare);
  }
  if (!saved) s.tab = main_tab;
  if (!o.recorded.empty()) {
    cuda::load_in_place(o.recorded);  // to report its faults now
    s.of<TimeState>().in_place = o.recorded;
  }
  if (!saved) s = to_step(std::move(s), 0);
  s = to_theme(std::move(s), o.theme.empty() ? ThemeName::dark : parse_theme(o.theme));
  s.language = parse_language(o.language);
  speak(s.language);
  if (!o.lesson.empty()) {
    s = o.beside ? beside_lesson(std::move(s), o.lesson, runs) : with_lesson(std::move(s), o.lesson, runs);
    s.cursor.phase = 1;
  }
  return at_place(std::move(s), o);  // which goes before what the lesson would show
}

Export export_of(const RenderOptions& o) {
  Export e;
  e.state = start(o);
  e.width = o.width;
  e.height = o.height;
  e.first = o.step.value_or(0);
  e.last = o.last_step;
  e.file = o.out;
  e.embed = o.embed;
  return e;
}

}  // namespace bscope
