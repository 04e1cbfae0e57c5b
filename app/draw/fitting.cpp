#include "app/draw/fitting.hpp"

#include <algorithm>

#include "app/draw/text.hpp"

namespace bscope {
namespace {

const std::string* widest_of(const Pen& pen, const std::vector<std::string>& all, float size, Font font) {
  const std::string* widest = nullptr;
  float most = -1;
  for (const std::string& words : all)
    if (const float w = pen.width(words, size, font); w > most) most = w, widest = &words;
  return widest;
}

}  // namespace

bool all_fit(const Pen& pen, const std::vector<std::string>& all, float room, float size, Font font) {
  const std::string* widest = widest_of(pen, all, size, font);
  return !widest || pen.width(*widest, size, font) <= room;
}

float fitting_size(const Pen& pen, const std::vector<std::string>& all, float room, float most, float least,
                   Font font) {
  const std::string* widest = widest_of(pen, all, most, font);
  if (!widest || most <= least) return most;
  const float at_most = pen.width(*widest, most, font);
  if (at_most <= room) return most;
  float size = std::clamp(most * (room + 1) / at_most + 1, least, most);
  while (size > least && pen.width(*widest, size, font) > room) size = std::max(least, size - 0.5f);
  return size;
}

int label_stride(float pitch, float need, int count) {
  int every = 1;
  while (every < count && float(every) * pitch < need) every *= 2;
  return every;
}

void name_in(Pen& pen, const Box& box, const std::string& name, float size, float least, Colour colour,
             Font font, Align align) {
  const float x = align == Align::left ? box.x : align == Align::right ? box.right() : box.centre().x;
  const float one = fitting_size(pen, {name}, box.w, size, least, font);
  const bool whole = all_fit(pen, {name}, box.w, one, font);
  if (one < size * 0.85f || !whole) {  // two lines, where they leave the letters larger
    constexpr float line = 1.12f;
    for (float two = std::min(size, box.h / (2 * line)); two >= least && (!whole || two > one); two -= 0.5f) {
      const std::vector<std::string> lines = in_lines(pen, name, box.w, two, font);
      if (lines.size() != 2 || !all_fit(pen, lines, box.w, two, font)) continue;
      for (int k = 0; k < 2; ++k)
        pen.text({x, box.centre().y + (float(k) - 0.5f) * line * two}, lines[size_t(k)], two, colour, font,
                 align);
      return;
    }
  }
  pen.text({x, box.centre().y}, pen.fitted(name, box.w, one, font), one, colour, font, align);
}

}  // namespace bscope
