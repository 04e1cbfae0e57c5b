// The same keys without atomics: which updates are lost, and each of them explained.
#include "app/tabs/atomics/controls.hpp"
#include "app/tabs/atomics/sheet.hpp"
#include "app/words/counting.hpp"

namespace bscope::atomics {
namespace {

/// "if (i < n) bins[i]++;" without its if.
std::string without_condition(const std::string& line) {
  if (!line.starts_with("if (")) return line;
  int depth = 0;
  for (size_t k = 3; k < line.size(); ++k) {
    depth += line[k] == '(' ? 1 : line[k] == ')' ? -1 : 0;
    if (depth == 0) return line.substr(std::min(line.find_first_not_of(' ', k + 1), line.size()));
  }
  return line;
}

std::string one(double x) { return grouped((long long)x); }
std::string value_text(const double v[2]) { return v[0] == v[1] ? one(v[0]) : one(v[0]) + "-" + one(v[1]); }

void cross(Pen& pen, Point c, float r, Colour colour, float thickness) {
  pen.line({c.x - r, c.y - r}, {c.x + r, c.y + r}, colour, thickness);
  pen.line({c.x - r, c.y + r}, {c.x + r, c.y - r}, colour, thickness);
}

/// `thin`: a frame would be all there is of it.
void lost_fill(AtomicsCanvas& s, Box b, bool thin = false) {
  if (thin) return s.pen.rect(b, s.t.race);
  s.pen.rect(b, mix(s.t.race, s.t.panel, 0.25f));
  if (b.w >= s.t.px(5)) s.pen.hatch(b, s.t.race, s.t.px(5), s.thin(1.2f));
  s.pen.rect(b, 0, s.t.race, s.thin());
}

/// A warp's read and write in the order of the run, and a cross where another wrote in between. Crosses that
/// would lie over each other are one.
LayoutNode track(const Theme& look, const RacyUpdate& u, int last) {
  // however long the run: what is too near falls together
  LayoutNode form =
      drawing(look.px(10) * float(std::min(last, 15) + 1), 0, [u, last](const DrawContext& p, Box b) {
        const Theme& t = p.t;
        const float dot = std::min(b.h * 0.28f, t.px(6)), y = b.centre().y;
        const auto x = [&](int step) { return b.x + dot + (b.w - 2 * dot) * float(step) / float(last); };
        p.pen.line({x(u.reads_at), y}, {x(u.writes_at), y}, u.overtaken_at.empty() ? t.ink3 : t.race,
                   t.thin(3));
        float drawn = -1e9f;
        for (const int step : u.overtaken_at)
          if (x(step) - drawn >= dot * 1.6f)
            cross(p.pen, {drawn = x(step), y}, dot * 0.75f, t.ink, t.thin(2));
        p.pen.disc({x(u.reads_at), y}, dot, t.read);
        p.pen.rect({x(u.writes_at) - dot, y - dot, 2 * dot, 2 * dot}, t.write, 0, 1, t.px(2));
      });
  form.fills = true;
  return form;
}

/// Each warp's read, add and write on one line.
LayoutNode warps(const AtomicsSheet& s) {
  const Theme& t = s.t;
  const Losses& r = *s.m.racy;
  const LineLook words{.size = t.label(), .colour = t.ink2}, small{.size = t.small(), .colour = t.ink2};
  bool several_warps = false, stale = false;
  int last = 1;
  for (const RacyUpdate& u : r.updates) {
    several_warps = several_warps || u.warp > 0;
    stale = stale || !u.overtaken_at.empty();
    last = std::max({last, u.reads_at, u.writes_at});
  }
  const auto rows = [&](bool brief) {
    Table all{.gap = t.px(8),
              .heads = {LayoutNode{}, LayoutNode{}, LayoutNode{}.grows()},
              .least_row = t.label() * 1.25f,
              .most_row = t.px(34),
              .squeezes = true};
    // the legend's cross stands in one of the rows that have room
    const auto overtaken =
        std::ranges::find_if(r.updates, [](const RacyUpdate& u) { return !u.overtaken_at.empty(); });
    if (stale) all.keeps = int(overtaken - r.updates.begin());
    for (const RacyUpdate& u : r.updates) {
      const std::string read = value_text(u.read), wrote = value_text(u.wrote);
      all.rows.push_back(
          {line({several_warps ? tr("block {} warp {}", u.block, u.warp) : tr("block {}", u.block)}, words),
           line({brief ? read : tr("reads {}", read)}, {t.small(), t.read, Font::mono, Align::right}),
           track(t, u, last),
           line({brief ? wrote : tr("writes {}", wrote)}, {t.small(), t.write, Font::mono})});
    }
    all.more = [words, warps = r.all_updates](int from, int to) {
      return line({tr("and {} warps more", warps - size_t(to - from))}, words);
    };
    return table(std::move(all));
  };
  const LayoutNode mark = drawing(t.small(), t.small(), [](const DrawContext& p, Box b) {
    cross(p.pen, b.centre(), p.t.small() * 0.32f, p.t.ink, p.t.thin(2));
  });
  const LayoutNode note = row(
      t.close(), {mark, line({tr("another warp wrote in between: stale"), tr("overtaken: stale")}, small)});
  return column(t.close(), {line({tr("{}, each warp: read, add, write back", s.address()),
                                  tr("each warp: read, add, write"), s.address()},
                                 words),
                            widest_that_fits({rows(false), rows(true)}).grows(),
                            stale ? LayoutNode(note).gives(1) : LayoutNode{}});
}

std::string who(int block, int thread) { return tr("thread {} of block {}", thread, block); }

/// The two reads and the two writes of a lost key, in their order.
void accesses(AtomicsCanvas& s, Box in, const LostKey& key) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const float label = s.label(), row = in.h / 2, mark = t.px(5);
  const std::string names[] = {who(key.block, key.thread), who(key.by_block, key.by_thread)};
  const double values[] = {key.read, key.wrote, key.by_read, key.by_wrote};
  const float x0 = in.x + std::max(pen.width(names[0], label), pen.width(names[1], label)) + t.px(12);
  const float span = in.right() - x0;
  const std::string longest = tr("writes {}", one(std::max(key.wrote, key.by_wrote)));
  if (pen.width(longest, label, Font::mono) + t.px(20) >= span * 0.26f) return;
  std::array<size_t, 4> order{0, 1, 2, 3};
  std::ranges::stable_sort(order, {}, [&](size_t k) { return key.at[k]; });
  std::array<float, 4> at{};
  for (size_t k = 0; k < 4; ++k) at[order[k]] = x0 + span * (0.06f + 0.24f * float(k));
  for (size_t line = 0; line < 2; ++line) {
    const float cy = in.y + (float(line) + 0.5f) * row;
    const size_t read = 2 * line, write = read + 1;
    pen.text({in.x, cy}, names[line], label, line ? t.ink2 : t.ink);
    pen.line({at[read], cy}, {at[write], cy}, mix(line ? t.ink3 : t.race, t.panel, 0.6f), s.thin(2));
    for (const size_t k : {read, write}) {
      const std::string words = k == read ? tr("reads {}", one(values[k])) : tr("writes {}", one(values[k]));
      pen.rect({at[k] - mark - t.px(3), cy - row / 2,
                2 * mark + pen.width(words, label, Font::mono) + t.px(12), row},
               t.panel);
      if (k == read)
        pen.disc({at[k], cy}, mark, t.read);
      else
        pen.rect({at[k] - mark, cy - mark, 2 * mark, 2 * mark}, t.write, 0, 1, t.px(2));
      pen.text({at[k] + mark + t.px(5), cy}, words, label, k == read ? t.read : t.write, Font::mono);
    }
  }
}

/// To the lost key before or the next one.
LayoutNode arrow(const Theme& t, bool next) {
  const float side = t.label() * 1.6f, way = next ? 1.0f : -1.0f, r = side * 0.22f;
  if (t.printed) return {};
  return pressed(
      drawing(side, side,
              [=](const DrawContext& p, Box b) {
                const Point c = b.centre();
                p.pen.rect(b, p.t.selected, 0, 1, p.t.round());
                p.pen.polygon(
                    {{c.x - way * r * 0.7f, c.y - r}, {c.x + way * r, c.y}, {c.x - way * r * 0.7f, c.y + r}},
                    p.t.ink);
              }),
      {.what = HitRegion::button,
       .box = {},
       .tip = next ? tr("The next lost key (')") : tr("The lost key before (;)"),
       .name = next ? "lost next" : "lost before",
       .press = [next](LoadedState& s, float) { next_lost(s, next ? 1 : -1); }});
}

/// One lost key: what was read and written when, and what happened in a sentence.
LayoutNode explained(const AtomicsSheet& s) {
  const Theme& t = s.t;
  const float label = t.label();
  const int count = int(s.m.racy->keys.size()), which = std::clamp(s.look.lost, 0, count - 1);
  const LostKey key = s.m.racy->keys[size_t(which)];
  const std::string places[] = {tr("inside a warp"), tr("between warps"), tr("between blocks")};
  const bool bin = !s.m.alone;
  const std::string loser = who(key.block, key.thread), by = who(key.by_block, key.by_thread);
  const std::string in_warp =
      bin ? tr("Lanes of one warp read {} together and each wrote {}: the bin holds one of them, and the "
               "key "
               "of {} is gone.",
               one(key.read), one(key.wrote), loser)
          : tr("Lanes of one warp read {} together and each wrote {}: the cell holds one of them, and the "
               "update of {} is gone.",
               one(key.read), one(key.wrote), loser);
  const std::string between =
      bin ? tr("{} had read {} before {} wrote {}; it then wrote {} over it, and that key is gone.", by,
               one(key.by_read), loser, one(key.wrote), one(key.by_wrote))
          : tr("{} had read {} before {} wrote {}; it then wrote {} over it, and that update is gone.", by,
               one(key.by_read), loser, one(key.wrote), one(key.by_wrote));
  const std::string& sentence = key.where == LostUpdate::in_warp ? in_warp : between;
  const auto two_lines = [s, key](const DrawContext& p, Box b) {
    AtomicsCanvas d{s, p.pen};
    accesses(d, b, key);
  };
  return column(
      t.close(),
      {row(t.gap(), {arrow(t, false),
                     line({!s.m.alone ? tr("Lost key {} of {}", grouped(which + 1), grouped(count))
                                      : tr("Lost update {} of {}", grouped(which + 1), grouped(count))},
                          {label, t.ink, Font::text_bold}),
                     arrow(t, true), line({places[key.where], ""}, {label, t.race, Font::text_bold}).gives(1),
                     space(0).grows()}),
       drawing(0, label * 3, two_lines).gives(1), text({{sentence, t.ink2}}, {.size = label}).gives(2)});
}

void counts(AtomicsCanvas& s, Box in) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const AtomicsModel& m = s.m;
  const float label = s.label(), small = s.small();
  if (m.racy->cells.empty()) return;
  const int bins = int(m.racy->cells.size()), chosen = std::min(m.bin, bins - 1);
  long most = 1;
  for (const auto& c : m.racy->cells) most = std::max(most, c.performed);
  BinBars b{{in.x, in.y + label * 1.6f, in.w, 0}, double(most), in.w / float(bins)};
  b.box.h = in.bottom() - small * 1.5f - b.box.y;
  const bool thin = b.width() < t.px(5), gaps = b.width() < b.pitch;
  if (!gaps) {
    const auto& racy = m.racy->cells;
    const int together = bins_together(b.pitch);
    const std::vector<int> shown =
        fullest(bins, together, chosen, [&](int k) { return racy[size_t(k)].performed; });
    const auto of = [&](int column) -> const auto& { return racy[size_t(shown[size_t(column)])]; };
    const float width = float(together) * b.pitch;
    terrain(
        pen, b, int(shown.size()), width, [&](int k) { return of(k).performed; }, t.race);
    terrain(
        pen, b, int(shown.size()), width, [&](int k) { return of(k).present; }, t.ink);
  }
  for (int k = gaps ? 0 : bins; k < bins; ++k) {
    const auto& c = m.racy->cells[size_t(k)];
    if (!c.performed) continue;
    const float x = b.x(k) - b.width() / 2;
    const float kept = b.y(double(c.present));
    if (c.present < c.performed)
      lost_fill(s, {x, b.y(double(c.performed)), b.width(), kept - b.y(double(c.performed))}, thin);
    pen.rect({x, kept, b.width(), b.box.bottom() - kept}, t.ink);
  }
  pen.line({b.box.x, b.box.bottom()}, {b.box.right(), b.box.bottom()}, t.ink3, s.thin());
  bin_axis(s, b, bins, chosen);
  const auto& mine = m.racy->cells[size_t(chosen)];
  const auto height = [&](int k) { return double(m.racy->cells[size_t(k)].performed); };
  const std::string performed = grouped(mine.performed);
  const float wide = pen.width(performed, label, Font::mono_bold);
  const float top = top_near(b, bins, chosen, wide * 2, height, 0);
  pen.text({clamp_or_least(b.x(chosen), b.box.x + wide / 2, b.box.right() - wide / 2), top - label * 0.75f},
           performed, label, t.ink, Font::mono_bold, Align::centre);

