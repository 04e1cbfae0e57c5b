// The same keys without atomics: which updates are lost, and each of them explained.
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
void lost_fill(Sheet& s, Box b, bool thin = false) {
  if (thin) return s.pen.rect(b, s.t.race);
  s.pen.rect(b, mix(s.t.race, s.t.panel, 0.25f));
  if (b.w >= s.t.px(5)) s.pen.hatch(b, s.t.race, s.t.px(5), s.thin(1.2f));
  s.pen.rect(b, 0, s.t.race, s.thin());
}

/// Each warp's read, add and write on one line, in the order of the run.
void warps(Sheet& s, Box in) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const AtomicsModel& m = s.m;
  const float label = s.label(), small = s.small();
  float y = in.y;
  pen.text({in.x, y + label * 0.7f},
           first_fit(pen,
                     {say("{}, each warp: read, add, write back", s.address()),
                      say("each warp: read, add, write"), s.address()},
                     in.w, label),
           label, t.ink2);
  y += label * 1.6f;
  bool several_warps = false, stale = false;
  for (const auto& u : m.racy->updates) {
    several_warps = several_warps || u.warp > 0;
    stale = stale || !u.overtaken_at.empty();
  }
  // a note below, if there is room for it above three rows
  float bottom = in.bottom();
  if (stale && bottom - y > label * 6) {
    bottom -= small * 1.5f;
    const float at = bottom + small * 0.75f;
    const std::string words =
        first_fit(pen, {say("another warp wrote in between: stale"), say("overtaken: stale")},
                  in.w - small * 1.4f, small);
    if (!words.empty()) {
      cross(pen, {in.x + small * 0.5f, at}, small * 0.32f, t.ink, std::max(1.5f, t.px(2)));
      pen.text({in.x + small * 1.4f, at}, words, small, t.ink2);
    }
  }
  bottom -= t.px(4);
  const auto row_name = [&](const RacyUpdate& u) {
    return several_warps ? say("block {} warp {}", u.block, u.warp) : say("block {}", u.block);
  };
  const auto reads_text = [&](const RacyUpdate& u, bool brief) {
    return brief ? value_text(u.read) : say("reads {}", value_text(u.read));
  };
  const auto writes_text = [&](const RacyUpdate& u, bool brief) {
    return brief ? value_text(u.wrote) : say("writes {}", value_text(u.wrote));
  };
  const float least = label * 1.25f;
  const size_t most_rows = size_t(std::max(0.0f, (bottom - y) / least));
  if (m.racy->updates.empty() || most_rows == 0) return;
  size_t shown = std::min(m.racy->updates.size(), most_rows);
  if (shown < m.racy->all_updates && shown > 1)
    shown = std::min(shown, most_rows - 1);  // the last row counts the rest
  const bool more = shown < m.racy->all_updates;
  const float pitch = std::min((bottom - y) / float(std::max<size_t>(shown + more, 1)), t.px(34));
  const float dot = std::min(pitch * 0.28f, t.px(6));
  float names = 0, reads = 0, writes = 0;
  int last_step = 1;
  const auto measure = [&](bool brief) {
    names = reads = writes = 0;
    for (size_t k = 0; k < shown; ++k) {
      const RacyUpdate& u = m.racy->updates[k];
      names = std::max(names, pen.width(row_name(u), label));
      reads = std::max(reads, pen.width(reads_text(u, brief), small, Font::mono));
      writes = std::max(writes, pen.width(writes_text(u, brief), small, Font::mono));
      last_step = std::max(last_step, u.writes_at);
    }
  };
  measure(false);
  // values without their words where those would leave the crosses no room
  const bool brief = in.w - names - reads - writes - t.px(26) - 2 * dot < float(last_step) * dot * 1.7f;
  if (brief) measure(true);
  const float x0 = in.x + names + t.px(10) + reads + t.px(8) + dot, x1 = in.right() - writes - t.px(8) - dot;
  if (x1 - x0 < 4 * dot) return;
  const auto x = [&](int step) {
    return x0 + (x1 - x0) * float(std::min(step, last_step)) / float(last_step);
  };
  for (size_t k = 0; k < shown; ++k) {
    const auto& u = m.racy->updates[k];
    const float cy = y + (float(k) + 0.5f) * pitch, from = x(u.reads_at), to = x(u.writes_at);
    pen.text({in.x, cy}, row_name(u), label, t.ink2);
    const bool lost = !u.overtaken_at.empty();
    pen.line({from, cy}, {to, cy}, lost ? t.race : t.ink3, std::max(1.5f, t.px(3)));
    float drawn = -1e9f;  // crosses that would lie over each other are one
    for (int step : u.overtaken_at) {
      if (x(step) - drawn < dot * 1.6f) continue;
      drawn = x(step);
      cross(pen, {drawn, cy}, dot * 0.75f, t.ink, s.thin(2));
    }
    pen.disc({from, cy}, dot, t.read);
    pen.rect({to - dot, cy - dot, 2 * dot, 2 * dot}, t.write, 0, 1, t.px(2));
    pen.text({from - dot - t.px(6), cy}, reads_text(u, brief), small, t.read, Font::mono, Align::right);
    pen.text({to + dot + t.px(6), cy}, writes_text(u, brief), small, t.write, Font::mono);
  }
  if (more)
    pen.text({in.x, y + (float(shown) + 0.5f) * pitch}, say("and {} warps more", m.racy->all_updates - shown),
             label, t.ink2);
}

