#include "app/session/history.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <set>
#include <type_traits>
#include <utility>

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
    lesson.scroll = lesson.chosen = 0;
    return fingerprint(lesson);
  };
  return fingerprint(a.prediction) == fingerprint(b.prediction) && print(a.lesson) == print(b.lesson);
}

/// Everything but the cursor. `filled_in`: and but for what a tab opens by itself when it is first shown.
bool same_rest(const State& a, const State& b, bool filled_in = false) {
  return a.run == b.run && a.target == b.target && a.tab == b.tab && same_asides(a, b) &&
         TabStates::alike(a.tabs, b.tabs, filled_in);
}

/// Whether they differ only in what a tab opens by itself when it is first shown.
bool filled_in(const State& before, const State& after) {
  return same_rest(before, after, true) && landed(before.cursor) == landed(after.cursor);
}

template <class Visit>
void each_run(const State& s, Visit&& visit) {
  const auto one = [&](const std::shared_ptr<const Run>& run) {
    if (run) visit(run);
  };
  one(s.run);
  s.tabs.each([&](const detail::AnyTabState& m) { m.each_run(one); });
}

void let_go(State& s) {
  s.run.reset();
  s.tabs.each([](detail::AnyTabState& m) { m.let_go(); });  // the tabs make these again
}

}  // namespace

bool same_place(const State& a, const State& b) {
  return same_rest(a, b) && landed(a.cursor) == landed(b.cursor);
}

void History::observe(const State& s, bool held) {
  if (!s.run) return;
  if (snapshots_.empty()) {
    snapshots_.push_back({s});
    return;
  }
  Snapshot& top = snapshots_[at_];
  if (same_place(top.state, s)) {
    if (!TabStates::made_alike(top.state.tabs, s.tabs)) top.state.tabs = s.tabs;  // a tab shows itself
    return;
  }
  if (held) return;
  if (filled_in(top.state, s)) {
    top.state = s;
    return;
  }
  ChangeKind kind = ChangeKind::other;
  if (same_rest(top.state, s)) {
    if (no_step(top.state.cursor) == no_step(s.cursor) &&
        std::abs(step_of(*s.run, top.state.cursor) - step_of(*s.run, s.cursor)) <= 1)
      kind = ChangeKind::walk;
    else if (no_zoom(top.state.cursor) == no_zoom(s.cursor))
      kind = ChangeKind::zoom;
  }
  if (kind != ChangeKind::other && kind == top.kind && !can_redo()) {
    top.state = s;
    return;
  }
  snapshots_.erase(snapshots_.begin() + long(at_) + 1, snapshots_.end());
  snapshots_.push_back({s, kind});
  at_ = snapshots_.size() - 1;
  bound();
}

size_t History::bytes() const {
  std::set<const Run*> seen;
  size_t all = 0;
  for (const Snapshot& m : snapshots_)
    each_run(m.state, [&](const std::shared_ptr<const Run>& r) {
      if (seen.insert(r.get()).second) all += bytes_of(*r);
    });
  return all;
}

void History::bound() {
  while (snapshots_.size() > most_changes_ + 1) {
    snapshots_.pop_front();
    --at_;
  }
  size_t held = bytes();
  if (held <= most_bytes_) return;
  std::set<const Run*> on_screen;
  each_run(snapshots_[at_].state, [&](const std::shared_ptr<const Run>& r) { on_screen.insert(r.get()); });
  // The oldest runs go first. To drop what the screen holds anyway would free nothing, and cost a trace
  // later.
  for (size_t i = 0; i < snapshots_.size() && held > most_bytes_; ++i) {
    bool frees = false;
    each_run(snapshots_[i].state,
             [&](const std::shared_ptr<const Run>& r) { frees = frees || !on_screen.contains(r.get()); });
    if (!frees) continue;
    let_go(snapshots_[i].state);
    held = bytes();
  }
}

State History::go(State now, size_t to, RunStore& runs) {
  Snapshot& there = snapshots_[to];
  if (!there.state.run) {
    try {
      const std::optional<RunResult> result = runs.find(there.state.target);
      if (!result) {
        now.awaits = Awaited{there.state.target};
        return now;
      }
      there.state.run = result->value().run;
      there.state.program = result->value().program;
    } catch (const std::exception& e) {
      refuse(now, e, Where::nowhere);
      return now;
    }
    // what looks the same from here on is the same run
    const Cursor c = there.state.cursor;
    there.state.cursor = at_step(*there.state.run, c, step_of(*there.state.run, c));
  }
  at_ = to;
  State s = there.state;
  s.cursor.phase = 1;
  looks(s) = looks(now);
  s.only_run = now.only_run;
  s.lesson.progress = now.lesson.progress;
  s.unbuilt = now.unbuilt;  // files are not undone: what the compiler said of one stays true of its text
  s.playing = false;
  s.held = 0;
  forgive(s);
  bound();
  return s;
}

State History::undo(State now, RunStore& runs) {
  observe(now, false);  // what this very frame has changed
  return can_undo() ? go(std::move(now), at_ - 1, runs) : now;
}
State History::redo(State now, RunStore& runs) {
  return can_redo() ? go(std::move(now), at_ + 1, runs) : now;
}

}  // namespace bscope
