#include <algorithm>
#include <cstdlib>
#include <string>

#include "app/draw/fitting.hpp"
#include "app/draw/text.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/timeline/layout.hpp"
#include "app/tabs/watch/timeline/parts.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/block_steps.hpp"

namespace bscope {
namespace {

/// The steps of a phase, from `first` to before `end`, and what stands in their band.
struct PhaseBand {
  int first = 0, end = 0;
  Box box;
  Colour fill = 0, ink = 0;
  std::vector<std::string> strides;  ///< of its steps
  bool strides_fit = false;          ///< each has room in its own step's share
  float stride_size = 0, gap = 0;    ///< of the words; between them and the edge
};

PhaseBand phase_band(const Pen& pen, const Theme& t, const TimelineSteps& steps, const TimelineLayout& at,
                     int first, int end, const Box& box) {
  const Colour fill = t.phase(steps.step(first).interval->phase);
  PhaseBand out{first,  end, box, fill, t.on(fill), {}, end - first > 1, t.px(t.projector() ? 22 : 12),
                t.px(6)};
  // so that they are not one sentence
  const float between = t.projector() ? out.stride_size : t.px(10);
  for (int k = first; k < end; ++k) {
    const int stride = steps.step(k).stride();
    out.strides.push_back(stride ? tr("by {}", stride) : "");
    out.strides_fit = out.strides_fit && pen.width(out.strides.back(), out.stride_size) <= at.pitch - between;
  }
  return out;
}

/// Those of all steps in view.
std::vector<PhaseBand> phase_bands(const Pen& pen, const Theme& t, const TimelineSteps& steps,
                                   const TimelineLayout& at) {
  std::vector<PhaseBand> all;
  for (int k = at.first, end; k < at.end(); k = end) {
    const Step& s = steps.step(k);
    end = steps.track.by_block ? k + 1 : std::min(k - s.phase_number + 1 + s.phase_count, at.end());
    const Box box{at.x_of(k) + t.px(1), at.phase_y, at.pitch * float(end - k) - t.px(2), at.phase_h};
    all.push_back(phase_band(pen, t, steps, at, k, end, box));
  }
  return all;
}

/// From a step on, those that begin at the right of `taken`. `y`: of the first one's.
void draw_strides(Pen& pen, const TimelineLayout& at, const PhaseBand& band, int from, float y, float taken) {
  for (int k = from; k < band.end && band.strides_fit; ++k) {
    const std::string& words = band.strides[size_t(k - band.first)];
    if (at.x_of(k + 1) - band.gap - pen.width(words, band.stride_size) >= taken)
      pen.text({at.x_of(k + 1) - band.gap, k == band.first ? y : band.box.centre().y}, words,
               band.stride_size, band.ink, Font::text, Align::right);
  }
}

/// The name in the first step's share of the band, so that no step's frame crosses it, and the strides of
/// all its steps, as far as there is room.
void draw_phase(Pen& pen, const Theme& t, const TimelineLayout& at, const PhaseBand& band, std::string name) {
  const float size = t.label();
  const auto wide = [&](const std::string& s, float of) { return pen.width(s, of, Font::text_bold); };
  // a name that the first step has no room for is cut at its hyphen
  if (spoken() == Language::en && wide(name, size) > at.pitch - t.px(12))
    name = name.substr(0, name.find('-'));
  const float share = at.pitch - band.gap * 2, left = band.box.x + band.gap, middle = band.box.centre().y;
  const auto room_beside = [&](float name_w) {
    return name_w + pen.width(band.strides[0], band.stride_size) + t.px(6) <= share;
  };
  const float whole = wide(name, size);
  if (band.strides_fit && room_beside(whole)) {
    pen.text({left, middle}, name, size, band.ink, Font::text_bold);
    return draw_strides(pen, at, band, band.first, middle, 0);
  }
  // small, in one line or two
  const bool tried = !t.projector() && (band.end - band.first > 1 || whole > band.box.w - t.px(8));
  for (float small = t.px(11); small >= t.px(9) && tried; small -= t.px(1)) {
    const std::vector<std::string> lines = in_lines(pen, name, share, small, Font::text_bold);
    if (lines.size() > 2 || at.phase_h < small * 2.1f || !all_fit(pen, lines, share, small, Font::text_bold))
      continue;
    const float last = middle + float(lines.size() - 1) / 2 * small * 1.05f;
    for (size_t n = 0; n < lines.size(); ++n)
      pen.text({left, last - float(lines.size() - 1 - n) * small * 1.05f}, lines[n], small, band.ink,
               Font::text_bold);
    const bool beside = room_beside(wide(lines.back(), small));
    return draw_strides(pen, at, band, beside ? band.first : band.first + 1, last, 0);
  }
  // over several steps, or in the middle of one: whole or not at all, for the tip has it
  if (whole > band.box.w - t.px(8)) return;
  if (band.end - band.first == 1)
    return void(pen.text(band.box.centre(), name, size, band.ink, Font::text_bold, Align::centre));
  // the frame of a later step would run through the name
  pen.rect({left, middle - size * 0.6f, whole, size * 1.2f}, band.fill);
  const Box drawn = pen.text({left, middle}, name, size, band.ink, Font::text_bold);
  draw_strides(pen, at, band, band.first, middle, drawn.right() + band.gap);
}

/// The present block's number, and those of others at even steps that leave each of them room.
void draw_block_numbers(Pen& pen, const Theme& t, const TimelineSteps& steps, const TimelineLayout& at) {
  const float size = t.label();
  const auto block_of = [&](int k) { return steps.step(k).interval->block; };
  const auto words_of = [&](int k) { return std::to_string(block_of(k)); };
  float widest = 0;
  for (int k = at.first; k < at.end(); ++k)
    widest = std::max(widest, pen.width(words_of(k), size, Font::text_bold) + t.px(8));
  const int every = label_stride(at.pitch, widest, at.end() - at.first);
  for (const PhaseBand& band : phase_bands(pen, t, steps, at)) {
    const int k = band.first, present = steps.present();
    const bool has_room = block_of(k) % every == 0 && float(std::abs(k - present)) * at.pitch >= widest;
    if (k == present || has_room)
      pen.text(band.box.centre(), words_of(k), size, band.ink, Font::text_bold, Align::centre);
  }
}

}  // namespace

void draw_timeline_bands(Pen& pen, const Theme& t, const TimelineSteps& steps, const TimelineLayout& at) {
  for (const PhaseBand& band : phase_bands(pen, t, steps, at))
    pen.rect(band.box, band.fill, 0, 1, std::min(t.px(4), band.box.w / 4));
}
void draw_timeline_phases(Pen& pen, const Theme& t, const TimelineSteps& steps, const TimelineLayout& at) {
  if (steps.track.by_block) return draw_block_numbers(pen, t, steps, at);
  for (const PhaseBand& band : phase_bands(pen, t, steps, at))
    draw_phase(pen, t, at, band, phase_name(steps.model, steps.step(band.first)));
}

}  // namespace bscope
