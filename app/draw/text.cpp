#include "app/draw/text.hpp"

#include <algorithm>
#include <utility>

#include "app/draw/letters.hpp"

namespace bscope {
namespace {

/// Lines as they grow, word by word.
class Setter {
 public:
  Setter(const Metrics& m, const Text& text, float width, const TextLook& look)
      : m_(m), text_(text), room_(width), look_(look) {}

  LaidText set() {
    char32_t last = 0;
    for (size_t k = 0; k < text_.size(); ++k) {
      const std::string& words = text_[k].words;
      for (size_t at = 0; at < words.size();) {
        if (words[at] == '\n' || words[at] == ' ') {
          end_word();
          if (words[at] == '\n')
            end_line();
          else
            ++spaces_;
          last = 0;
          ++at;
          continue;
        }
        if (last && may_break(last, letter_at(words, at).code)) end_word();
        const size_t end = word_end(words, at);
        word_.push_back({int(k), words.substr(at, end - at)});
        last = letter_at(words, cut_before(words, end - 1)).code;
        at = end;
      }
    }
    end_word();
    if (!line_.empty() || out_.lines.empty()) end_line();
    if (text_.empty()) out_.lines.clear(), out_.height = 0;
    return std::move(out_);
  }

 private:
  struct TextRun {
    int of;
    std::string words;
    float space = 0;  ///< before it
    float width = 0;
  };
  struct Space {
    int count = 0;
    float width = 0;  ///< of one between two styles
  };

  float size(int of) const { return look_.size * text_[size_t(of)].scale; }
  float measure(int of, const std::string& words) const {
    return words.empty() ? 0 : m_.width(text_[size_t(of)].font, size(of), words);
  }
  static float width_of_line(const std::vector<TextRun>& line) {
    float w = 0;
    for (const TextRun& p : line) w += p.space + p.width;
    return w;
  }
  bool is_last_line() const { return look_.most_lines > 0 && int(out_.lines.size()) + 1 == look_.most_lines; }
  bool full() const { return look_.most_lines > 0 && int(out_.lines.size()) >= look_.most_lines; }

  /// Whether these pieces, side by side, are one text. Those of one style are, unless one of them can be
  /// pressed.
  bool as_one(int left, int right) const {
    const Words &a = text_[size_t(left)], &b = text_[size_t(right)];
    return left == right ||
           (a.colour == b.colour && a.font == b.font && a.scale == b.scale && a.backing == b.backing &&
            a.underline == b.underline && a.hit.name.empty() && b.hit.name.empty());
  }

  /// The line with the parts behind it: what is of one piece is one text, and as wide as that.
  std::vector<TextRun> joined(std::vector<TextRun> line, const std::vector<TextRun>& word,
                              Space space) const {
    if (line.empty()) space = {};
    for (TextRun p : word) {
      const Space before = std::exchange(space, {});
      p.space = float(before.count) * before.width;
      if (!line.empty() && as_one(line.back().of, p.of)) {
        line.back().words += std::string(size_t(before.count), ' ') + p.words;
        line.back().width = measure(p.of, line.back().words);
      } else {
        p.width = measure(p.of, p.words);
        line.push_back(std::move(p));
      }
    }
    return line;
  }

  void end_word() {
    if (word_.empty()) return;
    std::vector<TextRun> word = std::exchange(word_, {});
    const Space space{std::exchange(spaces_, 0), m_.width(Font::text, look_.size, " ")};
    if (full()) {
      out_.whole = false;
      return;
    }
    auto longer = joined(line_, word, space);
    if (width_of_line(longer) <= room_) {
      line_ = std::move(longer);
      return;
    }
    if (!line_.empty() && is_last_line()) {
      line_ = std::move(longer);
      cut_line();
      return end_line();
    }
    if (!line_.empty()) end_line();
    line_ = joined({}, word, {});
    if (width_of_line(line_) <= room_) return;
    if (look_.long_words == TextLook::whole) {
      out_.whole = false;
      return;
    }
    if (look_.long_words == TextLook::cut || is_last_line()) return cut_line();
    break_word(std::exchange(line_, {}));
  }

  /// Each letter where it still fits.
  void break_word(const std::vector<TextRun>& word) {
    for (const TextRun& p : word)
      for (size_t at = 0; at < p.words.size();) {
        const size_t next = letter_at(p.words, at).end;
        const std::vector<TextRun> letter{{p.of, p.words.substr(at, next - at)}};
        auto longer = joined(line_, letter, {});
        if (!line_.empty() && width_of_line(longer) > room_) {
          if (is_last_line()) {
            line_ = std::move(longer);
            cut_line();
            return end_line();
          }
          end_line();
          longer = joined({}, letter, {});
        }
        line_ = std::move(longer);
        at = next;
      }
  }

