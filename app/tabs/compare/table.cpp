// Counts of both sides, each against its formula; what differs is marked.
#include <fmt/format.h>

#include <cmath>

#include "app/tabs/compare/sheet.hpp"
#include "app/words/counting.hpp"
#include "app/words/glossary.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/equation.hpp"
#include "engine/analysis/facts.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/trace.hpp"

namespace bscope::compare {
namespace {

struct FactRow {
  std::string what, of;  ///< `of`: what formulas call it
  std::string tip;       ///< what is counted; may be empty
  std::array<long, 2> counts;
  std::array<std::string, 2> more;  ///< beside the count: its ideal, its whole
  bool differs() const { return counts[0] != counts[1]; }
};

std::vector<FactRow> rows_of(const Comparison& c) {
  std::vector<FactRow> rows;
  const auto add = [&](const std::string& what, const std::string& of, const std::string& tip,
                       const auto& count, const auto& more) {
    rows.push_back({what, of, tip, {count(0), count(1)}, {more(0), more(1)}});
  };
  const auto none = [](size_t) { return std::string(); };
  add(
      tr("steps"), "steps", definition("step"), [&](size_t s) { return long(c.sides[s].rows.size()); }, none);
  for (const Fact* f : facts()) {
    if (f->words.empty() || !f->of_run) continue;
    const Fact* least = fact_named(f->ideal);
    const auto count = [&](size_t s) { return c.figure(*f, s); };
    const auto ideal = [&](size_t s) {
      const long best = least ? c.figure(*least, s) : 0;
      return !least || best == count(s) ? std::string() : tr("ideal {}", grouped(best));
    };
    const Term* term = term_in(tr(f->words));
    add(tr(f->words), f->in_formulas(), term ? definition(term->word) : std::string(), count, ideal);
  }
  const auto share = [&](size_t s) {
    const RunRows& side = c.sides[s];
    const double percent = side.slots ? 100.0 * double(side.slots_used) / double(side.slots) : 0;
    return tr("of {}, {}%", grouped(side.slots), fmt::format("{:.0f}", percent));
  };
  add(
      tr("threads at work"), "slots", definition("threads at work"),
      [&](size_t s) { return c.sides[s].slots_used; }, share);
  std::erase_if(rows, [](const FactRow& r) { return r.counts[0] == 0 && r.counts[1] == 0; });
  return rows;
}

/// The name of a count, with its definition for the mouse.
LayoutNode what_is_counted(const FactRow& r, const LineLook& look) {
  if (r.tip.empty()) return line({r.what}, look);
  return pressed(line({r.what}, look),
                 {.what = HitRegion::other, .box = {}, .tip = r.tip, .name = "count:" + r.of});
}

/// What stands beside a count, longest spelling first.
std::vector<std::string> beside(const Trace& t, const FactRow& r, size_t side) {
  for (const Formula& f : t.formulas)
    if (f.of == r.of) {
      const std::string value = fmt::format("{:.10g}", f.value), text = translated(f.text);
      // without what its symbols stand for; a bare number would look like one more count
      const std::string symbols = text.substr(0, std::min(text.find(", "), text.find("\uff0c")));
      return {equation(text, f.value), equation(symbols, f.value),
              f.text.starts_with("at most ") ? tr("at most {}", value) : tr("formula: {}", value)};
    }
  return {r.more[side], r.more[side].substr(0, r.more[side].find(','))};
}

/// A ratio in two digits or more, never in powers of ten.
std::string times(double ratio) {
  return ratio >= 100 ? grouped(std::llround(ratio)) : fmt::format("{:.{}g}", ratio, ratio < 10 ? 2 : 3);
}

}  // namespace

LayoutNode counts(const CompareSheet& s, bool in_words) {
  const Theme& t = s.t;
  const float size = t.projector() ? t.label() : t.title();
  std::vector<FactRow> rows = rows_of(s.c);
  // where few have room, those that tell the two apart
  if (s.low) std::ranges::stable_partition(rows, &FactRow::differs);
  const bool ratios =
      std::ranges::any_of(rows, [](const FactRow& r) { return r.counts[0] && r.counts[1] && r.differs(); });
  Table all{.gap = t.px(14), .least_row = size * 1.2f, .most_row = t.px(32)};
  all.heads.push_back(space(0).at_most(0.36f));
  for (const std::string& name : s.names)
    all.heads.push_back(
        line({name}, s.label(t.ink2, Align::left, Font::text_bold)).grows().at_most(0.42f).gives(1));
  all.heads.push_back(ratios ? line({tr("ratio")}, s.label(t.ink2, Align::right)) : LayoutNode{});
  for (const FactRow& r : rows) {
    const Colour ink = r.differs() ? t.ink : t.ink2;
    const float mark = t.px(8);
    std::vector<LayoutNode> cells{row(t.px(8), {drawing(mark, mark,
                                                        [on = r.differs()](const DrawContext& p, Box b) {
                                                          const Theme& look = p.t;
                                                          if (on)
                                                            p.pen.disc(b.centre(), b.w / 2, look.changed,
                                                                       look.dark() ? 0 : look.ink,
                                                                       look.thin());
                                                        }),
                                                what_is_counted(r, s.label(ink)).grows()})};
    for (size_t k = 0; k < 2; ++k)
      cells.push_back(row(
          t.px(12),
          {line({grouped(r.counts[k])}, {.size = size, .colour = ink, .font = Font::mono_bold}),
           line(beside(s.c.runs[k]->trace, r, k), {.size = t.label(), .colour = t.ink2, .font = Font::mono})
               .gives(1)}));
    if (r.differs() && r.counts[0] && r.counts[1])
      cells.push_back(line({"x " + times(double(r.counts[1]) / double(r.counts[0]))},
                           s.label(t.ink, Align::right, Font::mono_bold)));
    all.rows.push_back(std::move(cells));
  }
  all.more = [count = int(rows.size()), look = s.label(t.ink2)](int from, int to) {
    return line(
        {tr_count(count - (to - from), "{} more row has no room here", "{} more rows have no room here")},
        look);
  };
  const LayoutNode words = column(
      t.close(), {rule(t.line), text({{difference(s.c), t.ink, Font::text_bold}}, {.size = t.label()})});
  const bool formulas =
      std::ranges::any_of(s.c.runs, [](const auto& r) { return !r->trace.formulas.empty(); });
  std::vector<std::string> heading{tr("Counted in the whole trace"), tr("Counted")};
  if (formulas)
    heading = {tr("Counted in the whole trace, against the formula"), tr("Counted, against the formula"),
               tr("Counted")};
  return column(t.close(),
                {s.low ? LayoutNode{} : line(heading, heading_look(t)), table(std::move(all)).grows(),
                 in_words ? LayoutNode(words).gives(1) : LayoutNode{}});
}

}  // namespace bscope::compare