std::string who(int block, int thread) { return say("thread {} of block {}", thread, block); }

/// One lost key: two reads and two writes on a line of time, and what happened in a sentence.
void explain(Sheet& s, Box in) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const AtomicsModel& m = s.m;
  const float label = s.label();
  if (m.racy->keys.empty()) return;
  const int count = int(m.racy->keys.size()), which = std::clamp(s.look.lost, 0, count - 1);
  const LostKey& key = m.racy->keys[size_t(which)];
  // its number, between the buttons that go to others
  const float tall = label * 1.6f, y0 = in.y + tall / 2;
  const std::string number = say("Lost key {} of {}", grouped(which + 1), grouped(count));
  const auto button = [&](float x, bool next) {
    if (t.printed) return x - t.px(8);
    const Box b{x, in.y, tall, tall};
    pen.rect(b, t.selected, 0, 1, t.px(4));
    const float r = tall * 0.22f;
    const Point c = b.centre();
    if (next)
      pen.polygon({{c.x - r * 0.7f, c.y - r}, {c.x + r, c.y}, {c.x - r * 0.7f, c.y + r}}, t.ink);
    else
      pen.polygon({{c.x + r * 0.7f, c.y - r}, {c.x - r, c.y}, {c.x + r * 0.7f, c.y + r}}, t.ink);
    pen.hit({.what = Hit::button,
             .box = b,
             .tip = std::string(next ? say("The next lost key (')") : say("The lost key before (;)")),
             .name = next ? "lost next" : "lost before"});
    return b.right();
  };
  float x = button(in.x, false) + t.px(8);
  x = pen.text({x, y0}, number, label, t.ink, Font::text_bold).right() + t.px(8);
  x = button(x, true) + t.px(14);
  const std::string places[] = {say("inside a warp"), say("between warps"), say("between blocks")};
  pen.text({x, y0}, first_fit(pen, {std::string(places[key.where])}, in.right() - x, label), label, t.race,
           Font::text_bold);
  float y = in.y + tall + t.px(4);

  // the four accesses in their order
  std::array<size_t, 4> order{0, 1, 2, 3};
  std::ranges::stable_sort(order, {}, [&](size_t k) { return key.at[k]; });
  const float row = label * 1.5f;
  if (in.bottom() - y >= 2 * row) {
    const std::string names[] = {who(key.block, key.thread), who(key.by_block, key.by_thread)};
    const float wide = std::max(pen.width(names[0], label), pen.width(names[1], label)) + t.px(12);
    const float x0 = in.x + wide, span = in.right() - x0;
    const double values[] = {key.read, key.wrote, key.by_read, key.by_wrote};
    std::array<float, 4> at{};
    for (size_t k = 0; k < 4; ++k) at[order[k]] = x0 + span * (0.06f + 0.24f * float(k));
    const std::string longest = say("writes {}", one(std::max(key.wrote, key.by_wrote)));
    if (pen.width(longest, label, Font::mono) + t.px(20) < span * 0.26f) {
      for (size_t line = 0; line < 2; ++line) {
        const float cy = y + (float(line) + 0.5f) * row;
        pen.text({in.x, cy}, names[line], label, line ? t.ink2 : t.ink);
        const size_t r = 2 * line, w = r + 1;
        pen.line({at[r], cy}, {at[w], cy}, mix(line ? t.ink3 : t.race, t.panel, 0.6f), s.thin(2));
        for (size_t k : {r, w}) {
          const std::string words =
              k == r ? say("reads {}", one(values[k])) : say("writes {}", one(values[k]));
          const float mark = t.px(5);
          const Box back{at[k] - mark - t.px(3), cy - row / 2,
                         2 * mark + pen.width(words, label, Font::mono) + t.px(12), row};
          pen.rect(back, t.panel);
          if (k == r)
            pen.disc({at[k], cy}, mark, t.read);
          else
            pen.rect({at[k] - mark, cy - mark, 2 * mark, 2 * mark}, t.write, 0, 1, t.px(2));
          pen.text({at[k] + mark + t.px(5), cy}, words, label, k == r ? t.read : t.write, Font::mono);
        }
      }
      y += 2 * row + t.px(2);
    }
  }
  const std::string sentence =
      key.where == LostUpdate::in_warp
          ? say("Lanes of one warp read {} together and each wrote {}: the bin holds one of them, and the "
                "key "
                "of {} is gone.",
                one(key.read), one(key.wrote), who(key.block, key.thread))
          : say("{} had read {} before {} wrote {}; it then wrote {} over it, and that key is gone.",
                who(key.by_block, key.by_thread), one(key.by_read), who(key.block, key.thread),
                one(key.wrote), one(key.by_wrote));
  paragraph(pen, {{sentence, t.ink2}}, {in.x, y, in.w, in.bottom() - y}, label);
}

