// The Time tab's left side: what is measured, and which recordings are shown.
#include "app/draw/controls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "app/draw/chart.hpp"
#include "app/measure/measurement_store.hpp"
#include "app/run/run.hpp"
#include "app/run/titles.hpp"
#include "app/session/control.hpp"
#include "app/session/tab_services.hpp"
#include "app/tabs/time/measuring.hpp"
#include "app/tabs/time/sheet.hpp"
#include "app/words/measures.hpp"
#include "engine/analysis/run.hpp"
#include "engine/timing/kinds.hpp"

namespace bscope {
namespace {

/// What a button does with the session's bench; nothing in a picture that has none.
template <class F>
HitAction with(TabServices* services, F does) {
  if (!services) return {};
  return [services, does](LoadedState& s, float) { does(s, *services); };
}

constexpr int least_log_block = 5, most_log_block = 10;
/// The slider's place for so many threads a block; for none, where the kernel's own stand.
int log_block(int block, const std::string& kernel) {
  const Algorithm* a = block > 0 ? nullptr : algorithm_of(kernel);
  const int log = int(std::bit_width(unsigned(a ? a->full_block : std::max(1, block)))) - 1;
  return std::clamp(log, least_log_block, most_log_block);
}

/// A GPU's driver, or how many threads a CPU has.
std::string driver_text(const Recording& r) {
  const size_t end = r.driver.find(" threads");
  return end == std::string::npos ? r.driver
                                  : tr_count(std::atoi(r.driver.c_str()), "{} thread", "{} threads");
}

/// What the open kernel's recorded curve was measured with; empty where none says so, or a GPU here measures.
std::string recorded_with(const TimeSheet& s, const std::string& name) {
  if (!s.in.gpu.empty()) return {};
  for (const Curve& x : s.series)
    if (x.recorded && x.current)
      if (const auto it = x.first().parameters.find(name); it != x.first().parameters.end())
        return it->second;
  return {};
}

/// What the kernel declares, as the sliders have it: what is chosen, else what was recorded.
std::string value_of(const TimeSheet& s, const Parameter& p) {
  if (const auto it = s.in.look.set.find(p.name); it != s.in.look.set.end()) return it->second;
  const std::string recorded = recorded_with(s, p.name);
  return recorded.empty() ? p.initial.text : recorded;
}

/// Which of the values that were chosen no recording on screen has, in a sentence; empty if they have all.
std::string not_recorded(const TimeSheet& s) {
  std::vector<const Record*> there;  // the nearest first
  for (const Curve& x : s.series)
    if (x.recorded && !x.hidden && !x.points.empty() && x.first().kernel == s.in.kernel)
      there.insert(x.current ? there.begin() : there.end(), x.points[0]);
  std::string asked, has;
  const auto look_for = [&](const std::string& name, const std::string& value) {
    std::vector<std::string> values;
    for (const Record* r : there)
      if (const auto it = r->parameters.find(name); it != r->parameters.end()) values.push_back(it->second);
    if (values.empty() || std::ranges::count(values, value)) return;
    asked += (asked.empty() ? "" : tr(", ")) + tr(name) + " " + tr(value);
    has += (has.empty() ? "" : tr(", ")) + tr(name) + " " + tr(values.front());
  };
  if (s.in.look.block) look_for("block", std::to_string(s.in.look.block));
  for (const Parameter& p : s.in.parameters)
    if (!slider_values(p).empty() && s.in.look.set.contains(p.name)) look_for(p.name, value_of(s, p));
  if (family_of(s.in.kernel).takes_keys) look_for("skew", skew_text(s.in.look.skew / 100.0));
  if (asked.empty()) return {};
  return tr("Not recorded for {}; showing {}.", asked, has);
}

/// The sliders of what is measured; without a GPU, what only it follows chooses among recorded curves.
std::vector<LayoutNode> sliders(const TimeSheet& s) {
  const TimeState& look = s.in.look;
  const bool gpu = !s.in.gpu.empty();
  const auto& [n, block, skew] = time_sliders();
  const std::string of_block = block_shown(s);
  Slider threads = slider_at(block, log_block(std::atoi(of_block.c_str()), s.in.kernel));
  threads.value = tr(of_block);
  threads.does = [](LoadedState& to, int v) {
    to.of<TimeState>().block = 1 << v;
  };  // the one that it shows, too
  threads.idle = !gpu;
  if (!gpu) threads.tip = tr("Threads of a block: without a GPU here, it chooses among recorded curves.");
  std::vector<LayoutNode> all{slider(slider_at(n, look.log_n)), slider(threads).gives(1)};
  for (const Parameter& p : s.in.parameters) {
    const std::vector<std::string> values = slider_values(p);
    if (values.empty() || all.size() == 5) continue;
    const std::string now = value_of(s, p);
    const auto at = std::ranges::find(values, now);
    all.push_back(
        slider({"set:" + p.name, tr(p.name), tr(p.name), tr(now), meaning_of(p), 0, int(values.size()) - 1,
                float(at == values.end() ? 0 : at - values.begin()), !gpu && p.name != "bins",
                [values, name = p.name](LoadedState& to, int v) {
                  to.of<TimeState>().set[name] = values[size_t(std::clamp(v, 0, int(values.size()) - 1))];
                }})
            .gives(2));
  }
  if (family_of(s.in.kernel).takes_keys) all.push_back(slider(slider_at(skew, look.skew)).gives(2));
  const bool typed = std::ranges::any_of(
      s.in.parameters, [](const Parameter& p) { return p.name == "type" && p.values.size() > 1; });
  std::vector<Button> types;
  for (const char* type : {"int32", "float", "double"})
    types.push_back({std::string("type:") + type, type, tr("Type of an element."), look.type == type, 0,
                     sets(&TimeState::type, type)});
  if (typed) all.push_back(choices(types).gives(2));
  return all;
}

/// The button that measures, or stops; and how far it is.
std::vector<LayoutNode> measuring_controls(const TimeSheet& s) {
  const Theme& t = s.t;
  if (!s.in.measures) return {};
  if (!s.in.measuring) {
    const std::string where = s.in.gpu.empty() ? tr("this machine's CPU, serially and with TBB") : s.in.gpu;
    return {button({.name = "measure",
                    .label = tr("Measure"),
                    .tip = tr("Time this family from 2^10 to {} elements on {}.", s.n(), where),
                    .does = with(s.in.services,
                                 [](LoadedState& to, TabServices& services) { measure(to, services, true); }),
                    .key = "Ctrl Enter"},
                   t.thread),
            button({"measure one", tr("Only at {}", s.n()),
                    tr("Time this family at {} elements alone: a few seconds.", s.n()), false, 0,
                    with(s.in.services,
                         [](LoadedState& to, TabServices& services) { measure(to, services, false); })})
                .gives(3)};
  }
  const auto left = std::lround(std::max(0.0, s.in.seconds_left));
  return {button({.name = "stop",
                  .label = tr("Stop"),
                  .tip = tr("Keep what is measured so far."),
                  .does = with(s.in.services,
                               [](LoadedState&, TabServices& services) {
                                 services.of<MeasurementStore>().measurer.stop();
                               }),
                  .key = "Esc"},
                 t.cell),
          row(t.gap(),
              {line({s.in.doing}, s.label(t.ink)).gives(1), space(0).grows(),
               line({tr("{} of {}", s.in.done, s.in.all)}, s.label(t.ink, Align::right, Font::mono_bold))}),
          progress(s.in.all > 0 ? std::max(0.02f, float(s.in.done) / float(s.in.all)) : 0, t.thread),
          line({s.in.seconds_left >= 0 ? tr("about {} left", fmt::format("{}:{:02}", left / 60, left % 60))
                                       : tr("measuring the copy")},
               s.label(t.ink2, Align::right))};
}

/// A recording with its tick: nothing on the right may be mistaken for this machine.
LayoutNode source(const TimeSheet& s, const Recording& r, bool recorded, size_t k) {
  const Theme& t = s.t;
  const std::string of = recorded ? key_of(r) : r.device, key = std::to_string(k) + ":" + of, day = day_of(r);
  const LayoutNode forget =
      recorded ? LayoutNode{}
               : cross(t.label() * 1.3f, {"forget:" + key,
                                          {},
                                          tr("Forget what was measured on this device."),
                                          false,
                                          0,
                                          with(s.in.services, [of](LoadedState&, TabServices& services) {
                                            services.of<MeasurementStore>().measurer.forget(of);
                                          })});
  LineLook when = s.label(recorded ? t.write : t.ink2);
  when.cut = false;
  const LayoutNode what =
      recorded ? line({tr("recorded {}, {}", day, driver_text(r)), tr("recorded {}", day), day}, when)
               : line({tr("measured here, {}", driver_text(r)), tr("measured here")}, when);
  return pressed(
      row(t.gap(),
          {tick(t.label() * 1.05f, is_open(s.in.look, r, recorded), recorded ? t.write : t.thread),
           column(0,
                  {row(t.close(),
                       {line({short_device(r.device)}, s.label(t.ink, Align::left, Font::text_bold)).gives(1),
                        space(0).grows(), forget}),
                   what})
               .grows()}),
      {.what = HitRegion::button,
       .box = {},
       .tip = tr("{}, {}, {}: show or hide its curves.", r.device, r.driver, r.date),
       .name = "recording:" + key,
       .press = toggles(&TimeState::closed, of)});
}

}  // namespace

std::string block_shown(const TimeSheet& s) {
  if (s.in.look.block) return std::to_string(s.in.look.block);
  const std::string recorded = recorded_with(s, "block");
  return recorded.empty() ? own_block(s.in.kernel) : recorded;
}

const std::array<Control, 3>& time_sliders() {
  static const std::array<Control, 3> all{
      Control{.name = "n",
              .label = "N",
              .short_label = "N",
              .tip = tr_noop("Elements: length of the ladder, and the longest that a sweep measures."),
              .least = TimeState::least_log_n,
              .most = TimeState::most_log_n,
              .get = [](const LoadedState& s) { return s.of<TimeState>().log_n; },
              .set = [](LoadedState& s, int v) { s.of<TimeState>().log_n = v; },
              .up = tr_noop("Double the length"),
              .down = tr_noop("Halve the length"),
              .up_key = ".",
              .down_key = ",",
              .text = power_of_two},
      Control{
          .name = "block",
          .label = tr_noop("Threads per block"),
          .short_label = tr_noop("Block"),
          .tip = tr_noop("Threads of a block, on the GPU."),
          .least = least_log_block,
          .most = most_log_block,
          .get = [](const LoadedState& s) { return log_block(s.of<TimeState>().block, s.run->trace.kernel); },
          .set =
              [](LoadedState& s, int v) {
                // without a choice, the place that is shown is no choice
                int& block = s.of<TimeState>().block;
                if (block > 0 || v != log_block(block, s.run->trace.kernel)) block = 1 << v;
              },
          .up = tr_noop("Double the block"),
          .down = tr_noop("Halve the block"),
          .text = [](int v) { return std::to_string(1 << v); }},
      Control{.name = "skew",
              .label = tr_noop("Skew"),
              .short_label = tr_noop("Skew"),
              .tip = tr_noop("Share of the keys that is one favourite key: more contention."),
              .least = 0,
              .most = 100,
              .step = 10,
              .get = [](const LoadedState& s) { return s.of<TimeState>().skew; },
              .set = [](LoadedState& s, int v) { s.of<TimeState>().skew = v; },
              .up = tr_noop("More skew"),
              .down = tr_noop("Less skew"),
              .can = [](const LoadedState& s) { return family_of(s.run->trace.kernel).takes_keys; },
              .text = [](int v) { return percent_text(v / 100.0); }}};
  return all;
}

LayoutNode time_controls(const TimeSheet& s) {
  const Theme& t = s.t;
  const auto sentence = [&](Text words, int gives) {
    return words.empty() || words[0].words.empty() ? LayoutNode{}
                                                   : text(std::move(words), {.size = t.label()}).gives(gives);
  };
  std::vector<LayoutNode> all{line({tr("Run")}, heading_look(t))};
  const auto add = [&](std::vector<LayoutNode> more) {
    for (LayoutNode& f : more) all.push_back(std::move(f));
  };
  add(sliders(s));
  all.push_back(sentence({{not_recorded(s), t.write}}, 5));
  add(measuring_controls(s));
  all.push_back(sentence({{tr(s.in.error), t.race}}, 1));
  if (!s.in.live.empty() || !s.in.recorded.empty()) all.push_back(rule(t.line).gives(4));
  size_t k = 0;
  for (const Recording& r : s.in.live) all.push_back(source(s, r, false, k++).gives(4));
  for (const Recording& r : s.in.recorded) all.push_back(source(s, r, true, k++).gives(4));
  all.push_back(
      shares(
          t.px(6),
          {{1,
            button({"import", tr("Open"),
                    tr("Open a recording, JSON or CSV; or drop the file anywhere on the window."), false, 0,
                    with(s.in.services,
                         [](LoadedState& to, TabServices& services) {
                           if (services.choose_file) services.choose_file(to);
                         })})},
           {1,
            button({"export:json", "JSON",
                    tr("Save what is ticked with every sample, as JSON (barrierscope.time/1)."), false, 0,
                    with(s.in.services, [](LoadedState& to,
                                           TabServices& services) { save_times(to, services, ".json"); })})},
           {1,
            button({"export:csv", "CSV", tr("Save what is ticked for a spreadsheet, one line a point."),
                    false, 0,
                    with(s.in.services, [](LoadedState& to,
                                           TabServices& services) { save_times(to, services, ".csv"); })})}})
          .gives(2));
  all.push_back(sentence({{s.in.notice, t.ink2}}, 6));
  all.push_back(sentence(verdict(s), 7));
  if (s.in.measures && s.in.gpu.empty() && !s.in.no_gpu.empty()) {
    std::string why = capitalised(tr(s.in.no_gpu));
    if (!why.ends_with(".") && !why.ends_with("。")) why += tr(".");
    all.push_back(sentence({{why, t.ink2}}, 8)
                      .or_else(text({{tr("There is no GPU here."), t.ink2}}, {.size = t.label()})));
  }
  return column(t.px(10, 6), std::move(all));
}

}  // namespace bscope
