#include "app/session/history.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "app/run/own_program.hpp"
#include "app/run/run_store.hpp"
#include "app/session/tab.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/fields.hpp"

namespace bscope {
namespace {

Cursor landed(Cursor c) {
  c.phase = 1;
  return c;
}
/// The cursor without where it stands in the run.
Cursor no_step(Cursor c) {
  c.launch = c.block = c.interval = 0;
  return landed(c);
}
Cursor no_zoom(Cursor c) {
  c.zoom = 1;
  c.scroll = 0;
  return landed(c);
}

/// What is remembered beside the tabs. How far the lessons are and where their text is scrolled to is no
/// change.
bool same_asides(const State& a, const State& b) {
  const auto print = [](LessonState lesson) {
    lesson.progress.clear();
    lesson.answers.clear();
    lesson.scroll = lesson.chosen = 0;
    return fingerprint(lesson);
  };
  return fingerprint(a.prediction) == fingerprint(b.prediction) && print(a.lesson) == print(b.lesson);
}

/// Everything but the cursor and the run. `unmade`: and but for what these tabs remember.
bool same_rest(const State& a, const State& b, const std::vector<std::string>& unmade = {}) {
  return a.target == b.target && a.tab == b.tab && same_asides(a, b) &&
         TabStates::alike(a.tabs, b.tabs, [&](const detail::AnyTabState& m) {
           return std::ranges::count(unmade, m.saved_as()) > 0;
         });
}

/// The tabs that have not opened yet what they show beside the run, as their states are saved.
std::vector<std::string> unmade_tabs(const LoadedState& s) {
  std::vector<std::string> all;
  for (const Tab* tab : tabs())
    if (tab->needs && tab->state && !tab->needs->taken(s)) all.emplace_back(tab->state->saved_as());
  return all;
}

}  // namespace

History::Snapshot::Snapshot(const LoadedState& s, ChangeKind how)
    : state(s), kind(how), run(s.run), program(s.program), unmade(unmade_tabs(s)) {}

bool same_place(const State& a, const State& b) {
  return same_rest(a, b) && landed(a.cursor) == landed(b.cursor);
}

void History::observe(const LoadedState& s, bool held) {
  if (!s.run) return;
  if (snapshots_.empty()) {
    snapshots_.emplace_back(s);
    return;
  }
  Snapshot& top = snapshots_[at_];
  const bool same_run = top.run.lock() == s.run;
  if (same_run && same_place(top.state, s)) {
    top.unmade = unmade_tabs(s);  // a tab shows itself
    return;
  }
  if (held) return;
  // what a tab fills in when it is first shown is no change
  if (same_run && same_rest(top.state, s, top.unmade) && landed(top.state.cursor) == landed(s.cursor)) {
    top = Snapshot(s, top.kind);
    return;
  }
  ChangeKind kind = ChangeKind::other;
  if (same_run && same_rest(top.state, s)) {
    if (no_step(top.state.cursor) == no_step(s.cursor) &&
        std::abs(step_of(*s.run, top.state.cursor) - step_of(*s.run, s.cursor)) <= 1)
      kind = ChangeKind::walk;
    else if (no_zoom(top.state.cursor) == no_zoom(s.cursor))
      kind = ChangeKind::zoom;
  }
  if (kind != ChangeKind::other && kind == top.kind && !can_redo()) {
    top = Snapshot(s, kind);
    return;
  }
  snapshots_.erase(snapshots_.begin() + long(at_) + 1, snapshots_.end());
  snapshots_.emplace_back(s, kind);
  if (snapshots_.size() > most_changes_ + 1) snapshots_.pop_front();
  at_ = snapshots_.size() - 1;
}

LoadedState History::go(LoadedState now, size_t to, RunStore& runs) {
  Snapshot& there = snapshots_[to];
  OpenedRun opened{there.run.lock(), there.program.lock()};
  if (!opened.run) {
    try {
      const std::optional<RunResult> result = runs.find(there.state.target);
      if (!result) {
        now.awaits = Awaited{there.state.target};
        return now;
      }
      opened = result->value();
    } catch (const std::exception& e) {
      refuse(now, e, Where::nowhere);
      return now;
    }
    // what looks the same from here on is the same run
    there.run = opened.run;
    there.program = opened.program;
    const Cursor c = there.state.cursor;
    there.state.cursor = at_step(*opened.run, c, step_of(*opened.run, c));
  }
  at_ = to;
  LoadedState s =
      std::move(now);  // files are not undone: what the compiler said of one stays true of its text
  State back = there.state;
  back.cursor.phase = 1;
  looks(back) = looks(static_cast<State&>(s));
  back.only_run = s.only_run;
  back.lesson.progress = s.lesson.progress;
  back.lesson.answers = s.lesson.answers;
  back.playing = false;
  static_cast<State&>(s) = std::move(back);
  s.run = std::move(opened.run);
  s.program = std::move(opened.program);
  s.held = 0;
  forgive(s);
  return s;
}

LoadedState History::undo(LoadedState now, RunStore& runs) {
  observe(now, false);  // what this very frame has changed
  return can_undo() ? go(std::move(now), at_ - 1, runs) : now;
}
LoadedState History::redo(LoadedState now, RunStore& runs) {
  return can_redo() ? go(std::move(now), at_ + 1, runs) : now;
}

}  // namespace bscope
