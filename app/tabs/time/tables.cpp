// The Time tab's tables of bars: kernels at one length, noise, a block's cycles; and the recordings'
// notes.
#include <algorithm>
#include <cmath>

#include "app/draw/charts.hpp"
#include "app/draw/controls.hpp"
#include "app/tabs/time/measuring.hpp"
#include "app/tabs/time/sheet.hpp"
#include "app/words/counting.hpp"
#include "app/words/measures.hpp"

namespace bscope {

namespace {

/// How far the bars of a series reach, and where they are marked: at the bandwidths of a copy and of the
/// peak.
struct SeriesScale {
  double most = 0;
  std::vector<LyingBar::Mark> marks = {};
};

SeriesScale series_scale(const TimeSheet& s) {
  SeriesScale scale;
  const Recording* roofs = nullptr;
  for (const Curve* x : s.rows) {
    const Record* r = x->at(s.length());
    if (!r || x->hidden) continue;
    scale.most = std::max(scale.most, r->gb_per_s);
    if (x->run->copy_gb_per_s > 0 && !limit_is_a_curve(s, x->run) &&
        (!roofs || x->run->copy_gb_per_s > roofs->copy_gb_per_s))
      roofs = x->run;
  }
  if (!roofs) return scale;
  scale.most = std::max({scale.most, roofs->copy_gb_per_s, roofs->peak_gb_per_s});
  scale.marks.push_back({roofs->copy_gb_per_s, s.t.ink, 7});
  if (roofs->peak_gb_per_s > 0) scale.marks.push_back({roofs->peak_gb_per_s, s.t.ink2, 2});
  return scale;
}

std::vector<LayoutNode> series_heads(const TimeSheet& s) {
  const Theme& t = s.t;
  const auto caption = [&](const std::string& words) {
    return line({words}, {.size = t.small(), .colour = t.ink2, .align = Align::right});
  };
  std::vector<std::string> means{tr("median GB/s")};
  if (!t.printed) means.insert(means.begin(), tr("median GB/s; tick: shown above"));
  means.insert(means.begin(),
               t.printed ? tr("bar: median GB/s; whisker: slowest to fastest run")
                         : tr("bar: median GB/s; whisker: slowest to fastest run; tick: shown above"));
  LineLook meaning = s.label(t.ink2);
  meaning.cut = false;
  LayoutNode bars = line(means, meaning).grows();
  bars.least = [](const DrawContext& p) { return p.t.px(40); };
  return {line({tr("Ladder at N = {}", s.n())}, heading_look(t)).at_most(0.3f), std::move(bars),
          caption("GB/s"), caption(tr("of copy")), caption(tr("of peak"))};
}

/// The bar, its number and its shares of a copy and of the peak.
void add_measured(std::vector<LayoutNode>& cells, const TimeSheet& s, const SeriesScale& scale,
                  const Curve& one, const Record& r) {
  const Theme& t = s.t;
  const Colour ink = one.hidden ? t.ink3 : t.ink, ink2 = one.hidden ? t.ink3 : t.ink2;
  const CurveLook& l = s.look(one);
  LyingBar bar{.value = one.hidden ? 0 : r.gb_per_s,
               .most = scale.most,
               .fill = one.limit ? t.panel : l.fill,
               .edge = l.edge,
               .whisker = t.write,
               .marks = scale.marks};
  if (!one.hidden && !one.limit)
    bar.low = gb_per_s(r, r.seconds.most), bar.high = gb_per_s(r, r.seconds.least);
  cells.push_back(scale.most > 0 ? lying(bar) : LayoutNode{});
  cells.push_back(line({rate_text(r.gb_per_s)}, s.label(ink, Align::right, Font::mono_bold)));
  const auto share = [&](double v) {
    return v > 0 ? line({percent_text(v)}, s.label(ink2, Align::right, Font::mono)) : LayoutNode{};
  };
  if (!r.correct) {
    cells.push_back({});
    cells.push_back(line({tr("wrong result")}, s.label(t.race, Align::right)));
  } else {  // a copy is what others are a share of
    cells.push_back(share(r.kernel.starts_with("copy/") ? 0 : r.of_copy));
    cells.push_back(share(r.of_peak));
  }
}

std::vector<LayoutNode> series_row(const TimeSheet& s, const SeriesScale& scale, const Curve& one) {
  const Theme& t = s.t;
  const float tick_size = t.label() * 1.05f;
  const Colour ink2 = one.hidden ? t.ink3 : t.ink2;
  const CurveLook& l = s.look(one);
  const LayoutNode mark =
      t.printed ? drawing(tick_size, tick_size,
                          [c = l.line](const DrawContext& p, Box b) { p.pen.rect(b, c, 0, 1, p.t.px(3)); })
                : tick(tick_size, !one.hidden, l.line);
  std::vector<LayoutNode> cells{
      row(t.px(10), {mark, name(label_of(one),
                                s.label(one.current && !one.hidden ? t.ink : ink2, Align::right,
                                        one.current ? Font::text_bold : Font::text),
                                t.squeezed())
                               .grows()})};
  cells[0].fills = true;
  if (const Record* r = one.at(s.length()))
    add_measured(cells, s, scale, one, *r);
  else
    cells.push_back(line({tr("not measured at this length")}, s.label(t.ink3)));
  return cells;
}

HitRegion series_hit(const TimeSheet& s, const Curve& one) {
  const Record* r = one.at(s.length());
  return {.what = HitRegion::button,
          .box = {},
          .tip = r ? facts(one, *r) : tr("{}: no point at this length.", label_of(one)),
          .name = "row:" + one.key,
          .press = toggles(&TimeState::hidden, one.key),
          .wheel = [count = int(s.series.size())](LoadedState& to, float up) {
            move_row(to.of<TimeState>(), count, up > 0 ? -1 : 1);
          }};
}

}  // namespace

namespace {

/// Numbers of the rows that are drawn. On a projector only few have room: the open kernel's, the chosen one,
/// NVIDIA's libraries, and the fastest.
std::vector<int> rows_drawn(const TimeSheet& s) {
  const size_t few = s.low ? 5 : 10;
  std::vector<int> by_weight;
  const int all = int(s.rows.size());
  const auto add = [&](auto&& wanted) {
    for (int k = all; k-- > 0;)
      if (wanted(k) && !std::ranges::count(by_weight, k)) by_weight.push_back(k);
  };
  if (s.t.projector()) {
    const auto timed = [&](int k) { return s.rows[size_t(k)]->at(s.length()) != nullptr; };
    add([&](int k) { return k == s.in.look.row || s.rows[size_t(k)]->current; });
    add([&](int k) { return timed(k) && s.rows[size_t(k)]->reference; });
    add(timed);
  }
  add([](int) { return true; });
  if (s.t.projector()) by_weight.resize(std::min(by_weight.size(), few));
  std::ranges::sort(by_weight);
  return by_weight;
}

}  // namespace

LayoutNode series_table(const TimeSheet& s) {
  const Theme& t = s.t;
  const SeriesScale scale = series_scale(s);
  const std::vector<int> rows = rows_drawn(s);
  Table all{.gap = t.px(12), .least_row = t.label() * 1.4f, .most_row = t.px(34), .from_end = true};
  all.heads = series_heads(s);
  for (const int k : rows) {
    const Curve* one = s.rows[size_t(k)];
    if (k == std::min(s.in.look.row, int(s.rows.size()) - 1)) all.chosen = int(all.rows.size());
    if (one->current && all.keeps < 0) all.keeps = int(all.rows.size());
    all.rows.push_back(series_row(s, scale, *one));
    all.hits.push_back(series_hit(s, *one));
  }
  return table(std::move(all));
}

namespace {

/// A round share up to which nearly all of them lie: single interrupted runs do not set the scale.
double range_of(std::vector<double> all) {
  for (double& d : all) d = std::abs(d);
  std::ranges::sort(all);
  const double wanted = all[std::min(all.size() - 1, all.size() * 95 / 100)] * 1.15;
  for (const double nice : {0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5})
    if (wanted <= nice) return nice;
  return 1;
}

/// The runs of one record as dots, one above the other in the order of measuring: a drift shows as a slope.
/// Under them how sure the median is: its 68% interval.
LayoutNode runs_of(const Record& r, double range, Colour colour) {
  LayoutNode form =
      drawing(0, 0, [d = deviations(r), noise = r.seconds.noise, range, colour](const DrawContext& p, Box b) {
        p.pen.rect(b, p.t.paper());
        const auto x = [&](double v) {
          return b.centre().x + float(std::clamp(v / range, -1.0, 1.0)) * (b.w / 2 - p.t.px(6));
        };
        for (const double share : {-1.0, -0.5, 0.5, 1.0})
          p.pen.line({x(range * share), b.y}, {x(range * share), b.bottom()}, p.t.line, p.t.thin());
        const float half = std::max(p.t.px(1.5f), x(noise) - x(0));
        p.pen.rect({x(0) - half, b.centre().y - b.h * 0.36f, 2 * half, b.h * 0.72f},
                   mix(colour, p.t.paper(), 0.35f));
        const float dot = std::clamp(p.t.px(1.7f), 1.0f, b.h * 0.12f);
        for (size_t i = 0; i < d.size(); ++i) {
          const float down = d.size() > 1 ? float(i) / float(d.size() - 1) - 0.5f : 0.0f;
          p.pen.rect({x(d[i]) - dot, b.centre().y + down * b.h * 0.62f - dot, 2 * dot, 2 * dot}, colour);
        }
      });
  form.fills = true;
  return form;
}

}  // namespace

LayoutNode noise(const TimeSheet& s) {
  const Theme& t = s.t;
  const std::vector<std::string> heading{tr("Noise at {}", s.n()), tr("Noise")};
  std::vector<std::pair<const Curve*, const Record*>> rows;
  std::vector<double> every;
  for (const Curve* x : s.rows)
    if (const Record* r = x->at(s.length()); r && !x->hidden && !x->limit && r->seconds.median > 0) {
      rows.emplace_back(x, r);
      for (const double d : deviations(*r)) every.push_back(d);
    }
  if (rows.empty())
    return faceted(s, heading,
                   nothing(s, tr("Nothing is measured at N = {}: move the slider, or measure.", s.n())));
  const double range = range_of(every);
  Table all{.gap = t.px(12), .least_row = t.label() * 1.35f, .most_row = t.px(72), .from_end = true};
  all.heads = {space(0).at_most(0.36f), space(0).grows(), LayoutNode{}};
  for (LayoutNode& f : all.heads) f.drawn = nullptr;
  for (const auto& [x, r] : rows) {
    const CurveLook& l = s.look(*x);
    if (x->current) all.keeps = int(all.rows.size());
    all.rows.push_back(
        {name(label_of(*x), s.label(l.words, Align::right, x->current ? Font::text_bold : Font::text),
              t.squeezed()),
         runs_of(*r, range, l.line),
         line({percent_text(r->seconds.noise)}, s.label(t.ink, Align::right, Font::mono_bold))});
    all.hits.push_back({.what = HitRegion::other,
                        .box = {},
                        .tip = tr("{}: {} runs from {} to {}; the median is sure to {}.", label_of(*x),
                                  r->samples.size(), seconds_text(r->seconds.least),
                                  seconds_text(r->seconds.most), percent_text(r->seconds.noise)),
                        .name = "noise:" + x->key});
  }
  const std::string edge = percent_text(range);
  all.foot = {LayoutNode{},
              row(t.gap(), {line({"-" + edge + " " + tr("(faster)"), "-" + edge}, s.small()),
                            space(0).grows(), line({tr("median")}, s.small()).gives(1), space(0).grows(),
                            line({"+" + edge + " " + tr("(slower)"), "+" + edge}, s.small())})};
  return faceted(s, heading,
                 column(t.close(), {line({tr("each run against the median; right: how sure the median is"),
                                          tr("each run against the median")},
                                         s.small()),
                                    table(std::move(all)).grows()}));
}

LayoutNode cycles(const TimeSheet& s) {
  const Theme& t = s.t;
  struct ColumnBlock {
    const Curve* series;
    double cycles;
  };
  // each kernel at the length next to the slider's
  std::vector<ColumnBlock> blocks;
  std::string length;
  for (const Curve& x : s.series) {
    const Record* near = nullptr;
    const auto away = [&](const Record* r) { return std::abs(log_length(*r) - s.in.look.log_n); };
    for (const Record* r : x.points)
      if (r->cycles_per_block > 0 && (!near || away(r) < away(near))) near = r;
    if (x.hidden || !near) continue;
    length = n_text(near->n);
    blocks.push_back({&x, near->cycles_per_block});
  }
  std::ranges::stable_sort(blocks, std::greater{}, &ColumnBlock::cycles);
  const std::vector<std::string> heading{tr("Cycles of a block"), tr("Cycles")};
  if (blocks.empty())
    return faceted(s, heading, nothing(s, tr("No curve that is ticked holds a block's cycles.")));
  Table all{.gap = t.gap(), .most_row = t.px(64)};
  all.heads = {space(0).grows()};
  all.heads[0].drawn = nullptr;
  for (const ColumnBlock& b : blocks) {
    const bool slowest = &b == &blocks[0];
    const Font font = b.series->current ? Font::text_bold : Font::text;
    if (b.series->current) all.keeps = int(all.rows.size());
    // a number stands beside its bar, below the name
    const auto beside = [&](const std::string& words, Colour c, Font f) {
      return column(t.px(2), {line({" "}, s.label(c)), line({words}, s.label(c, Align::right, f)).grows()});
    };
    const LyingBar bar{.value = b.cycles, .most = blocks[0].cycles, .fill = s.look(*b.series).line};
    all.rows.push_back(
        {column(t.px(2),
                {line({label_of(*b.series)}, s.label(t.ink, Align::left, font)), lying(bar).grows()}),
         beside(grouped(std::llround(b.cycles)), t.ink, Font::mono_bold),
         slowest ? LayoutNode{} : beside(rate_text(b.cycles / blocks[0].cycles) + "x", t.ink2, Font::mono)});
  }
  return faceted(
      s, heading,
      column(t.px(10),
             {text({{tr("Of clock64(), from a block's first instruction to its last; the median block at "
                        "N = {}.",
                        length),
                     t.ink2}},
                   {.size = t.label()}),
              table(std::move(all)).grows()}));
}

LayoutNode notes(const TimeSheet& s) {
  const Theme& t = s.t;
  const std::vector<std::string> heading{tr("Notes of the recording"), tr("Notes")};
  const auto sentences = time_notes(s.asked);
  if (sentences.empty())
    return faceted(s, heading, nothing(s, tr("The recordings that are ticked have no notes.")));
  Table all{.gap = t.gap(), .row_gap = t.px(6)};
  all.heads = {LayoutNode{}, space(0).grows()};
  all.heads[1].drawn = nullptr;
  for (const std::string& note : sentences) {
    LayoutNode bullet = drawing(t.px(6), 0, [](const DrawContext& p, Box b) {
      p.pen.disc({b.centre().x, b.y + p.t.label() * 0.7f}, p.t.px(2.5f), p.t.ink2);
    });
    bullet.fills = true;
    all.rows.push_back({std::move(bullet), text({{note, t.ink}}, {.size = t.label()})});
  }
  all.more = [look = s.label(t.ink2), count = sentences.size()](int from, int to) {
    return line({tr_count(count - size_t(to - from), "and {} more", "and {} more")}, look);
  };
  return faceted(s, heading, table(std::move(all)));
}

}  // namespace bscope
