// Two kernels' queues on one address, a row a block, on one scale of time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_set>

#include "app/session/control.hpp"
#include "app/tabs/atomics/sheet.hpp"
#include "app/words/counting.hpp"

namespace bscope::atomics {
namespace {

/// Rows of one side: a row a block, or one for several blocks where there are more than fit.
struct QueueRows {
  const AtomicsModel::Side& side;
  Box box;           ///< of the slots
  float column = 0;  ///< width of one unit of time
  size_t rows = 1, together = 1;
  float x(float time) const { return box.x + time * column; }
  float height() const { return box.h / float(rows); }
  float y(size_t row) const { return box.y + (float(row) + 0.5f) * height(); }
  /// The blocks of rows, from one to another.
  std::string name(size_t from, size_t to) const {
    const size_t first = from * together, last = last_block(to);
    return first == last ? tr("block {}", first) : tr("blocks {}-{}", first, last);
  }
  /// The same without words.
  std::string number(size_t from, size_t to) const {
    const size_t first = from * together, last = last_block(to);
    return first == last ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
  }
  size_t last_block(size_t row) const {
    return std::max<size_t>(1, std::min(side.rows.size(), (row + 1) * together)) - 1;
  }
};

QueueRows rows_in(const AtomicsModel::Side& side, Box box, float column, float least) {
  QueueRows r{side, box, column, std::max<size_t>(1, side.rows.size()), 1};
  while (box.h / float(r.rows) < least && r.rows > 1) {
    r.together *= 2;
    r.rows = (side.rows.size() + r.together - 1) / r.together;
  }
  return r;
}

void row_labels(AtomicsCanvas& s, const QueueRows& r, float left) {
  const float size = s.label();
  const int every = std::max(1, int(std::ceil(size * 1.1f / r.height())));
  const auto label = [&](float y, size_t first, size_t last) {
    s.pen.text(
        {r.box.x - s.t.px(10), y},
        first_fit(s.pen, {r.name(first, last), r.number(first, last)}, r.box.x - left - s.t.px(10), size),
        size, s.t.ink2, Font::text, Align::right);
  };
  // where one label has room it names all rows
  if (size_t(every) >= r.rows) return label(r.box.centre().y, 0, r.rows - 1);
  for (size_t b = 0; b < r.rows; b += size_t(every)) label(r.y(b), b, b);
}

void slots(AtomicsCanvas& s, const QueueRows& r) {
  const Theme& t = s.t;
  const auto colour = [&](const AddressQueues::Served& x) {
    const Colour c = x.global && r.side.shared_longest ? t.write : t.atomic;
    return x.time < s.now ? c : s.faded(c);
  };
  // Under two pixels a slot is no shape of its own: one texture, a pixel a column
  if (r.column < 2) {
    const int across = std::max(1, int(r.box.w));
    std::vector<Colour> cells(size_t(across) * r.rows, 0);
    for (size_t b = 0; b < r.side.rows.size(); ++b)
      for (const auto& x : r.side.rows[b]) {
        const int at = std::min(across - 1, int(float(x.time) * r.column));
        cells[b / r.together * size_t(across) + size_t(at)] = colour(x);
      }
    // rows keep apart: every other line of the texture stays empty where there is room
    s.pen.strip(r.box, std::move(cells), int(r.rows));
    for (size_t row = 1; row < r.rows && r.height() > 6; ++row)
      s.pen.rect({r.box.x, r.box.y + float(row) * r.height() - 1, r.box.w, 2}, t.panel);
    return;
  }
  const float gap = std::min(t.px(1.5f), r.column * 0.2f);
  const float tall = std::min(r.height() * 0.74f, t.px(r.side.queues_a_block > 1 ? 56 : 18));
  // From when a row may ask to when it was served last: one line a row, however many blocks are in it.
  std::vector<int> waits_until(r.rows, -1);
  for (size_t b = 0; b < r.side.rows.size(); ++b)
    for (const auto& x : r.side.rows[b])
      if (x.global) waits_until[b / r.together] = std::max(waits_until[b / r.together], x.time);
  for (size_t row = 0; row < r.rows; ++row)
    if (waits_until[row] >= 0)
      s.pen.line({r.x(float(r.side.merge_starts)), r.y(row)}, {r.x(float(waits_until[row])), r.y(row)},
                 mix(t.ink3, t.panel, 0.6f), s.thin());
  std::unordered_set<uint64_t> drawn;
  for (size_t b = 0; b < r.side.rows.size(); ++b) {
    const auto& row = r.side.rows[b];
    const float y = r.y(b / r.together);
    // private copies share the row's height
    const int parts = std::min(r.side.queues_a_block, std::max(1, int(tall / 2.5f)));
    for (const auto& x : row) {
      // blocks of one row that are served at one time are one slot
      if (r.together > 1) {
        const size_t part = x.global ? size_t(parts) : size_t(x.queue % parts);
        const uint64_t place = uint64_t(b) / r.together * uint64_t(parts + 1) + part;
        if (!drawn.insert(place << 32 | uint32_t(x.time)).second) continue;
      }
      Box slot{r.x(float(x.time)) + gap / 2, y - tall / 2, r.column - gap, tall};
      if (!x.global && parts > 1) {
        const float part = tall / float(parts);
        slot.y += part * float(x.queue % parts);
        slot.h = std::max(1.0f, part - 0.75f);
      }
      s.pen.rect(slot, colour(x), 0, 1, slot.h > 6 ? t.px(2) : 0);
    }
  }
}

/// "20 + 7" where totals follow shared queues, else the one number.
std::string sum_text(const AtomicsModel::Side& side) {
  const int global = side.total - side.merge_starts;
  if (!side.shared_longest) return grouped(side.total);
  return global ? grouped(side.merge_starts) + " + " + grouped(global) : grouped(side.merge_starts);
}

std::vector<std::string> captions(const AtomicsModel::Side& side) {
  const std::string title = tr(side.title), sum = sum_text(side);
  if (side.served == 0) return {tr("{}: no atomic on {}", title, side.place), title};
  if (!side.shared_longest) return {tr("{}: one queue of {}", title, sum), tr("{}: {}", title, sum), sum};
  if (side.queues_a_block > 1)
    return {tr("{}: {} copies in each block, then their totals: {}", title, side.queues_a_block, sum),
            tr("{}: {}", title, sum), sum};
  if (!side.global_longest)
    return {tr("{}: a queue for each block: {}", title, sum), tr("{}: {}", title, sum), sum};
  return {tr("{}: a queue for each block, then one add per block: {}", title, sum), tr("{}: {}", title, sum),
          sum};
}

/// What the side that is done first does, in the room that it leaves.
void beside_the_shorter(AtomicsCanvas& s, const QueueRows& r, const AtomicsModel::Side& longer, float now_x,
                        float right) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const float label = s.label(), number_size = t.px(t.size_changed);
  const AtomicsModel::Side& side = r.side;
  const float free_x = std::max(r.x(float(side.total)), now_x) + t.px(12), free_w = right - free_x;
  float y = r.box.y;
  const std::string sum = sum_text(side);
  const float arrow_height = label * 1.5f;
  if (pen.width(sum, number_size, Font::mono_bold) < free_w && r.box.h > arrow_height + number_size * 1.3f) {
    pen.text({free_x, y + number_size * 0.65f}, sum, number_size, t.ink, Font::mono_bold);
    y += number_size * 1.3f;
  }
  if (side.shared_longest && side.global_longest) {
    long queues = 0;
    for (const auto& row : side.rows)
      queues += std::ranges::any_of(row, [](const auto& x) { return !x.global; });
    const std::string words =
        side.queues_a_block > 1
            ? tr("{} private copies a block drain at once, the barrier, then what they hold is added to {}",
                 side.queues_a_block, side.place)
        : queues == 1
            ? tr("a queue of {} drains in shared memory, the barrier, then its total is added to {}",
                 side.shared_longest, side.place)
            : tr("{} queues of at most {} drain at once in shared memory, the barrier, then {} totals queue "
                 "on {}",
                 queues, side.shared_longest, side.global_longest, side.place);
    paragraph(pen, {{words, t.ink2}},
              {free_x, y, std::min(free_w, t.px(460)), r.box.bottom() - arrow_height - y}, label, t.panel);
  }
  const int saved = longer.total - side.total;
  if (saved <= 0 || side.total == 0) return;
  const std::string times = fmt::format("{:.1f}", double(longer.total) / side.total);
  const std::string words = first_fit(
      pen,
      {tr("{} turns saved: {} times shorter", grouped(saved), times), tr("{} turns saved", grouped(saved))},
      free_w - t.px(60), label, Font::text_bold);
  if (words.empty()) return;
  const float ay = std::max(r.box.bottom() - arrow_height / 2, r.box.y + label * 0.65f);
  const float start = std::max(r.x(float(side.total)), now_x) + t.px(12);
  const float to = r.x(float(longer.total)), w = pen.width(words, label, Font::text_bold);
  if (to - start < w + t.px(50)) {
    if (start + w < right) {
      pen.rect({start - t.px(2), ay - label * 0.7f, w + t.px(4), label * 1.4f}, t.panel);
      pen.text({start, ay}, words, label, t.ink, Font::text_bold);
    }
    return;
  }
  const float middle = (start + to) / 2;
  pen.line({start, ay}, {middle - w / 2 - t.px(8), ay}, t.ink, s.thin(2));
  pen.line({middle + w / 2 + t.px(8), ay}, {to, ay}, t.ink, s.thin(2));
  pen.line({to, ay - t.px(7)}, {to, ay + t.px(7)}, t.ink, s.thin(2));
  pen.arrow_head({start, ay}, {-1, 0}, t.px(9), t.ink);
  pen.rect({middle - w / 2 - t.px(4), ay - label * 0.5f, w + t.px(8), label}, t.panel);
  pen.text({middle, ay}, words, label, t.ink, Font::text_bold, Align::centre);
}

/// Where the two sides stand, and what their rows and columns are.
struct TwoSides {
  Box in;
  float left, right;  ///< of the rows
  float head, sub, axis, gap;
  std::string note;  ///< what the unit of time is; empty: there is no room for it
  float note_height;
  std::vector<QueueRows> sides;  ///< one, where the other has nothing to show
  const QueueRows& top() const { return sides.front(); }
  const QueueRows& bottom() const { return sides.back(); }
};

float number_size(const AtomicsCanvas& s) { return s.t.px(s.t.size_changed); }

TwoSides place_sides(const AtomicsCanvas& s, Box in) {
  const Pen& pen = s.pen;
  const Theme& t = s.t;
  const AtomicsModel& m = s.m;
  const float label = s.label(), small = s.small();
  size_t blocks = 1;
  for (const AtomicsModel::Side& side : m.sides) blocks = std::max(blocks, side.rows.size());
  const float left =
      in.x + pen.width(blocks > 8 ? tr("blocks {}-{}", blocks, blocks) : tr("block {}", blocks - 1), label) +
      t.px(14);
  const float right =
      in.right() - t.px(14) -
      std::max(pen.width(grouped(m.end), number_size(s), Font::mono_bold), pen.width(tr("turns"), label));
  TwoSides p{.in = in,
             .left = left,
             .right = std::max(right, left + t.px(20)),  // names and numbers may be wider than a small window
             .head = t.title() * 1.3f,
             .sub = label * (t.projector() ? 1.65f : 1.7f),
             .axis = small * 1.5f,
             .gap = t.px(8),
             .note = {},
             .note_height = 0,
             .sides = {}};
  p.note = first_fit(
      pen,
      {tr("Time unit: one atomic served on one address, drawn equal for shared and global memory "
          "(a shared one is also cheaper). Order: that of the trace ({}), not the hardware's.",
          m.order),
       tr("Time unit: one atomic served. Order: that of the trace ({}), not the hardware's.", m.order)},
      t.projector() ? 0 : in.w, small);
  p.note_height = p.note.empty() ? 0 : small * 1.5f;
  const float each = float(m.alone ? 1 : 2);
  const float room = in.h - p.head - p.gap - each * p.sub - (each - 1) * p.gap - p.axis - p.note_height;
  const float tall = std::max(room / each, t.px(17)), column = (p.right - p.left) / float(m.end);
  float y = in.y + p.head + p.gap + p.sub;
  for (size_t k = 0; k < (m.alone ? 1 : 2); ++k, y = y + tall + p.gap + p.sub)
    p.sides.push_back(rows_in(m.sides[k], {p.left, y, p.right - p.left, tall}, column, t.px(9)));
  return p;
}

/// The question, what rows and columns are, and what the colours mean.
void draw_heading(AtomicsCanvas& s, const TwoSides& p) {
  const Theme& t = s.t;
  const float label = s.label();
  const bool blocks_alone = std::ranges::all_of(p.sides, [](const QueueRows& r) { return r.together == 1; });
  const int turns = int(std::ceil(1 / p.top().column));
  const std::string grid =
      turns > 1      ? blocks_alone ? tr("a row per block, a column per {} atomics served", turns)
                                    : tr("rows of several blocks, a column per {} atomics served", turns)
           : blocks_alone ? tr("a row per block, a column per atomic served")
                     : tr("rows of several blocks, a column per atomic served");
  const bool merges = std::ranges::any_of(
      s.m.sides, [](const AddressQueues& side) { return side.shared_longest && side.global_longest; });
  std::vector<Meaning> meanings{{tr("atomic in its queue"), t.atomic}};
  if (merges) meanings.push_back({tr("a block's total, added"), t.write});
  const auto dash = [](const DrawContext& c, Box b) {
    c.pen.line({b.x, b.centre().y}, {b.right(), b.centre().y}, c.t.ink3, c.t.thin(1.5f));
  };
  const LayoutNode waiting =
      row(t.px(6), {drawing(label * 0.8f, label, dash), line({tr("waiting")}, {label, t.ink2})});
  const std::string longer_grid =
      tr("a row per block, a column per atomic served; a single queue lights one cell per column");
  s.say_in({p.in.x, p.in.y, p.in.w, p.head},
           row(t.px(14),
               {line({tr("Who waits for {}?", s.address())}, heading_look(t)),
                line({blocks_alone && turns == 1 ? longer_grid : grid, grid, ""}, {label, t.ink2}).gives(2),
                space(0).grows(), legend(meanings).gives(1), LayoutNode(waiting).gives(1)}));
}

/// The grid, the past and the axis.
void draw_time(AtomicsCanvas& s, const TwoSides& p, float past) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const int end = s.m.end;
  const long step = nice_step(end, std::max(2, int((p.right - p.left) / t.px(t.projector() ? 140 : 90))));
  for (const QueueRows& r : p.sides) {
    pen.rect({r.box.x, r.box.y, past - r.box.x, r.box.h}, t.cell);
    for (long at = 0; at <= end; at += step)
      pen.line({r.x(float(at)), r.box.y}, {r.x(float(at)), r.box.bottom()}, t.line, s.thin());
  }
  const float axis_y = p.bottom().box.bottom() + p.axis * 0.6f, small = s.small();
  for (long at = 0; at <= end; at += step)
    pen.text({p.bottom().x(float(at)), axis_y}, grouped(at), small, t.ink2, Font::mono, Align::centre);
  if (!p.note.empty())
    pen.text({p.in.x, axis_y + p.axis * 0.4f + p.note_height * 0.6f}, p.note, small, t.ink3);
}