  Box free = beside(s, b, bins, chosen, height, std::max(wide / 2, b.width() / 2));
  float y = free.y;
  const auto rest = [&] { return Box{free.x, y, free.w, free.bottom() - y}; };
  const std::string shows = mine.present < mine.performed
                                ? tr("{} shows {}, not {}", s.address(), grouped(mine.present), performed)
                                : tr("{} shows {}: right", s.address(), grouped(mine.present));
  y = paragraph(pen, {{shows, mine.present < mine.performed ? t.race : t.ink, Font::text_bold}}, rest(),
                label);
  std::string where;
  const auto add = [&](long count, std::string_view place) {
    if (count) where += (where.empty() ? "" : tr(", ")) + grouped(count) + " " + std::string(place);
  };
  add(m.racy->in_warps, tr("inside warps"));
  add(m.racy->in_blocks, tr("between warps"));
  add(m.racy->between_blocks, tr("between blocks"));
  if (!where.empty()) y = paragraph(pen, {{tr("lost: {}", where), t.ink2}}, rest(), label);
  y += label * 0.5f;
  const auto key = [&](const std::string& words, bool lost) {
    const float mark = label * 0.9f;
    const Box box{free.x, y + label * 0.7f - mark / 2, mark, mark};
    if (lost)
      lost_fill(s, box, thin);
    else
      pen.rect(box, t.ink);
    pen.text({box.right() + t.px(8), box.centre().y}, words, label, t.ink2);
    y += label * 1.5f;
  };
  // both or neither: one alone would not say what the other fill means
  const std::string kept = tr("kept: {}", grouped(m.racy->performed - m.racy->lost)),
                    lost = tr("lost: {}", grouped(m.racy->lost));
  if (y + label * 3 > free.bottom() ||
      std::max(pen.width(kept, label), pen.width(lost, label)) + label * 1.6f > free.w)
    return;
  key(kept, false);
  key(lost, true);
}

