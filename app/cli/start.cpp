#include "app/cli/start.hpp"

#include <algorithm>

#include "app/lessons/shelf.hpp"
#include "app/session/session_file.hpp"
#include "app/session/tab.hpp"
#include "app/tabs/compare/steps.hpp"
#include "app/tabs/time/time_state.hpp"
#include "app/words/words.hpp"
#include "engine/cuda/on_gpu/in_place.hpp"
#include "engine/trace/file.hpp"

namespace bscope {
namespace {

std::string tab_of(const std::string& view) {
  if (view == "run") return "watch";
  if (const Tab* tab = tab_named(view)) return tab->name;
  throw UsageError(say("no view \"{}\": choose run or one of {}", view, tab_names()));
}

void need(const State& s, Where where) {
  if (!s.error.empty() && s.error_at == where) throw UsageError(s.error);
}

}  // namespace

State start(const RenderOptions& o) {
  if (o.targets.empty()) throw UsageError(say("render what? Name a kernel or a .bscope file"));
  State s;
  const Target& target = o.targets[0];
  const bool saved = target.is_file() && !target.is_program();  // with the place where somebody left it
  if (saved) {
    s = load_session(std::move(s), target.file);
    if (!s.run) throw BadFile(s.error);
  } else {
    s.target = whole(target);
    OpenedRun made = open_target(s.target);
    s.run = std::move(made.run);
    s.program = std::move(made.program);
  }
  if (!steps(*s.run)) throw UsageError(say("this run has no step that could be drawn: it has no launch"));
  if (o.targets.size() > 1) {
    s = with_other(std::move(s), o.targets[1]);
    need(s, Where::compare);
  }
  if (!o.view.empty() || !saved) s.tab = tab_of(o.view.empty() ? "watch" : o.view);
  s.only_run = o.view == "run";
  if (!o.recorded.empty()) {
    cuda::load_in_place(o.recorded);  // what is wrong with it is told now
    s.of<TimeState>().in_place = o.recorded;
  }
  if (o.step >= 0 || !saved) s = to_step(std::move(s), std::max(0, o.step));
  if (o.predict) s = predict(std::move(s));
  s = to_theme(std::move(s), parse_theme(o.theme));
  s.language = parse_language(o.language);
  speak(s.language);
  if (!o.lesson.empty()) {
    // a view that was asked for by name goes before what the lesson would show
    const std::string asked = s.tab;
    s = with_lesson(std::move(s), o.lesson);
    s.cursor.phase = 1;
    if (!o.view.empty()) s.tab = asked;
  }
  return s;
}

Export export_of(const RenderOptions& o) {
  Export e;
  e.state = start(o);
  e.width = o.width;
  e.height = o.height;
  e.first = std::max(0, o.step);
  e.last = o.last_step;
  e.file = o.out;
  return e;
}

}  // namespace bscope