void draw_rows(AtomicsCanvas& s, const TwoSides& p) {
  const Theme& t = s.t;
  for (const QueueRows& r : p.sides) {
    row_labels(s, r, p.in.x);
    slots(s, r);
    if (!r.side.shared_longest || !r.side.global_longest) continue;
    const float barrier = r.x(float(r.side.merge_starts));
    s.pen.line({barrier, r.box.y - t.px(2)}, {barrier, r.box.bottom() + t.px(2)}, t.barrier, s.thin(2),
               t.px(5));
  }
}

/// The marker of now with its chip. Returns the chip's box.
Box draw_now(AtomicsCanvas& s, const TwoSides& p, float past) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const float small = s.small();
  const QueueRows &top = p.top(), &bottom = p.bottom();
  const std::string words = "t = " + grouped(s.now);
  const float width = pen.width(words, small, Font::mono_bold) + t.px(14);
  const Colour edge = t.dark() ? t.changed : t.ink;  // light `changed` is a fill, never a line
  pen.line({past, top.box.y - t.px(3)}, {past, bottom.box.bottom()}, edge, s.thin(2));
  const Box chip{clamp_or_least(past - width / 2, p.left - t.px(6), p.in.right() - width),
                 top.box.y - t.px(3) - small * 1.5f, width, small * 1.5f};
  pen.rect(chip, t.changed, t.dark() ? 0 : t.ink, 1, t.px(4));
  pen.text(chip.centre(), words, small, t.on(t.changed), Font::mono_bold, Align::centre);
  pen.hit({.what = HitRegion::other,
           .box = {p.left, chip.y, p.right - p.left, bottom.box.bottom() - chip.y},
           .a = 0,
           .b = s.m.end,
           .tip = tr("Drag: how far each queue has come."),
           .name = "time",
           .drag = drags_time(s.m.end)});
  return chip;
}

