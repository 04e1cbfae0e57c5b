// The Schedule tab's left side: which run, and what of it is in view.
#include <algorithm>

#include "app/draw/chart.hpp"
#include "app/draw/controls.hpp"
#include "app/measure/timeline_bench.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/tabs/schedule/record.hpp"
#include "app/tabs/schedule/sheet.hpp"
#include "engine/timing/kinds.hpp"

namespace bscope {
namespace {

std::string resident_text(int k) { return k == 0 ? tr("as many as fit") : std::to_string(k); }
std::string times_text(int zoom) {
  const double times = std::exp2(zoom / 4.0);
  return times < 10 ? fmt::format("{:.1f}x", times) : fmt::format("{:.0f}x", times);
}

LayoutNode residents(const ScheduleSheet& s) {
  if (s.in.all->size() < 2) return {};
  const ShownTimeline* shown = s.in.shown();
  std::vector<Button> all;
  for (const ShownTimeline& one : *s.in.all) {
    const int k = one.timeline.limit;
    all.push_back({"resident:" + std::to_string(k), k == 0 ? tr("all") : std::to_string(k),
                   k == 0 ? tr("As many blocks on a multiprocessor as fit.")
                          : tr("No more than {} blocks on a multiprocessor: each was given shared memory "
                               "that it does not use.",
                               k),
                   &one == shown, 0, [k](LoadedState& to, float) { to.of<ScheduleState>().resident = k; }});
  }
  return column(s.t.close(),
                {line({tr("Blocks on a multiprocessor"), tr("Blocks at a time")}, s.label(s.t.ink2)),
                 choices(std::move(all))});
}

}  // namespace

const std::array<Control, 5>& schedule_controls() {
  static const std::array<Control, 5> all{
      Control{.name = "resident",
              .label = tr_noop("Blocks on a multiprocessor"),
              .short_label = tr_noop("Blocks"),
              .tip = tr_noop(
                  "How many blocks were let onto a multiprocessor at a time, in the run that is shown."),
              .least = 0,
              .most = 32,
              .get = [](const LoadedState& s) { return s.of<ScheduleState>().resident; },
              .set = [](LoadedState& s, int v) { s.of<ScheduleState>().resident = v; },
              .up = tr_noop("More blocks on a multiprocessor"),
              .down = tr_noop("Fewer blocks on a multiprocessor"),
              .text = resident_text},
      Control{.name = "zoom",
              .label = tr_noop("Time, zoomed"),
              .short_label = tr_noop("Zoom"),
              .tip = tr_noop("How much wider the time is drawn; the wheel does the same about the mouse."),
              .least = 0,
              .most = ScheduleState::most_zoom,
              .step = 2,
              .get = [](const LoadedState& s) { return s.of<ScheduleState>().zoom; },
              .set = [](LoadedState& s, int v) { s.of<ScheduleState>().zoom = v; },
              .up = tr_noop("Zoom into the time"),
              .down = tr_noop("Zoom out of the time"),
              .up_key = ".",
              .down_key = ",",
              .text = times_text},
      Control{.name = "moment",
              .label = tr_noop("Moment in the middle"),
              .short_label = tr_noop("Moment"),
              .tip = tr_noop("Which part of the run is in view, where it is zoomed."),
              .least = 0,
              .most = ScheduleState::most_moment,
              .step = 100,
              .get = [](const LoadedState& s) { return s.of<ScheduleState>().moment; },
              .set = [](LoadedState& s, int v) { s.of<ScheduleState>().moment = v; },
              .up = tr_noop("Move to a later moment of the schedule"),
              .down = tr_noop("Move to an earlier moment of the schedule"),
              .up_key = "Right",
              .down_key = "Left",
              .text = [](int v) { return percent_text(v / double(ScheduleState::most_moment)); }},
      Control{.name = "rows",
              .label = tr_noop("Multiprocessors, zoomed"),
              .short_label = tr_noop("Rows"),
              .tip = tr_noop("How much higher the rows are drawn: fewer multiprocessors are in view."),
              .least = 0,
              .most = ScheduleState::most_rows_zoom,
              .get = [](const LoadedState& s) { return s.of<ScheduleState>().rows_zoom; },
              .set = [](LoadedState& s, int v) { s.of<ScheduleState>().rows_zoom = v; },
              .up = tr_noop("Draw fewer multiprocessors, higher"),
              .down = tr_noop("Draw more multiprocessors, lower"),
              .up_key = "V",
              .down_key = "Shift+V",
              .text = [](int v) { return fmt::format("{}x", 1 << v); }},
      Control{.name = "first",
              .label = tr_noop("First multiprocessor"),
              .short_label = tr_noop("First"),
              .tip = tr_noop("Which multiprocessors are in view, where not all are."),
              .least = 0,
              .most = 1000,
              .step = 50,
              .get = [](const LoadedState& s) { return s.of<ScheduleState>().first; },
              .set = [](LoadedState& s, int v) { s.of<ScheduleState>().first = v; },
              .up = tr_noop("Move to multiprocessors further down"),
              .down = tr_noop("Move to multiprocessors further up"),
              .up_key = "Down",
              .down_key = "Up",
              .text = [](int v) { return percent_text(v / 1000.0); }}};
  return all;
}

static LayoutNode sentence(const Theme& t, const std::string& words, Colour c, int gives) {
  return words.empty() ? LayoutNode{} : text({{words, c}}, {.size = t.label()}).gives(gives);
}

/// Which recording is shown, and the sliders over it.
static void append_recording(const Theme& t, const ScheduleInput& in, const ScheduleSheet& s,
                             std::vector<LayoutNode>& all) {
  const auto fact = [&](const std::string& what, const std::string& value, int gives) {
    return row(t.gap(),
               {line({what}, {.size = t.label(), .colour = t.ink2, .cut = true}).gives(1), space(0).grows(),
                line({value},
                     {.size = t.label(), .colour = t.ink, .font = Font::mono_bold, .align = Align::right})})
        .gives(gives);
  };
  const Timeline& of = s.timeline;
  const bool here = in.shown()->here;
  all.push_back(
      column(0, {line({short_device(of.device)},
                      {.size = t.label(), .colour = t.ink, .font = Font::text_bold, .cut = true}),
                 line(here ? std::vector{tr("recorded here, driver {}", of.driver), tr("recorded here")}
                           : std::vector{tr("recorded {}, driver {}", of.date.substr(0, 10), of.driver),
                                         tr("recorded {}", of.date.substr(0, 10)), of.date.substr(0, 10)},
                      {.size = t.label(), .colour = here ? t.thread : t.write})}));
  all.push_back(fact("N", n_text(of.n), 2));
  const auto block = of.parameters.find("block");
  if (block != of.parameters.end()) all.push_back(fact(tr("Threads per block"), block->second, 3));
  all.push_back(residents(s));
  const auto& [resident, zoom, moment, rows, first] = schedule_controls();
  const auto add = [&](const Control& control, int now, bool idle, int gives) {
    Slider one = slider_at(control, now);
    one.idle = idle;
    all.push_back(slider(one).gives(gives));
  };
  add(zoom, in.look.zoom, false, 1);
  add(moment, in.look.moment, in.look.zoom == 0, 1);
  if (s.schedule.rows.size() > 1) {
    add(rows, in.look.rows_zoom, false, 5);
    add(first, in.look.first, in.look.rows_zoom == 0, 5);
  }
}

/// What the recording shows, in sentences.
static void append_verdict(const Theme& t, const ScheduleSheet& s, std::vector<LayoutNode>& all) {
  all.push_back(rule(t.line).gives(6));
  const Text words = schedule_verdict(s);
  all.push_back(text(words, {.size = t.label()}).gives(4));
  if (s.timeline.stamped_s > 0 && s.timeline.untraced_s > 0)
    all.push_back(sentence(t,
                           tr("Timestamps slowed this run down {} times.",
                              fmt::format("{:.2f}", s.timeline.stamped_s / s.timeline.untraced_s)),
                           t.ink2, 7));
  if (!s.schedule.waits.empty())
    all.push_back(
        sentence(t,
                 tr("Arrows: from the block that published to the one that waited. Click a block to see "
                    "its own; else those of the block that waited longest."),
                 t.ink2, 8));
}

LayoutNode schedule_side(const Theme& t, const ScheduleInput& in, const ScheduleSheet* s) {
  std::vector<LayoutNode> all{line({tr("Run")}, heading_look(t))};
  if (s) append_recording(t, in, *s, all);
  if (in.recordable && !in.gpu.empty() && in.services)
    all.push_back(
        button({.name = "record",
                .label = in.recording ? tr("Recording") : tr("Record"),
                .tip = tr("Run this kernel on {} and show when its blocks ran.", in.gpu),
                .does = [services = in.services](LoadedState& to, float) { record_schedule(to, *services); },
                .key = "Ctrl Enter"},
               in.recording ? t.cell : t.thread));
  if (!in.error.empty()) all.push_back(sentence(t, tr(in.error), t.race, 1));
  if (s) append_verdict(t, *s, all);
  return column(t.px(10, 6), std::move(all));
}

}  // namespace bscope
