#include <algorithm>
#include <functional>
#include <vector>

#include "app/draw/layout.hpp"
#include "app/run/titles.hpp"
#include "app/tabs/watch/array/captions.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/signs.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/tabs/watch/whole_run/content.hpp"
#include "app/tabs/watch/whole_run/parts.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/stuck_threads.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

/// On the projector, where no legend stands beside: what the colours of these pictures mean, and what lights
/// up.
struct SignKey {
  struct ExplainedSign {
    Sign sign;
    std::string words;
    Point at;
  };
  std::vector<ExplainedSign> entries = {};
  std::string lit = {};
  Point lit_at = {};
  float right = 0, bottom = 0;
  float size = 0, w = 0, h = 0, gap = 0;  ///< of the words; of a sign; between the two
};

std::string in_clauses(std::vector<std::string> all) {
  std::erase(all, std::string());
  return joined(all, tr("; "));
}

/// What the step does with the cells that these pictures show: there are arrows for it.
struct StepSigns {
  bool reads = false, writes = false;
};

StepSigns signs_of_step(const WholeRunContent& run) {
  if (run.steps_through) return {true, true};
  const auto writes = [&](const ArrayRange& p) {
    return !run.now.written_in(p.array, p.first, p.size).empty();
  };
  const auto is_shown = [&](int array) { return array == run.from.array || array == run.to.array; };
  const auto reads_shown = [&](int load) { return is_shown(run.place(load).array); };
  const auto is_read = [&](const Move& m) {
    return !m.arrow.loads.empty() &&
           (is_shown(m.arrow.to.array) || std::ranges::any_of(m.arrow.loads, reads_shown));
  };
  const auto meets = [&](const Exchange& e) { return e.interval == run.now.interval->index; };
  return {std::ranges::any_of(run.now.held(), reads_shown) ||
              std::ranges::any_of(run.model.exchanges(run.block.launch, run.block.block), meets) ||
              std::ranges::any_of(run.now.moves(), is_read),
          writes(run.part) || writes(run.to)};
}

SignKey sign_key(const Pen& pen, const Theme& t, const WholeRunContent& run, float width) {
  SignKey key{.right = width - margin(t), .size = t.px(22), .w = t.px(22), .h = t.px(16), .gap = t.px(8)};
  const float line = key.size * 1.3f, left = margin(t);
  float x = left, y = t.px(6) + line / 2;
  std::vector<Sign> signs;
  const StepSigns step = signs_of_step(run);
  if (step.reads) signs.push_back(Sign::read);
  if (step.writes) signs.insert(signs.end(), {Sign::write, Sign::changed});
  if (std::any_of(run.now.wrote.begin(), run.now.wrote.end(), [&](const auto& w) {
        const Node& n = run.model.flow().nodes[size_t(w.node)];
        return n.place.array == run.now.to() && is_atomic(n.op);
      }))
    signs.push_back(Sign::atomic);
  if (!stuck_lines(run.model.trace(), run.model.flow(), *run.now.interval).empty())
    signs.push_back(Sign::stuck);
  for (const Sign s : signs) {
    key.entries.push_back({s, word_for(s), {x, y}});
    x += key.w + key.gap + pen.width(key.entries.back().words, key.size) + t.px(20);
  }
  key.lit = run.what_lights();
  if (!key.lit.empty() && x + pen.width(key.lit, key.size) > key.right) x = left, y += line;
  const auto has_room = [&](const std::string& words) { return x + pen.width(words, key.size) <= key.right; };
  if (run.marks.dots) {
    const std::string dots = tr("dot: a longer number"), with = in_clauses({key.lit, dots});
    if (x > left && !has_room(with)) x = left, y += line;
    key.lit = has_room(with) ? with : dots;
  }
  key.lit_at = {x, y};
  if (run.shades) {
    const std::string with = in_clauses({key.lit, words_for_shades(t)});
    if (has_room(with)) key.lit = with;
  }
  key.bottom = y + line / 2 + t.px(4);
  return key;
}

void draw_key(Pen& pen, const Theme& t, const SignKey& key) {
  for (const auto& [sign, words, at] : key.entries) {
    draw_sign(pen, t, sign, {at.x, at.y - key.h / 2, key.w, key.h});
    pen.text({at.x + key.w + key.gap, at.y}, words, key.size, t.ink2);
  }
  if (!key.lit.empty())
    pen.text(key.lit_at, pen.fitted(key.lit, key.right - key.lit_at.x, key.size), key.size, t.ink2);
}

}  // namespace

float whole_run_header_height(const Pen& pen, const Theme& t, const WholeRunContent& run, float width) {
  return t.projector() ? sign_key(pen, t, run, width).bottom : t.px(32);
}

void draw_whole_run_header(Pen& pen, const Theme& t, const WholeRunContent& run, float width) {
  if (t.projector()) return draw_key(pen, t, sign_key(pen, t, run, width));
  const LineLook small{.size = t.label(), .colour = t.ink2};
  const Launch& l = run.model.trace().launches[size_t(run.block.launch)];
  const std::string where = l.grid == 1          ? tr("time runs down")
                            : run.track.by_block ? tr("a row a block: no barriers here")
                                                 : tr("block {0} of {1}", run.block.block, l.grid);
  const auto plan = [&](const std::string& words) {
    if (!run.selected) return line({words}, small);
    return pressed(line({words}, small),
                   {.what = HitRegion::button,
                    .box = {},
                    .tip = tr("What lights up: the values that went into the selected cell, those that "
                              "it flows into, or both. Click to change."),
                    .name = "run:relatives",
                    .press = [](LoadedState& s, float) { s = next_relatives(std::move(s)); }});
  };
  // what has no room is left out whole, never cut
  const std::string lit = run.what_lights();
  const std::string shades = run.shades ? words_for_shades(t) : std::string();
  const std::string dots = run.marks.dots ? tr("dot: a longer number") : std::string();
  std::vector<std::string> ways{in_clauses({where, lit, shades, dots}), in_clauses({lit, shades, dots}),
                                in_clauses({where, lit, dots}), in_clauses({lit, dots}),
                                in_clauses({where, dots})};
  std::erase(ways, std::string());
  std::ranges::stable_sort(ways, std::greater{},
                           [&](const std::string& w) { return pen.width(w, t.label()); });
  LayoutNode now = plan(ways.front());
  for (size_t k = 1; k < ways.size(); ++k) now.or_else(plan(ways[k]));
  LayoutNode title = line({tr("Whole run")}, heading_look(t));
  title.least = title.wanted;
  LayoutNode future;
  if (run.has_future())
    future = line({tr("future steps show structure, never answers")}, {t.label(), t.ink3}).gives(2);
  draw({pen, t}, row(t.px(14), {title, std::move(now).gives(1), space(0).grows(), future}),
       {margin(t), t.px(8), width - 2 * margin(t), t.px(20)});
}

}  // namespace bscope
