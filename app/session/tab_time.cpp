// What the transport moves on the tabs that have a time of their own.
#include <algorithm>

#include "app/session/state.hpp"
#include "app/tabs/atomics/runs.hpp"
#include "app/tabs/compare/picture.hpp"

namespace bscope {
namespace {

/// Playing through all of Atomics' time takes about this long.
constexpr float whole_time_ms = 8000, shortest_ms = 12, longest_ms = 400;

TabTime time_of(const Comparison& c, const CompareState& s) {
  const auto& steps = c.steps[size_t(s.sync)];
  TabTime track{int(steps.size()), std::clamp(s.position, 0, int(steps.size()) - 1), {}, hold_ms};
  const auto phase = [&](size_t k, size_t side) {
    const auto& rows = c.sides[side].rows;
    return rows.empty() ? std::string() : rows[size_t(steps[k][side])].phase;
  };
  for (size_t k = 1; k < steps.size(); ++k)
    if (phase(k, 0) != phase(k - 1, 0) || phase(k, 1) != phase(k - 1, 1)) track.marks.push_back(int(k));
  return track;
}

TabTime time_of(const AtomicsModel& m, const AtomicsState& s) {
  TabTime track{m.end + 1, m.time(s.t), {}, 0};
  for (const auto& side : m.sides) {
    track.marks.push_back(side.merge_starts);
    track.marks.push_back(side.total);
  }
  std::ranges::sort(track.marks);
  track.hold = std::clamp(whole_time_ms / float(track.length), shortest_ms, longest_ms);
  return track;
}

}  // namespace

std::optional<TabTime> own_time(const State& s) {
  if (s.only_run) return {};
  if (s.tab == Tab::compare && s.comparison) return time_of(*s.comparison, s.compare);
  if (s.tab == Tab::atomics && s.queues) return time_of(s.queues->model, s.atomics);
  return {};
}

State at_time(State s, int now) {
  const auto track = own_time(s);
  if (!track) return s;
  now = std::clamp(now, 0, track->length - 1);
  s.held = 0;
  if (s.tab == Tab::atomics) {
    s.atomics.t = now;
    return s;
  }
  s.compare.position = now;
  const auto& rows = s.comparison->sides[0].rows;
  if (rows.empty()) return s;
  const auto& row = rows[size_t(s.comparison->steps[size_t(s.compare.sync)][size_t(now)][0])];
  if (s.cursor.launch != row.launch) s.cursor.block = 0;
  s.cursor.launch = row.launch;
  s.cursor.interval = row.interval;
  s.cursor.phase = 1;
  // a block of fewer steps has no such interval: the first block has the most
  const Interval& here = interval_at(*s.run, s.cursor);
  if (here.launch != row.launch || here.index != row.interval) {
    const auto& all = s.run->report.flow.intervals;
    const auto found = std::ranges::find_if(
        all, [&](const Interval& v) { return v.launch == row.launch && v.index == row.interval; });
    if (found != all.end()) s.cursor = at_step(*s.run, s.cursor, int(found - all.begin()));
  }
  return s;
}

}  // namespace bscope
