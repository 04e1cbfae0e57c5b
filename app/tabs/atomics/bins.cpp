// Bins growing with time on both sides, beside the image whose pixels they count.
#include <cmath>

#include "app/tabs/atomics/controls.hpp"
#include "app/tabs/atomics/sheet.hpp"
#include "app/words/counting.hpp"
#include "engine/catalog/image.hpp"

namespace bscope::atomics {
namespace {

/// The image, its pixels of the chosen bin in the atomics' colour. Returns what is left of the room.
Box picture_of_keys(AtomicsCanvas& s, Box in) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const GreyImage& image = *s.m.image;
  const float label = s.label(), wide = in.w * 0.42f, caption = label * 1.5f;
  const float scale = std::min(wide / float(image.width), (in.h - caption) / float(image.height));
  if (scale <= 0) return in;
  const Box box{in.x, in.y, float(image.width) * scale, float(image.height) * scale};
  const AtomicsModel::Side* side = s.bins();
  const int bins = side ? int(side->addresses.size()) : 256, chosen = s.m.bin;
  std::vector<Colour> pixels(image.levels.size());
  for (size_t k = 0; k < pixels.size(); ++k) {
    const Colour level = image.levels[k];
    pixels[k] = bin_of_level(image.levels[k], bins) == chosen ? t.atomic
                                                              : level << 24 | level << 16 | level << 8 | 0xff;
  }
  pen.strip(box, std::move(pixels), image.height);
  pen.rect(box, 0, t.line, s.thin());
  const int first = (chosen * 256 + bins - 1) / bins, last = ((chosen + 1) * 256 + bins - 1) / bins - 1;
  const std::string levels =
      first == last ? tr("grey level {}", first) : tr("grey levels {}-{}", first, last);
  std::string size = tr("{} x {} pixels", image.width, image.height);
  if (image.scaled())
    size = tr("{} x {} of {} x {}", image.width, image.height, image.full_width, image.full_height);
  const float y = box.bottom() + caption * 0.55f, mark = label * 0.8f;
  pen.rect({in.x, y - mark / 2, mark, mark}, t.atomic, 0, 1, t.px(2));
  const std::string words =
      first_fit(pen, {tr("{}, {}", levels, size), levels}, wide - mark - t.px(8), label);
  pen.text({in.x + mark + t.px(6), y}, words, label, t.ink2);
  const float taken = std::max(box.w, mark + t.px(6) + pen.width(words, label)) + t.px(16);
  return {in.x + taken, in.y, in.w - taken, in.h};
}

/// What a press on an address means; its column stands for `together` of them from `first` on.
void hit_of(AtomicsCanvas& s, const BinBars& b, const AtomicsModel::Side& side, int k, int first,
            int together) {
  const int final = int(side.addresses[size_t(k)].counted.size()), served = side.counted(k, s.now);
  s.pen.hit({.what = HitRegion::bin,
             .box = {b.box.x + float(first) * b.pitch, b.box.y, float(together) * b.pitch,
                     b.box.h + s.small() * 1.6f},
             .a = k,
             .tip = side.histogram ? tr("Bin {}: {} keys, {} of them counted.", k, final, served)
                                   : tr("{}: {} atomics, {} of them served.", side.addresses[size_t(k)].name,
                                        final, served),
             .name = "bin " + std::to_string(k),
             .press = [k](LoadedState& to, float) { look_at_address(to, k); }});
}

/// Bars too thin for outlines: columns side by side, what is still to come in grey above what is counted.
/// Where there are more bins than pixels, a column is the fullest of its `together` bins.
void skyline(AtomicsCanvas& s, const BinBars& b, const AtomicsModel::Side& side, int together) {
  const Theme& t = s.t;
  const int count = int(side.addresses.size());
  const auto final_of = [&](int k) { return int(side.addresses[size_t(k)].counted.size()); };
  const std::vector<int> shown = fullest(count, together, side.chosen, final_of);
  const auto final = [&](int column) { return final_of(shown[size_t(column)]); };
  const auto served = [&](int column) { return side.counted(shown[size_t(column)], s.now); };
  const int columns = int(shown.size()), chosen = side.chosen / together;
  const float width = float(together) * b.pitch, top = b.y(final(chosen));
  terrain(s.pen, b, columns, width, final, mix(t.ink3, t.panel, 0.45f));
  s.pen.rect({b.box.x + float(chosen) * width, top, width, b.y(served(chosen)) - top}, t.ink);
  terrain(s.pen, b, columns, width, served, t.atomic);
  for (int k = 0; k < columns; ++k) hit_of(s, b, side, shown[size_t(k)], k * together, together);
}

}  // namespace