/// The sides' captions, which give way to the chip and the marker of now: each stands where it has more room.
void draw_captions(AtomicsCanvas& s, const TwoSides& p, Box chip, float past) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const float label = s.label();
  const auto longer_of = [&](Point a, const std::string& words, Point b, const std::string& other) {
    const bool first = pen.width(words, label) >= pen.width(other, label);
    pen.text(first ? a : b, first ? words : other, label, t.ink, Font::text_bold);
  };
  const auto top_words = captions(p.top().side);
  const float top_y = p.top().box.y - p.sub * 0.62f;
  const float before_chip = chip.y >= top_y + label ? p.in.w : chip.x - t.px(10) - p.in.x;
  longer_of({p.in.x, top_y}, spelled(pen, top_words, before_chip, label, Font::text_bold),
            {chip.right() + t.px(10), top_y},
            spelled(pen, top_words, p.in.right() - chip.right() - t.px(10), label, Font::text_bold));
  if (s.m.alone) return;
  const auto low_words = captions(p.bottom().side);
  const float low_y = p.bottom().box.y - p.sub * 0.6f;
  longer_of({p.in.x, low_y}, spelled(pen, low_words, past - p.in.x - t.px(8), label, Font::text_bold),
            {past + t.px(10), low_y},
            spelled(pen, low_words, p.in.right() - past - t.px(10), label, Font::text_bold));
}

void two_sides(AtomicsCanvas& s, Box in) {
  const Theme& t = s.t;
  const AtomicsModel& m = s.m;
  const TwoSides p = place_sides(s, in);
  const float past = p.top().x(float(s.now)), label = s.label();
  draw_heading(s, p);
  draw_time(s, p, past);
  draw_rows(s, p);
  // the side that takes longest says so at the margin
  const size_t longer = !m.alone && m.sides[1].total > m.sides[0].total ? 1 : 0;
  const QueueRows& margin = p.sides[longer];
  const float size = number_size(s);
  s.pen.text({p.right + t.px(12), margin.box.centre().y - label * 0.6f}, grouped(margin.side.total), size,
             t.ink, Font::mono_bold);
  s.pen.text({p.right + t.px(12), margin.box.centre().y + size * 0.7f}, tr("turns"), label, t.ink2);
  draw_captions(s, p, draw_now(s, p, past), past);
  if (!m.alone) beside_the_shorter(s, p.sides[1 - longer], margin.side, past, p.right);
}

}  // namespace

LayoutNode queues(const AtomicsSheet& s) { return panel(by_hand(s, two_sides)); }

}  // namespace bscope::atomics