/// What was lost, on a ground that warns.
LayoutNode verdict(const AtomicsSheet& s) {
  const Theme& t = s.t;
  const Losses& r = *s.m.racy;
  if (!r.lost)
    return padded(
        line({!s.m.alone ? tr("no key lost") : tr("no update lost")}, {t.label(), t.ink, Font::text_bold}),
        t.px(9), t.px(2), t.cell, t.round());
  return padded(line({!s.m.alone ? tr("{} of {} keys lost", grouped(r.lost), grouped(r.performed))
                                 : tr("{} of {} updates lost", grouped(r.lost), grouped(r.performed)),
                      tr("{} lost", grouped(r.lost))},
                     {t.label(), t.on(t.race), Font::text_bold}),
                t.px(9), t.px(2), t.race, t.round());
}

}  // namespace

LayoutNode racy(const AtomicsSheet& s) {
  const Theme& t = s.t;
  const Losses& r = *s.m.racy;
  const float code = t.code(), label = t.label();
  const LayoutNode head =
      row(t.px(14), {line({tr("No atomics")}, heading_look(t)),
                     line({r.line, without_condition(r.line)}, {code, t.ink2, Font::mono}).gives(1),
                     space(0).grows(), verdict(s)});
  if (r.performed == 0)
    return panel(column(t.px(6), {head, text({{tr("This run updates no bin without atomics."), t.ink2}},
                                             {.size = label})}),
                 t.race);
  const LayoutNode both = shares(t.apart(), {{0.56f, warps(s)}, {0.44f, by_hand(s, counts)}});
  LayoutNode above = drawing(0, label * 6, both.drawn).grows();
  if (r.keys.empty()) return panel(column(t.px(6), {head, above}), t.race);
  // each loss explained below, where it leaves the rest enough
  return panel(column(t.px(6), {head, above, column(t.px(6), {rule(t.line), explained(s)}).gives(1)}),
               t.race);
}

}  // namespace bscope::atomics