void bin_axis(AtomicsCanvas& s, const BinBars& b, int bins, int chosen_bin) {
  const float small = s.small();
  const float widest = s.pen.width(std::to_string(bins - 1), small, Font::mono_bold) + s.t.px(8);
  const int every = std::max(1, int(std::ceil(widest / b.pitch)));
  const float most = b.box.right() + s.t.px(8) - widest / 2;  // the last numbers move in, or give way
  const float chosen_x = std::min(b.x(chosen_bin), most);
  for (int k = 0; k < bins; ++k) {
    const bool chosen = k == chosen_bin;
    if (!chosen && (k % every || b.x(k) > most || std::abs(b.x(k) - chosen_x) < widest)) continue;
    s.pen.text({chosen ? chosen_x : b.x(k), b.box.bottom() + small * 0.9f}, std::to_string(k), small,
               chosen ? s.t.ink : s.t.ink2, chosen ? Font::mono_bold : Font::mono, Align::centre);
  }
}

namespace {

/// The bars of one side, and how they are drawn.
struct BinChart {
  const AtomicsModel::Side& side;
  int now;       ///< units of time that have passed
  bool paired;   ///< a line across each bar says where the other side stands
  bool narrow;   ///< bars narrower than their outlines would be nothing but outlines
  int together;  ///< bins in a column
  BinBars bars = {};
  bool numbers = false;  ///< bars are wide enough for them
  int count() const { return int(side.addresses.size()); }
  int final(int k) const { return int(side.addresses[size_t(k)].counted.size()); }
  int served(int k) const { return side.counted(k, now); }
  int most() const {
    int most = 1;
    for (int k = 0; k < count(); ++k) most = std::max(most, final(k));
    return most;
  }
};

BinChart chart_in(const AtomicsCanvas& s, Box in) {
  const AtomicsModel& m = s.m;
  const AtomicsModel::Side& side = m.sides[0].histogram || !m.sides[1].histogram ? m.sides[0] : m.sides[1];
  const float for_bars = in.w * (m.image ? 0.5f : 0.9f);
  const float roughly = for_bars / float(std::max<size_t>(1, side.addresses.size()));
  return {.side = side,
          .now = s.now,
          .paired = !m.alone && m.sides[0].histogram && m.sides[1].histogram &&
                    float(side.addresses.size()) * 5 < for_bars,
          .narrow = roughly < s.t.px(5),
          .together = bins_together(roughly)};
}

void draw_bins_heading(AtomicsCanvas& s, const BinChart& c, Box in) {
  const Theme& t = s.t;
  const std::string when =
      c.side.histogram ? tr("Bins at t = {}", grouped(c.now)) : tr("Addresses at t = {}", grouped(c.now));
  const std::string end(c.narrow ? tr("grey: still to come") : tr("outline: at the end"));
  const std::string tick = c.paired         ? tr("line: the kernel below; outline: at the end")
                           : c.together > 1 ? tr("a column: the fullest of {}; {}", c.together, end)
                                            : end;
  s.say_in(
      in,
      row(t.px(10),
          {line({tr("{}, {}", when, tr(c.side.title)), when, "t = " + grouped(c.now)}, heading_look(t)),
           space(0).grows(), line({tick, end, ""}, {s.label(), t.ink2, Font::text, Align::right}).gives(1)}));
}

/// Where the bars stand, with the scale at their left.
void place_bars(AtomicsCanvas& s, BinChart& c, Box in) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const float small = s.small();
  const int most = c.most();
  const float scale_width = pen.width(grouped(most), small, Font::mono) + t.px(8);
  BinBars& b = c.bars;
  b = {{in.x + scale_width, in.y + small * 1.8f, in.w - scale_width, 0}, double(most), 0};
  b.box.h = in.bottom() - small * 1.5f - b.box.y;
  b.box.w = std::min(b.box.w, t.px(160) * float(c.count()));  // one address is no wall
  b.pitch = b.box.w / float(c.count());
  c.numbers = pen.width(grouped(most), small, Font::mono) < b.pitch;
  const long step = nice_step(most, std::max(1, int(b.box.h / (small * 3.5f))));
  for (long at = 0; at <= most; at += step) {
    pen.line({b.box.x, b.y(double(at))}, {b.box.right(), b.y(double(at))}, t.line, s.thin());
    pen.text({b.box.x - t.px(6), b.y(double(at))}, grouped(at), small, t.ink2, Font::mono, Align::right);
  }
}

