#include "tests/tabs/reading_support.hpp"

#include <algorithm>
#include <cmath>
#include <regex>
#include <string_view>

namespace bscope {
namespace {

std::string described(const Shape& s) {
  return "\"" + s.words + "\" at " + std::to_string(int(s.box.x)) + "," + std::to_string(int(s.box.y));
}

bool on_one_line(const Shape& a, const Shape& b) {
  const float shared = std::min(a.box.bottom(), b.box.bottom()) - std::max(a.box.y, b.box.y);
  return shared > 0.5f * std::min(a.box.h, b.box.h);
}

bool holds(const Box& box, const Shape& text) {
  return box.x <= text.box.x + 0.5f && box.right() >= text.box.right() - 0.5f &&
         box.contains(text.box.centre());
}

/// A value, an index or a name: no piece of a sentence.
bool is_label(const Shape& s) {
  return s.words.size() < 12 &&
         std::all_of(s.words.begin(), s.words.end(), [](char c) { return c > ' ' && c < 127; });
}

/// The filled or framed boxes that a text may stand in.
std::vector<const Shape*> boxes_of(const Picture& p) {
  std::vector<const Shape*> out;
  for (const Shape& s : p.shapes)
    if (s.type == Shape::rect && ((s.fill | s.stroke) & 0xff)) out.push_back(&s);
  return out;
}

/// Whether a box holds the one and not the other.
bool parted(const std::vector<const Shape*>& boxes, const Shape& a, const Shape& b) {
  return std::any_of(boxes.begin(), boxes.end(),
                     [&](const Shape* s) { return holds(s->box, a) != holds(s->box, b); });
}

void labels_apart(const Picture& p, std::vector<std::string>& found) {
  std::vector<const Shape*> texts;
  for (const Shape& s : p.shapes)
    if (s.type == Shape::text) texts.push_back(&s);
  std::sort(texts.begin(), texts.end(), [](const Shape* a, const Shape* b) { return a->box.x < b->box.x; });
  const std::vector<const Shape*> boxes = boxes_of(p);
  for (size_t i = 0; i < texts.size(); ++i)
    for (size_t k = 0; k < texts.size(); ++k) {
      const Shape &a = *texts[i], &b = *texts[k];
      const float gap = b.box.x - a.box.right(), em = std::min(a.size, b.size);
      if (i == k || gap < 0 || gap >= em * 0.45f || !on_one_line(a, b)) continue;
      // a number and its unit, words in bold among others: a blank is enough
      if (!is_label(a) || !is_label(b)) continue;
      if (gap < em * 0.21f || !parted(boxes, a, b))
        found.push_back(described(a) + " runs into " + described(b));
    }
}

/// The value that a cell's tip tells: "sum[3] = 17."; empty where it tells none.
std::string value_of(const HitRegion& h, bool asked) {
  if (asked && !h.name.starts_with("before:")) return {};  // a question hides it
  constexpr std::string_view sign = " = ";
  if (h.what != HitRegion::cell) return {};
  for (const char* row : {"before:", "after:", "small:"})
    if (h.name.starts_with(row)) {
      const size_t from = h.tip.find(sign);
      if (from == std::string::npos) return {};
      const size_t begin = from + sign.size();
      const size_t end = std::min(h.tip.find(". ", begin), h.tip.size() - 1);
      return h.tip.substr(begin, end - begin);
    }
  return {};
}

void cells_filled(const Picture& p, const Theme& t, bool asked, std::vector<std::string>& found) {
  for (const HitRegion& h : p.hits) {
    const std::string value = value_of(h, asked);
    // narrower ones tell their value by lightness
    if (value.empty() || h.box.w < t.px(19.5f) || h.box.h < t.px(t.size_index) * 1.2f) continue;
    // a letter of the fixed font is 0.6 em wide; a little more, where sizes are whole pixels
    const float needed = float(value.size()) * t.px(t.size_index) * 0.65f + t.px(3);
    if (needed > h.box.w) continue;
    const bool told = std::any_of(p.shapes.begin(), p.shapes.end(), [&](const Shape& s) {
      return s.type == Shape::text && h.box.contains(s.box.centre());
    });
    if (!told) found.push_back(h.name + " holds " + value + " and shows nothing");
  }
}

Point point_on(const Shape& curve, float t) {
  const auto& p = curve.points;
  const float u = 1 - t, a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
  return {a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
          a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}
bool runs_through(const Shape& curve, const Box& box) {
  for (int k = 0; k <= 64; ++k)
    if (box.contains(point_on(curve, float(k) / 64))) return true;
  return false;
}

/// A value on an arrow stands on that one alone: arrows from elsewhere that run under it would have it, too.
void one_arrow_each(const Picture& p, std::vector<std::string>& found) {
  std::vector<const Shape*> curves;
  for (const Shape& s : p.shapes)
    if (s.type == Shape::curve) curves.push_back(&s);
  for (size_t k = 0; k < p.shapes.size() && !curves.empty(); ++k) {
    const Shape& s = p.shapes[k];
    if (s.type != Shape::text) continue;
    // what has a ground of its own that was drawn after the arrow, like a cell or a pill, is no such value
    const Box ink{s.box.x, s.box.centre().y - s.size * 0.4f, s.box.w, s.size * 0.8f};
    std::vector<float> from;
    for (const Shape* c : curves)
      if (runs_through(*c, ink)) from.push_back(c->points[0].x);
    if (from.empty()) continue;
    const auto [least, most] = std::minmax_element(from.begin(), from.end());
    const bool pill = k > 0 && p.shapes[k - 1].type == Shape::rect && p.shapes[k - 1].radius > s.size * 0.5f;
    if (*most - *least > 3 && !pill) found.push_back(described(s) + " stands on several arrows");
  }
}

}  // namespace

bool has_narrow_comma(const std::string& words) {
  const auto is_chinese = [&](size_t at) {  // in UTF-8: three bytes from U+3400 to U+9FFF
    if (at + 2 >= words.size()) return false;
    const auto lead = (unsigned char)(words[at]);
    return lead >= 0xe3 && lead <= 0xe9 && (lead > 0xe3 || (unsigned char)(words[at + 1]) >= 0x90);
  };
  for (size_t k = 1; k < words.size(); ++k) {
    if (words[k] != ',' && words[k] != ';') continue;
    if (words[k - 1] == ' ') continue;  // it stands for a key
    // between two numbers it parts them only where a blank follows; then what stands around them counts
    const char* skipped = k + 1 < words.size() && words[k + 1] == ' ' ? " 0123456789" : "";
    const size_t before = words.find_last_not_of(skipped, k - 1),
                 after = words.find_first_not_of(skipped, k + 1);
    if (before != std::string::npos && before >= 2 && is_chinese(before - 2)) return true;
    if (after != std::string::npos && is_chinese(after)) return true;
  }
  return false;
}

bool has_ungrouped_count(const std::string& words) {
  static const std::regex count("(^|[ (])[1-9][0-9]{3,} [a-z]|n = [0-9]{4}");
  static const std::regex named("(line|lines|and|to|thread|block|tile|\\] =) [0-9]{4,}|\\([12][0-9]{3}\\)");
  return std::regex_search(std::regex_replace(words, named, ""), count);
}

bool is_cut(const std::string& words, const std::string& code) {
  // points that stand alone say that more of the same follows
  if (words.size() <= 3 || !words.ends_with("...")) return false;
  const std::string bare = words.substr(std::min(words.find_first_not_of("/ "), words.size()));
  return code.find(bare) == std::string::npos;
}

std::vector<std::string> hard_to_read(const Picture& p, const Theme& t, Texts texts, bool asked,
                                      const std::string& code) {
  std::vector<std::string> found;
  for (const Shape& s : p.shapes) {
    if (s.type != Shape::text) continue;
    if (is_cut(s.words, code)) found.push_back(described(s) + " is cut");
    if (has_narrow_comma(s.words)) found.push_back(described(s) + " has a narrow comma");
    if (texts == Texts::labels && has_ungrouped_count(s.words))
      found.push_back(described(s) + " counts without commas");
  }
  if (texts == Texts::labels) labels_apart(p, found);
  cells_filled(p, t, asked, found);
  one_arrow_each(p, found);
  return found;
}

}  // namespace bscope
