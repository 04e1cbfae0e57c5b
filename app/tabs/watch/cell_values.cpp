#include "app/tabs/watch/cell_values.hpp"

#include <algorithm>

#include "app/draw/fitting.hpp"
#include "app/session/prediction.hpp"
#include "app/tabs/watch/draw.hpp"

namespace bscope {

bool CellStyle::has_room(const Pen& pen, const std::string& value) const {
  return pen.width(value, size, Font::mono_bold) <= room;
}

std::string CellStyle::words(const Pen& pen, std::string value) const {
  return has_room(pen, value) ? value : "\u2022";
}

CellStyle fit(const Pen& pen, const Theme& t, const std::function<std::vector<std::string>(bool)>& values,
              float room, float most) {
  const std::vector<std::string> whole = values(false);
  const float size = fitting_size(pen, whole, room, most, std::min(most, t.small()), Font::mono_bold);
  if (all_fit(pen, whole, room, size, Font::mono_bold)) return {size, room, false};
  // numbers in boxes may be smaller than labels: their edges hold them apart. On a projector they are almost
  // that small at once, for they would come close to each other; 32 cells of two digits need the smallest
  // size
  const float least = t.px(9, 19), largest = t.projector() ? std::min(most, t.px(9, 20)) : most;
  return {fitting_size(pen, values(true), room, largest, std::min({most, t.small(), least}), Font::mono_bold),
          room, true};
}

void CellStrip::mark(const Step::WrittenCells& written, CellRef first, Colour c,
                     const std::function<void(size_t, int)>& each) {
  const auto all = int64_t(colours.size());
  const auto begin = [&](size_t k) { return int((int64_t(k) * cells + all - 1) / all); };
  for (size_t k = 0; k < colours.size(); ++k) {
    const auto in = Step::in_cells(written, first.array, first.index + begin(k), begin(k + 1) - begin(k));
    if (in.empty()) continue;
    colours[k] = c;
    if (each) each(k, int(uint32_t(in.back().first)));
  }
}

CellStrip grey_cells(const Theme& t, const ArrayState& s, int first, int cells, float width,
                     std::optional<double> largest) {
  const std::vector<float> most = largest_in_parts(s, first, cells, std::max(1, std::min(cells, int(width))));
  if (!largest) largest = double(*std::ranges::max_element(most));
  std::vector<Colour> greys;
  for (const float value : most) greys.push_back(shade(t, double(value), *largest));
  return {cells, std::move(greys)};
}

void draw_guess(Pen& pen, const Theme& t, const Prediction& p, int number, const Box& box, float most) {
  const bool focus = number == p.box;
  pen.rect(box, t.window, t.ink2, t.px(2), t.round());
  if (focus) {
    const Box around = grown(box, t.px(1.5f));
    if (!t.dark()) pen.rect(around, 0, t.ink, t.px(5), t.px(5));
    pen.rect(around, 0, t.changed, t.px(3), t.px(5));
  }
  if (most <= 0) return;
  std::string words = p.guesses[size_t(number)];
  const float room = box.w - t.px(6), least = std::min(most, t.small() * 0.9f);
  const float size = fitting_size(pen, {words}, room, most, least, Font::mono_bold);
  // of what is longer than the box, the end that is being typed
  while (words.size() > 1 && pen.width(words, size, Font::mono_bold) > room) words.erase(0, 1);
  if (!words.empty())
    pen.text(box.centre(), words, size, t.ink, Font::mono_bold, Align::centre);
  else if (!focus)
    pen.text(box.centre(), "?", size, t.ink2, Font::mono, Align::centre);
  if (!focus) return;
  const float end = box.centre().x + pen.width(words, size, Font::mono_bold) / 2;
  pen.rect({std::min(end + t.px(2), box.right() - t.px(3)), box.centre().y - size * 0.5f, t.px(2), size},
           t.ink);
}

}  // namespace bscope