void draw_bar(AtomicsCanvas& s, const BinChart& c, int k) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const BinBars& b = c.bars;
  const bool chosen = k == c.side.chosen;
  const int final = c.final(k), served = c.served(k);
  const float x = b.x(k) - b.width() / 2, small = s.small();
  if (served) pen.rect({x, b.y(served), b.width(), b.box.bottom() - b.y(served)}, t.atomic, 0, 1, t.px(2));
  if (served < final)
    pen.rect({x, b.y(final), b.width(), b.box.bottom() - b.y(final)}, 0, chosen ? t.ink2 : t.ink3, s.thin(),
             t.px(2));
  // where the other side stands: a line across the bar
  if (c.paired && final) {
    const int other = s.m.sides[1].counted(k, c.now);
    pen.line({x - t.px(1), b.y(other)}, {x + b.width() + t.px(1), b.y(other)}, t.write, s.thin(2.5f));
  }
  if (!chosen && c.numbers && final)
    pen.text({b.x(k), b.y(final) - small * 0.75f}, grouped(served), small, t.ink, Font::mono, Align::centre);
  hit_of(s, b, c.side, k, k, 1);
}

/// How many are finished, and which is not, beside the chosen bin's number, which is `wide` and stands at
/// `tag_y`.
void draw_progress(AtomicsCanvas& s, const BinChart& c, float wide, float tag_y) {
  const Theme& t = s.t;
  const float label = s.label();
  int finished = 0, filled = 0;
  for (int k = 0; k < c.count(); ++k) {
    filled += c.final(k) > 0;
    finished += c.final(k) > 0 && c.served(k) == c.final(k);
  }
  const int open = filled - finished;
  const auto final_of = [&](int k) { return c.final(k); };
  Box free = beside(s, c.bars, c.count(), c.side.chosen, final_of, std::max(wide / 2, c.bars.width() / 2));
  free.w = std::min(free.w, t.px(260) * (t.projector() ? 1.5f : 1));
  if (free.w <= 0 || (tag_y + label > free.y && free.w < wide)) return;
  const std::string who =
      open == 0  ? tr("All queues are drained.")
      : open > 1 ? tr("{} still drain.", open)
                 : tr("{} alone keeps the kernel running.", c.side.addresses[size_t(c.side.hottest)].name);
  float y = paragraph(s.pen, {{tr("{} of {} are finished", finished, filled), t.ink, Font::text_bold}}, free,
                      label, t.panel);
  const float after_first = y;
  if (!t.projector() && finished)
    y = paragraph(s.pen, {{tr("different addresses, separate queues"), t.ink2}},
                  {free.x, y, free.w, free.bottom() - y}, label, t.panel);
  if (after_first > free.y)
    paragraph(s.pen, {{who, t.ink2}}, {free.x, y, free.w, free.bottom() - y}, label, t.panel);
}

/// The chosen bin says more than its neighbours have room for, so it says it above all of them.
void draw_chosen(AtomicsCanvas& s, const BinChart& c, float top) {
  const Theme& t = s.t;
  const BinBars& b = c.bars;
  const float label = s.label();
  const int chosen = c.side.chosen, final = c.final(chosen), served = c.served(chosen);
  const std::string words = served < final ? tr("{} of {}", grouped(served), grouped(final)) : grouped(final);
  const float wide = s.pen.width(words, label, Font::mono_bold);
  if (wide > b.box.w) return;
  const auto final_of = [&](int k) { return c.final(k); };
  const float highest_near = top_near(b, c.count(), chosen, wide, final_of, c.numbers ? s.small() * 1.4f : 0);
  const float tag_y = std::max(highest_near - label * 0.75f, top + label * 0.7f);
  s.pen.text({clamp_or_least(b.x(chosen), b.box.x + wide / 2, b.box.right() - wide / 2), tag_y}, words, label,
             t.ink, Font::mono_bold, Align::centre);
  draw_progress(s, c, wide, tag_y);
}

void chart_of_bins(AtomicsCanvas& s, Box in) {
  const Theme& t = s.t;
  BinChart c = chart_in(s, in);
  const float head = t.title() * 1.3f;
  draw_bins_heading(s, c, {in.x, in.y, in.w, head});
  in = {in.x, in.y + head, in.w, in.h - head};
  if (s.m.image && in.h > t.px(60)) in = picture_of_keys(s, {in.x, in.y + t.px(6), in.w, in.h - t.px(6)});
  if (c.count() == 0) {
    paragraph(s.pen, {{tr("This kernel uses no atomics."), t.ink2}}, in, s.label());
    return;
  }
  place_bars(s, c, in);
  if (c.narrow)
    skyline(s, c.bars, c.side, c.together);
  else
    for (int k = 0; k < c.count(); ++k) draw_bar(s, c, k);
  bin_axis(s, c.bars, c.count(), c.side.chosen);
  draw_chosen(s, c, in.y);
}

}  // namespace

LayoutNode bins(const AtomicsSheet& s) { return panel(by_hand(s, chart_of_bins)); }

}  // namespace bscope::atomics
