#include "app/export/caption.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "app/draw/chart.hpp"
#include "app/run/titles.hpp"
#include "app/session/input.hpp"
#include "app/session/partners.hpp"
#include "app/tabs/atomics/runs.hpp"
#include "app/tabs/compare/picture.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

std::string both(const std::string& left, const std::string& right) {
  return left == right ? left : say("{} beside {}", left, right);
}

/// Of a run, and of the one beside it: where that has another value, both are told.
std::string parameters_of(const State& s, const Trace& trace, const Trace* beside = nullptr) {
  std::string all = "n = " + parameter_of(trace, "n");
  if (!s.target.is_file() && trace.kernel == s.run->trace.kernel) {
    const Request& r = s.target.request;
    const std::string called = input_called(r);
    all += " (" + said(called);
    if (called == "random" || called == "skewed" || called == "entropy") all += say(", seed {}", r.seed);
    all += ")";
  }
  for (const auto& [name, value] : trace.parameters) {
    if (name == "n") continue;
    const std::string other = beside ? parameter_of(*beside, name) : std::string();
    all += ", " + said(name) + " = " + (other.empty() ? value : both(value, other));
  }
  if (beside)
    for (const auto& [name, value] : beside->parameters)
      if (parameter_of(trace, name).empty()) all += ", " + said(name) + " = " + value;
  return all;
}

std::string step_words(const Trace& t, int launch, int block, int interval, size_t of,
                       const std::string& phase) {
  const Launch& l = t.launches[size_t(launch)];
  std::string words;
  if (t.launches.size() > 1) words += say("launch {}: {}, ", launch_number(launch), said(l.name));
  if (l.grid > 1) words += say("block {} of {}", block, l.grid) + ", ";
  return words + say("step {} of {}", step_number(interval), of) + (phase.empty() ? "" : ": " + phase);
}

/// The words for any step of the run are no longer than these.
std::string widest_step(const Run& run) {
  const Trace& t = run.trace;
  std::string widest, phase;
  int most = 0;
  std::string_view last;
  for (const Interval& i : run.report.flow.intervals) {
    most = std::max(most, i.index);
    if (i.phase == last) continue;
    last = i.phase;
    if (const std::string name = phase_name(t, i); name.size() > phase.size()) phase = name;
  }
  for (int k = 0; k < int(t.launches.size()); ++k) {
    const std::string words = step_words(t, k, t.launches[size_t(k)].grid - 1, most, size_t(most) + 1, phase);
    if (words.size() > widest.size()) widest = words;
  }
  return widest;
}

void add_step(Caption& c, const State& s) {
  if (!steps(*s.run)) return;
  const Flow& flow = s.run->report.flow;
  const Interval& i = flow.intervals[size_t(step_of(*s.run, s.cursor))];
  c.step = step_words(s.run->trace, i.launch, i.block, i.index, flow.of_block(i.launch, i.block).size(),
                      phase_name(s.run->trace, i));
  c.widest = widest_step(*s.run);
}

/// Where a pattern is played with, the open kernel is not what is shown.
Caption of_pattern(const PatternState& p, bool shared) {
  const Request r = pattern_target(p, shared).request;
  Caption c{full_title(r.kernel), {}, {}, {}};
  for (const auto& [name, value] : r.set)
    c.parameters += (c.parameters.empty() ? "" : ", ") + said(name) + " = " + value;
  return c;
}

struct Layout {
  float size, margin, gap, line;
  float first;       ///< height of title and parameters
  float second = 0;  ///< of the step below them; 0: it stands beside them
  float height() const { return line * 0.6f + first + second; }
};

std::vector<Words> first_words(const Caption& c, const Theme& t) {
  return {{c.title + "  ", t.ink, Font::text_bold}, {c.parameters, t.ink2}};
}

float height_of(const std::vector<Words>& words, const Metrics& m, float room, float size) {
  Picture unused;
  Pen pen(unused, m);
  return paragraph(pen, words, {0, 0, room, 1e6f}, size);
}

Layout layout(const Caption& c, const Theme& t, const Metrics& m, float w) {
  Picture unused;
  const Pen pen(unused, m);
  Layout l{};
  l.size = t.px(t.projector() ? 22 : t.size_label);
  l.margin = t.px(t.projector() ? 12 : 14);
  l.gap = l.size * 2;
  const float room = w - 2 * l.margin;
  l.first = height_of(first_words(c, t), m, room, l.size);
  l.line = height_of({{"x", t.ink}}, m, room, l.size);
  if (c.step.empty()) return l;
  const float step = std::max(pen.width(c.step, l.size), pen.width(c.widest, l.size)),
              title = pen.width(c.title + "  ", l.size, Font::text_bold) + pen.width(c.parameters, l.size);
  if (title + l.gap + step > room)
    l.second = std::max(height_of({{c.step, t.ink}}, m, room, l.size),
                        height_of({{c.widest, t.ink}}, m, room, l.size));
  return l;
}

}  // namespace

Caption caption_of(const State& s) {
  if (!s.only_run && s.tab == Tab::banks && s.banks.playing) return of_pattern(s.banks.pattern, true);
  if (!s.only_run && s.tab == Tab::memory && s.memory.playing) return of_pattern(s.memory.pattern, false);
  const Trace& trace = s.run->trace;
  Caption c{full_title(trace.kernel), {}, {}, {}};
  if (s.only_run || s.tab == Tab::watch || s.tab == Tab::banks || s.tab == Tab::memory) {
    c.parameters = parameters_of(s, trace);
    add_step(c, s);
    return c;
  }
  switch (s.tab) {
    case Tab::compare: {
      const Trace& other = s.comparison->runs[1]->trace;
      const size_t all = s.comparison->steps[size_t(s.compare.sync)].size();
      c.title = both(full_title(trace.kernel), full_title(other.kernel));
      c.parameters = parameters_of(s, trace, &other);
      c.step = say("step {} of {}", std::min(step_number(s.compare.position), int(all)), all);
      c.widest = say("step {} of {}", step_number(int(all) - 1), all);
      break;
    }
    case Tab::atomics: {
      const Trace &left = s.queues->left->trace, &right = s.queues->right->trace;
      c.title = both(full_title(left.kernel), full_title(right.kernel));
      c.parameters = parameters_of(s, left, &right);
      break;
    }
    case Tab::time: c.parameters = say("at full size, N = 2^{}, {}", s.time.log_n, s.time.type); break;
    default: break;
  }
  return c;
}

float caption_height(const Caption& c, const Theme& t, const Metrics& m, float w) {
  return std::round(layout(c, t, m, w).height());
}

void draw_caption(Picture& p, const Caption& c, const Theme& t, const Metrics& m) {
  Pen pen(p, m);
  const Layout l = layout(c, t, m, p.width);
  const float top = l.line * 0.4f, room = p.width - 2 * l.margin;
  paragraph(pen, first_words(c, t), {l.margin, top, room, l.first * 1.01f}, l.size);
  if (c.step.empty()) return;
  if (l.second > 0)
    paragraph(pen, {{c.step, t.ink}}, {l.margin, top + l.first, room, l.second * 1.01f}, l.size);
  else
    pen.text({p.width - l.margin, top + l.line / 2}, c.step, l.size, t.ink, Font::text, Align::right);
}

}  // namespace bscope
