// Where the time of a run's warps goes, beside what a trace counts there.
#include <algorithm>

#include "app/draw/controls.hpp"
#include "app/tabs/schedule/sheet.hpp"
#include "engine/timing/timeline_rows.hpp"

namespace bscope {
namespace {

/// One phase of all launches.
struct PhaseSum {
  std::string phase;
  size_t number = 0;
  TimelineShare time = {};
  TimelineCount count = {};
  double all() const { return time.cycles + time.waiting + time.awaiting; }
};

std::vector<PhaseSum> sums_of(const ScheduleSheet& s) {
  std::vector<PhaseSum> all;
  for (size_t k = 0; k < s.schedule.phases.size(); ++k) all.push_back({s.schedule.phases[k], k});
  std::vector<std::string> counted;  // launches of one name are counted together
  for (const TimelineLaunch& l : s.timeline.launches) {
    const bool is_new = !std::ranges::count(counted, l.name);
    if (is_new) counted.push_back(l.name);
    for (const TimelineShare& share : measures_of(s.timeline, l).phases)
      for (PhaseSum& sum : all)
        if (sum.phase == share.phase) {
          sum.time.cycles += share.cycles;
          sum.time.waiting += share.waiting;
          sum.time.awaiting += share.awaiting;
        }
    for (const TimelineCount& c : l.counted)
      for (PhaseSum& sum : all)
        if (is_new && sum.phase == c.phase) {
          sum.count.wavefronts += c.wavefronts;
          sum.count.sectors += c.sectors;
          sum.count.atomics += c.atomics;
        }
  }
  std::erase_if(all, [](const PhaseSum& sum) { return sum.all() == 0; });
  return all;
}

/// Whether any warp waits for the copy engine.
bool copies(const ScheduleSheet& s) {
  for (const TimelineRows::MultiprocessorRow& row : s.schedule.rows)
    for (const TimelineRows::BlockBar& b : row.bars)
      for (const TimelineRows::Stretch& one : b.stretches)
        if (one.activity == WarpActivity::copy) return true;
  return false;
}

}  // namespace

LayoutNode schedule_phases(const ScheduleSheet& s) {
  const Theme& t = s.t;
  const std::vector<PhaseSum> sums = sums_of(s);
  double time = 0, most = 0;
  for (const PhaseSum& sum : sums) time += sum.all(), most = std::max(most, sum.all());
  const bool counted = s.timeline.counted_n > 0;
  const auto caption = [&](const std::string& words) {
    return line({words}, {.size = t.small(), .colour = t.ink2, .align = Align::right});
  };
  Table all{.gap = t.px(14), .least_row = t.label() * 1.4f, .most_row = t.px(30, 40)};
  std::vector<LayoutNode> ways;
  const auto say = [&](const std::string& words, const LayoutNode& beside) {
    const LayoutNode said = line({words}, {.size = t.small(), .colour = t.ink2});
    ways.push_back(beside.empty() ? said : row(t.px(14), {said, beside}));
  };
  LayoutNode others;
  if (std::ranges::any_of(sums, [](const PhaseSum& sum) { return sum.time.awaiting > 0; }))
    others = legend({{.words = copies(s) ? tr("for other blocks or the copy engine") : tr("for other blocks"),
                      .colour = s.fill(WarpActivity::tiles, 0)}});
  say(tr("bar: time of all warps; pale: waiting at a barrier"), others);
  say(tr("time of all warps; pale: waiting at a barrier"), others);
  say(tr("pale: at a barrier"), others);
  if (!others.empty()) ways.push_back(others);
  LayoutNode bars = widest_that_fits(std::move(ways));
  bars = std::move(bars).grows();
  bars.least = [](const DrawContext& p) { return p.t.px(60); };
  all.heads = {line({tr("Where the time goes")}, heading_look(t)).at_most(0.3f), std::move(bars),
               caption(tr("share")), caption(tr("waiting"))};
  if (counted)
    for (const char* what : {tr_noop("wavefronts"), tr_noop("sectors"), tr_noop("atomics")})
      all.heads.push_back(caption(tr(what)).gives(1));
  for (const PhaseSum& sum : sums) {
    const auto bar = [s, sum, most](const DrawContext& p, Box b) {
      const Theme& t = s.t;
      const float h = std::min(b.h * 0.62f, t.px(18, 26));
      Box now{b.x, b.centre().y - h / 2, 0, h};
      for (const auto& [cycles, colour] :
           {std::pair{sum.time.cycles, s.phases[sum.number]},
            std::pair{sum.time.waiting, s.fill(WarpActivity::barrier, int(sum.number))},
            std::pair{sum.time.awaiting, s.fill(WarpActivity::tiles, int(sum.number))}}) {
        now.w = float(cycles / most) * b.w;
        if (now.w > 0.3f) p.pen.rect(now, colour);
        now.x += now.w;
      }
    };
    std::vector<LayoutNode> cells{
        line({sum.phase.empty() ? tr("before the first phase") : tr(sum.phase)},
             s.label(t.ink, Align::right)),
        drawing(t.px(60), t.label() * 1.2f, bar).grows(),
        line({percent_text(sum.all() / time)}, s.label(t.ink, Align::right, Font::mono_bold)),
        line({percent_text((sum.time.waiting + sum.time.awaiting) / sum.all())},
             s.label(t.ink2, Align::right, Font::mono))};
    const auto per = [&](long count) {
      const double v = double(count) * 1024 / double(s.timeline.counted_n);
      return line({count == 0 ? "0" : rate_text(v)}, s.label(t.ink2, Align::right, Font::mono));
    };
    if (counted)
      for (const long count : {sum.count.wavefronts, sum.count.sectors, sum.count.atomics})
        cells.push_back(per(count));
    all.rows.push_back(std::move(cells));
  }
  const std::string note =
      counted ? tr("Wavefronts, sectors and atomics: of 1,024 elements, counted in a trace of N = {}.",
                   n_text(s.timeline.counted_n))
              : std::string();
  return column(t.close(),
                {table(std::move(all)).grows(),
                 note.empty() ? LayoutNode{}
                              : line({note}, {.size = t.small(), .colour = t.ink2, .cut = true}).gives(1)});
}

}  // namespace bscope