  /// As much of the line as fits, then dots.
  void cut_line() {
    out_.whole = false;
    float x = 0;
    for (size_t k = 0; k < line_.size(); ++k) {
      TextRun& p = line_[k];
      const bool last = k + 1 == line_.size();
      const float left = room_ - x - p.space, dots = last ? 0 : measure(p.of, "...");
      if (p.width <= left - dots) {
        x += p.space + p.width;
        continue;
      }
      Picture nothing;
      p.words = Pen(nothing, m_)
                    .fitted(p.words + (last ? "" : "......"), left, size(p.of), text_[size_t(p.of)].font);
      p.width = measure(p.of, p.words);
      line_.resize(k + (p.words.empty() ? 0 : 1));
      return;
    }
  }

  void end_line() {
    spaces_ = 0;
    if (full()) {
      out_.whole = out_.whole && line_.empty();
      line_.clear();
      return;
    }
    float most = 1;
    for (const TextRun& p : line_) most = std::max(most, text_[size_t(p.of)].scale);
    const float wide = width_of_line(line_), height = look_.size * look_.leading * most;
    float x = look_.align == Align::left     ? 0
              : look_.align == Align::centre ? (room_ - wide) / 2
                                             : room_ - wide;
    out_.lines.push_back({x, out_.height, wide, height});
    for (TextRun& p : line_) {
      x += p.space;
      LaidText::GlyphRun piece;
      piece.what = text_[size_t(p.of)];
      piece.what.words = std::move(p.words);
      piece.box = {x, out_.height, p.width, height};
      piece.size = size(p.of);
      piece.of = p.of;
      piece.line = int(out_.lines.size()) - 1;
      out_.pieces.push_back(std::move(piece));
      x += p.width;
    }
    line_.clear();
    out_.width = std::max(out_.width, wide);
    out_.height += height;
  }

  const Metrics& m_;
  const Text& text_;
  float room_;
  const TextLook& look_;
  LaidText out_;
  std::vector<TextRun> line_, word_;
  int spaces_ = 0;
};

}  // namespace

LaidText lay_out(const Metrics& m, const Text& text, float width, const TextLook& look) {
  return Setter(m, text, width, look).set();
}

void draw(Pen& pen, const LaidText& laid, Point at) {
  const auto moved = [&](const Box& b) { return Box{at.x + b.x, at.y + b.y, b.w, b.h}; };
  for (const LaidText::GlyphRun& p : laid.pieces) {
    if (!p.what.backing) continue;
    const Box b = moved(p.box);
    const float pad = p.size * 0.25f;
    pen.rect({b.x - pad, b.y, b.w + 2 * pad, b.h}, p.what.backing);
  }
  std::vector<int> named;
  for (const LaidText::GlyphRun& p : laid.pieces) {
    const Box b = moved(p.box);
    pen.text({b.x, b.centre().y}, p.what.words, p.size, p.what.colour, p.what.font);
    if (p.what.underline) {
      const float y = b.centre().y + p.size * 0.52f;
      pen.line({b.x, y}, {b.right(), y}, p.what.underline, std::max(1.0f, p.size * 0.07f));
    }
    if (p.what.hit.name.empty()) continue;
    HitRegion hit = p.what.hit;
    hit.box = b;
    // a link over two lines is two regions
    if (const auto parts = std::ranges::count(named, p.of)) hit.name += "~" + std::to_string(parts);
    named.push_back(p.of);
    pen.hit(std::move(hit));
  }
}

float width_of(const Metrics& m, const Text& text, float size) {
  return lay_out(m, text, 1e9f, {.size = size}).width;
}

std::vector<std::string> in_lines(const Pen& pen, const std::string& words, float room, float size, Font f) {
  std::vector<std::string> out;
  TextLook look{.size = size};
  look.long_words = TextLook::whole;
  for (LaidText::GlyphRun& p : lay_out(pen.metrics(), {{words, 0, f}}, room, look).pieces)
    out.push_back(std::move(p.what.words));
  return out;
}

std::string spelled(const Pen& pen, const std::vector<std::string>& spellings, float room, float size, Font f,
                    bool cut) {
  for (const std::string& s : spellings)
    if (pen.width(s, size, f) <= room) return s;
  return cut && !spellings.empty() ? pen.fitted(spellings.back(), room, size, f) : std::string();
}

}  // namespace bscope
