// Counts of both sides, each against its formula; what differs is marked.
#include <fmt/format.h>

#include <optional>

#include "app/tabs/compare/sheet.hpp"
#include "app/words/counting.hpp"
#include "engine/analysis/equation.hpp"
#include "engine/analysis/facts.hpp"

namespace bscope::compare {
namespace {

std::optional<Formula> formula(const Trace& t, const std::string& of) {
  for (const Formula& f : t.formulas)
    if (f.of == of) return f;
  return {};
}

struct Row {
  std::string what, of;  ///< `of`: what formulas call it
  std::array<long, 2> counts;
  std::array<std::string, 2> more;  ///< beside the count: its ideal, its whole
};

std::vector<Row> rows_of(const Comparison& c) {
  std::vector<Row> rows;
  const auto add = [&](const std::string& what, const std::string& of, const auto& count, const auto& more) {
    rows.push_back({what, of, {count(0), count(1)}, {more(0), more(1)}});
  };
  const auto none = [](size_t) { return std::string(); };
  const auto ideal = [](long used, long best) {
    return used == best ? std::string() : say("ideal {}", grouped(best));
  };
  add(
      say("steps"), "steps", [&](size_t s) { return long(c.sides[s].rows.size()); }, none);
  for (const Fact* f : facts()) {
    if (f->words.empty() || !f->of_run) continue;
    const Fact* least = fact_named(f->ideal);
    const auto count = [&](const Fact& of) { return [&](size_t s) { return of.of_run(c.runs[s]->report); }; };
    add(said(f->words), f->in_formulas(), count(*f),
        [&](size_t s) { return least ? ideal(count(*f)(s), count(*least)(s)) : std::string(); });
  }
  add(
      say("thread slots used"), "slots", [&](size_t s) { return c.sides[s].slots_used; },
      [&](size_t s) {
        const auto& side = c.sides[s];
        return say(
            "of {}, {}%", grouped(side.slots),
            side.slots ? fmt::format("{:.0f}", 100.0 * double(side.slots_used) / double(side.slots)) : "0");
      });
  std::erase_if(rows, [](const Row& r) { return r.counts[0] == 0 && r.counts[1] == 0; });
  return rows;
}

/// Heights of the table's parts.
struct Layout {
  float value;     ///< size of a count
  float head;      ///< the title
  float names;     ///< of both sides
  float row;       ///< a count's, at least
  float sentence;  ///< what differs, in words
};
Layout layout(const Sheet& s, Box in) {
  const Theme& t = s.t;
  const float label = s.label(), value = t.px(t.projector() ? t.size_label : t.size_title);
  const float wide = s.pen.width(difference(s.c), label, Font::text_bold);
  const float lines = std::min(2.0f, 1 + std::floor(wide / in.w));
  return {value, s.title() * 1.5f + t.px(2), label * 1.5f, value * 1.2f, label * 1.35f * lines + t.px(8)};
}

}  // namespace

float table_height(const Sheet& s, float w) {
  Picture unused;
  Pen pen(unused, s.pen.metrics());
  constexpr float outer = 1000;
  const Box in = panel(pen, s.t, {0, 0, w, outer});
  const Layout l = layout(s, in);
  // the projector's figures keep the sentence's room: the counts tell the same
  return outer - in.h + l.head + l.names + l.row * float(rows_of(s.c).size()) +
         (s.t.projector() ? 0 : l.sentence);
}

void table(Sheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const Layout l = layout(s, in);
  const float label = s.label(), value = l.value, head = l.head;
  pen.text({in.x, in.y + head / 2},
           first_fit(pen,
                     {say("Counted in the whole trace, against the formula"),
                      say("Counted, against the formula"), say("Counted")},
                     in.w, s.title(), Font::text_bold),
           s.title(), t.ink, Font::text_bold);
  std::vector<Row> rows = rows_of(s.c);
  float names = 0, ratios = pen.width("x 0.00", label, Font::mono_bold) + t.px(8);
  for (const Row& r : rows) names = std::max(names, pen.width(r.what, label));
  names = std::min(names + t.px(28), in.w * 0.36f);
  const float column = (in.w - names - ratios) / 2;
  float y = in.y + head;
  const std::string ratio(say("ratio"));
  const bool any =
      std::ranges::any_of(rows, [](const Row& r) { return r.counts[0] && r.counts[0] != r.counts[1]; });
  if (any && pen.width(ratio, label) < ratios + t.px(16))
    pen.text({in.right(), y + label * 0.7f}, ratio, label, t.ink2, Font::text, Align::right);
  for (size_t k = 0; k < 2; ++k)
    pen.text({in.x + names + float(k) * column, y + label * 0.7f},
             pen.fitted(s.names[k], column - t.px(8), label, Font::text_bold), label, t.ink2,
             Font::text_bold);
  y += l.names;
  pen.line({in.x, y}, {in.right(), y}, t.line, s.thin());
  // the sentence below keeps its room
  const float least = l.row;
  float sentence_height = l.sentence;
  // on the projector the counts go first
  const size_t first = t.projector() ? rows.size() : 4;
  if (in.bottom() - y - sentence_height < least * float(first)) sentence_height = 0;
  const float bottom = in.bottom() - sentence_height;
  const auto fit = size_t(std::max(0.0f, (bottom - y) / least + 0.01f));
  const size_t all = rows.size();
  if (all > fit) rows.resize(fit > 1 ? fit - 1 : 0);
  const size_t lines = rows.size() + (all > rows.size() ? 1 : 0);
  const float pitch = std::min((bottom - y) / float(std::max<size_t>(1, lines)), t.px(32));
  for (const Row& r : rows) {
    const float cy = y + pitch / 2;
    const bool differs = r.counts[0] != r.counts[1];
    if (differs) pen.disc({in.x + t.px(5), cy}, t.px(4), t.changed, t.dark() ? 0 : t.ink, s.thin());
    pen.text({in.x + t.px(16), cy}, pen.fitted(r.what, names - t.px(22), label), label,
             differs ? t.ink : t.ink2);
    for (size_t k = 0; k < 2; ++k) {
      const float x = in.x + names + float(k) * column;
      const Box b = pen.text({x, cy}, grouped(r.counts[k]), value, differs ? t.ink : t.ink2, Font::mono_bold);
      const float room = x + column - b.right() - t.px(20);
      const auto f = formula(s.c.runs[k]->trace, r.of);
      const std::string more =
          f ? first_fit(
                  pen,
                  {equation(said(f->text), f->value), say("formula: {}", fmt::format("{:.10g}", f->value)),
                   fmt::format("{:.10g}", f->value)},
                  room, label, Font::mono)
            : first_fit(pen, {r.more[k], r.more[k].substr(0, r.more[k].find(','))}, room, label, Font::mono);
      pen.text({b.right() + t.px(12), cy}, more, label, t.ink2, Font::mono);
    }
    if (differs && r.counts[0])
      pen.text({in.right(), cy}, fmt::format("x {:.2g}", double(r.counts[1]) / double(r.counts[0])), label,
               t.ink, Font::mono_bold, Align::right);
    y += pitch;
  }
  if (all > rows.size())
    pen.text({in.x + t.px(16), y + pitch / 2},
             say_count(all - rows.size(), "{} more row has no room here", "{} more rows have no room here"),
             label, t.ink2);
  if (sentence_height > 0) {
    pen.line({in.x, bottom + t.px(3)}, {in.right(), bottom + t.px(3)}, t.line, s.thin());
    paragraph(pen, {{difference(s.c), t.ink, Font::text_bold}},
              {in.x, bottom + t.px(6), in.w, in.bottom() - bottom - t.px(4)}, label);
  }
}

}  // namespace bscope::compare
