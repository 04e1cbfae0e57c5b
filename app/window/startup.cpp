#include "app/window/startup.hpp"

#include <utility>

#include "app/cli/command.hpp"
#include "app/lessons/shelf.hpp"
#include "app/links/place.hpp"
#include "app/run/own_program.hpp"
#include "app/run/run_store.hpp"
#include "app/session/dispatcher.hpp"
#include "app/session/session_file.hpp"
#include "app/shell/lesson.hpp"
#include "app/shell/ui_state.hpp"
#include "engine/trace/error.hpp"

namespace bscope {

StartupState begin(const WindowOptions& o) {
  StartupState b;
  b.settings_file = settings_path();
  b.settings = read_settings(b.settings_file, &b.notice);
  LoadedState& state = b.state =
      with_borrowed_looks(with_choices({}, b.settings), o.theme, o.language, o.dialect);
  speak(state.language);
  if (o.target.is_file() && !o.target.is_program()) remember(b.settings, o.target.file);
  // what takes long is made while the window is there already, and shows a kernel's default run meanwhile
  b.asked = as_shown(state, whole(o.target));
  b.long_run = takes_long(b.asked);
  if (b.asked.is_file() && !b.long_run) {
    RunStore runs;
    state = load_session(std::move(state), b.asked.file, runs);
    if (!state.run) throw BadFile(state.error);
  } else {
    if (b.long_run)
      state.target.request.kernel = b.asked.is_file() ? "scan/blelloch" : b.asked.request.kernel;
    else
      state.target = b.asked;
    state.target = as_shown(state, state.target);
    state.run = open_now(state.target).run;
  }
  const std::string& lesson = o.lesson;
  if (!lesson.empty() && lesson != "all") choose_lesson(lesson, state.language);  // throws if there is none
  return b;
}

void go_on(LoadedState& state, UiState& ui, const StartupState& b, const WindowOptions& options) {
  ui.dispatcher.dispatch(state, [asked = b.asked, o = options, long_run = b.long_run, &ui](LoadedState& s) {
    RunStore& runs = ui.runs;
    if (long_run)
      s = asked.is_file() && !asked.is_program() ? load_session(std::move(s), asked.file, runs)
                                                 : opened(std::move(s), asked, Where::nowhere, runs);
    if (s.awaits) return;
    if (!o.course.empty()) show_course(s, ui, o.course);
    if (!o.lesson.empty())
      s = o.beside ? beside_lesson(std::move(s), o.lesson, runs) : with_lesson(std::move(s), o.lesson, runs);
    if (s.awaits) return;
    try {
      s = at_place(std::move(s), o);
    } catch (const UsageError& e) { refuse(s, e, Where::file); }
  });
}

}  // namespace bscope