void counts(Sheet& s, Box in) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const AtomicsModel& m = s.m;
  const float label = s.label(), small = s.small();
  if (m.racy->cells.empty()) return;
  const int bins = int(m.racy->cells.size()), chosen = std::min(m.bin, bins - 1);
  long most = 1;
  for (const auto& c : m.racy->cells) most = std::max(most, c.performed);
  Bars b{{in.x, in.y + label * 1.6f, in.w, 0}, double(most), in.w / float(bins)};
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
  pen.text({std::clamp(b.x(chosen), b.box.x + wide / 2, b.box.right() - wide / 2), top - label * 0.75f},
           performed, label, t.ink, Font::mono_bold, Align::centre);

  Box free = beside(s, b, bins, chosen, height, std::max(wide / 2, b.width() / 2));
  float y = free.y;
  const auto rest = [&] { return Box{free.x, y, free.w, free.bottom() - y}; };
  const std::string shows = mine.present < mine.performed
                                ? say("{} shows {}, not {}", s.address(), grouped(mine.present), performed)
                                : say("{} shows {}: right", s.address(), grouped(mine.present));
  y = paragraph(pen, {{shows, mine.present < mine.performed ? t.race : t.ink, Font::text_bold}}, rest(),
                label);
  std::string where;
  const auto add = [&](long count, std::string_view place) {
    if (count) where += (where.empty() ? "" : ", ") + grouped(count) + " " + std::string(place);
  };
  add(m.racy->in_warps, say("inside warps"));
  add(m.racy->in_blocks, say("between warps"));
  add(m.racy->between_blocks, say("between blocks"));
  if (!where.empty()) y = paragraph(pen, {{say("lost: {}", where), t.ink2}}, rest(), label);
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
  const std::string kept = say("kept: {}", grouped(m.racy->performed - m.racy->lost)),
                    lost = say("lost: {}", grouped(m.racy->lost));
  if (y + label * 3 > free.bottom() ||
      std::max(pen.width(kept, label), pen.width(lost, label)) + label * 1.6f > free.w)
    return;
  key(kept, false);
  key(lost, true);
}

}  // namespace

void racy(Sheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const AtomicsModel& m = s.m;
  const Box in = panel(pen, t, outer, t.race);
  const float head = s.title() * 1.5f, label = s.label();
  const std::string words =
      m.racy->lost ? first_fit(pen,
                               {say("{} of {} keys lost", grouped(m.racy->lost), grouped(m.racy->performed)),
                                say("{} lost", grouped(m.racy->lost))},
                               in.w * 0.6f, label, Font::text_bold)
                   : say("no key lost");
  const float chip_width = pen.width(words, label, Font::text_bold) + t.px(18);
  const Box chip{in.right() - chip_width, in.y, chip_width, head};
  pen.rect(chip, m.racy->lost ? t.race : t.cell, m.racy->lost ? 0 : t.race, 1, t.px(4));
  pen.text(chip.centre(), words, label, m.racy->lost ? t.on(t.race) : t.ink, Font::text_bold, Align::centre);
  const Box heading = pen.text({in.x, in.y + head / 2}, say("No atomics"), s.title(), t.ink, Font::text_bold);
  if (const float room = chip.x - heading.right() - t.px(28); room > t.px(60))
    pen.text(
        {heading.right() + t.px(14), in.y + head / 2},
        first_fit(pen, {m.racy->line, without_condition(m.racy->line)}, room, t.px(t.size_code), Font::mono),
        t.px(t.size_code), t.ink2, Font::mono);
  const Box body{in.x, in.y + head + t.px(6), in.w, in.h - head - t.px(6)};
  if (m.racy->performed == 0) {
    paragraph(pen, {{say("This run updates no bin without atomics."), t.ink2}}, body, label);
    return;
  }
  // each loss explained below, where it leaves the rest enough
  const float below = m.racy->keys.empty() ? 0 : label * (1.6f + 3.0f + 2.8f) + t.px(24);
  const bool fits = body.h - below > label * 6;
  const float upper = fits ? body.h - below : body.h;
  const float split = body.w * 0.56f;
  warps(s, {body.x, body.y, split - t.px(12), upper});
  counts(s, {body.x + split + t.px(4), body.y, body.w - split - t.px(4), upper});
  if (!fits || below == 0) return;
  const float y = body.y + upper + t.px(6);
  pen.line({body.x, y}, {body.right(), y}, t.line, s.thin());
  explain(s, {body.x, y + t.px(6), body.w, body.bottom() - y - t.px(4)});
}

}  // namespace bscope::atomics
