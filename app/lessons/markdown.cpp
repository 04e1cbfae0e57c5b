#include "app/lessons/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "app/draw/letters.hpp"

namespace bscope {
namespace {

char32_t first_letter(std::string_view s) { return s.empty() ? 0 : letter_at(s, 0).code; }
char32_t last_letter(std::string_view s) {
  return s.empty() ? 0 : letter_at(s, cut_before(s, s.size() - 1)).code;
}
/// May a line end with the one and the next begin with the other?
bool breaks_between(std::string_view before, std::string_view after) {
  return !before.empty() && may_break(last_letter(before), first_letter(after));
}

struct Atom {
  std::string words;
  Span style;           ///< without words
  bool space = false;   ///< before it
  bool breaks = false;  ///< a line may begin with it
};

/// Pieces that stay together.
std::vector<Atom> atoms_of(const Spans& spans) {
  std::vector<Atom> out;
  bool space = false;
  for (const Span& span : spans)
    for (size_t at = 0; at < span.words.size();) {
      const size_t end = letter_at(span.words, at).end;
      const std::string letter = span.words.substr(at, end - at);
      at = end;
      if (letter == " " || letter == "\t") {
        space = true;
        continue;
      }
      const bool breaks = space || (!out.empty() && breaks_between(out.back().words, letter));
      if (out.empty() || breaks || !out.back().style.like(span)) {
        Span style = span;
        style.words.clear();
        out.push_back({letter, style, space && !out.empty(), breaks});
      } else {
        out.back().words += letter;
      }
      space = false;
    }
  return out;
}

// --- lines -------------------------------------------------------------------------------------------

class Setter {
 public:
  Setter(const MarkdownOptions& o, const Theme& t, const Metrics& m) : o_(o), t_(t), m_(m) {}

  std::vector<MarkdownLine> set(const std::vector<Block>& blocks) {
    for (const Block& b : blocks) {
      first_ = true;
      switch (b.kind) {
        case Block::paragraph: words(b.words, 0, o_.width, t_.ink, o_.size, false); break;
        case Block::heading: words(b.words, 0, o_.width, t_.ink, o_.size * 1.1f, true); break;
        case Block::item: item(b); break;
        case Block::question: question(b); break;
        case Block::code: code(b); break;
        case Block::table: table(b); break;
        case Block::rule: rule(); break;
      }
      last_ = b.kind;
    }
    return std::move(lines_);
  }

 private:
  using Run = std::vector<Atom>;
  /// From line to line, in ems; closer on the projector, where every line of a strip is taken from the tab.
  float leading() const { return t_.projector() ? 1.38f : 1.5f; }

  Font font(const Span& s, bool bold) const {
    return s.code ? (bold || s.bold ? Font::mono_bold : Font::mono)
                  : (bold || s.bold || !s.link.empty() ? Font::text_bold : Font::text);
  }
  // the mono family looks larger at the same em; never below the projector's least
  float em(const Span& s, float size) const {
    const float smaller = size * 0.94f;
    return s.code && !(t_.projector() && smaller < t_.px(22)) ? smaller : size;
  }
  float width(const Atom& a, float size, bool bold) const {
    return m_.width(font(a.style, bold), em(a.style, size), a.words);
  }
  float space(const Atom& a, float size) const {
    Span s = a.style;
    return m_.width(font(s, false), em(s, size), " ");
  }

  /// Breaks into lines of at most this width.
  std::vector<Run> wrap(std::vector<Atom> atoms, float room, float size, bool bold) const {
    std::vector<Run> out(1);
    float x = 0;
    for (size_t i = 0; i < atoms.size();) {
      // what must stay together
      size_t end = i + 1;
      while (end < atoms.size() && !atoms[end].breaks) ++end;
      float w = 0;
      for (size_t k = i; k < end; ++k)
        w += width(atoms[k], size, bold) + (k > i && atoms[k].space ? space(atoms[k], size) : 0);
      const float gap = !out.back().empty() && atoms[i].space ? space(atoms[i], size) : 0;
      if (!out.back().empty() && x + gap + w > room) {
        out.emplace_back();
        x = 0;
        continue;
      }
      if (w > room && out.back().empty()) {
        // longer than a line: cut where the line is full
        Atom& a = atoms[i];
        if (width(a, size, bold) > room && letter_at(a.words, 0).end < a.words.size()) {
          size_t fits = letter_at(a.words, 0).end;
          while (fits < a.words.size()) {
            const size_t next = letter_at(a.words, fits).end;
            if (m_.width(font(a.style, bold), em(a.style, size), a.words.substr(0, next)) > room) break;
            fits = next;
          }
          Atom head = a;
          head.words.resize(fits);
          out.back().push_back(std::move(head));
          out.emplace_back();
          a.words.erase(0, fits);
          a.space = false;
          x = 0;
          continue;
        }
        end = i + 1;  // a part of it fits alone
        w = width(a, size, bold);
        if (end < atoms.size()) atoms[end].breaks = true;
      }
      for (size_t k = i; k < end; ++k) out.back().push_back(atoms[k]);
      x += gap + w;
      i = end;
    }
    if (out.back().empty()) out.pop_back();
    return out;
  }

  /// One line of atoms from x on.
  void draw(MarkdownLine& line, const Run& run, float x, float y, Colour ink, float size, bool bold) {
    Pen pen(line.picture, m_);
    for (size_t i = 0; i < run.size();) {
      // atoms of one style are one text: fewer shapes, and spaces as the font has them
      std::string words = run[i].words;
      size_t end = i + 1;
      while (end < run.size() && run[end].style.like(run[i].style)) {
        words += (run[end].space ? " " : "") + run[end].words;
        ++end;
      }
      const Span& s = run[i].style;
      if (i > 0 && run[i].space) x += space(Atom{}, size);
      const Font f = font(s, bold);
      const float em_size = em(s, size), w = m_.width(f, em_size, words);
      const std::optional<Place> cell = s.code && o_.cell ? o_.cell(words) : std::nullopt;
      const bool link = !s.link.empty();
      const Box box{x, y - size * 0.62f, w, size * 1.24f};
      Colour colour = ink;
      if (s.code && !link) {
        const float pad = std::min(size * 0.12f, 2.0f);
        pen.rect({box.x - pad, box.y, box.w + 2 * pad, box.h}, t_.cell, 0, 1, t_.px(3));
        colour = cell ? t_.read : ink;
        if (cell && contrast(t_.read, t_.cell) < 4.5f) colour = ink;
      }
      if (link) {
        colour = t_.thread;
        pen.line({x, y + size * 0.52f}, {x + w, y + size * 0.52f}, t_.thread, t_.px(1));
      }
      pen.text({x, y}, words, em_size, colour, f);
      if (link) {
        Hit hit;
        hit.what = Hit::button;
        hit.box = box;
        hit.name = fmt::format("link {} {}", links_++, s.link);
        if (o_.tip) hit.tip = o_.tip(s.link);
        pen.hit(std::move(hit));
      } else if (cell) {
        Hit hit;
        hit.what = Hit::cell;
        hit.box = box;
        hit.a = cell->array;
        hit.b = cell->index;
        hit.name = fmt::format("cell {} {}", links_++, words);
        pen.hit(std::move(hit));
      }
      x += w;
      i = end;
    }
  }

  MarkdownLine& add(float height, float block_gap) {
    MarkdownLine line;
    line.above = first_ && !lines_.empty() ? block_gap : 0;
    line.height = height;
    line.picture.width = o_.width;
    line.picture.height = height;
    first_ = false;
    lines_.push_back(std::move(line));
    return lines_.back();
  }

  void words(const Spans& text, float left, float room, Colour ink, float size, bool bold) {
    for (const Run& run : wrap(atoms_of(text), room - left, size, bold)) {
      const float height = size * leading();
      draw(add(height, o_.size * 0.7f), run, left, height / 2, ink, size, bold);
    }
  }

  void item(const Block& b) {
    const bool close = last_ == Block::item;
    const float left = o_.size * (1.35f + 1.2f * float(b.level)), height = o_.size * leading();
    bool first = true;
    for (const Run& run : wrap(atoms_of(b.words), o_.width - left, o_.size, false)) {
      MarkdownLine& line = add(height, o_.size * (close ? 0.2f : 0.6f));
      if (first)
        Pen(line.picture, m_)
            .text({left - o_.size * 1.2f, height / 2}, b.mark, o_.size, t_.ink2, Font::text_bold);
      first = false;
      draw(line, run, left, height / 2, t_.ink, o_.size, false);
    }
  }

  /// What to think about first: bold, with a bar.
  void question(const Block& b) {
    const float left = o_.size * 0.8f, height = o_.size * leading();
    const auto runs = wrap(atoms_of(b.words), o_.width - left, o_.size, true);
    for (const Run& run : runs) {
      MarkdownLine& line = add(height, o_.size * 0.7f);
      Pen(line.picture, m_).rect({0, 0, t_.px(3), height}, t_.thread);
      draw(line, run, left, height / 2, t_.ink, o_.size, true);
    }
  }

  void code(const Block& b) {
    float size = o_.size * 0.9f;
    if (t_.projector()) size = std::max(size, t_.px(22));
    const float height = size * 1.45f, pad = o_.size * 0.5f;
    size_t at = 0;
    while (at <= b.text.size()) {
      const size_t end = std::min(b.text.find('\n', at), b.text.size());
      MarkdownLine& line = add(height, o_.size * 0.6f);
      Pen pen(line.picture, m_);
      pen.rect({0, 0, o_.width, height}, t_.cell);
      const std::string words = pen.fitted(b.text.substr(at, end - at), o_.width - 2 * pad, size, Font::mono);
      pen.text({pad, height / 2}, words, size, t_.ink, Font::mono);
      at = end + 1;
    }
  }

  /// Columns as wide as their words, or in proportion where that is too wide.
  void table(const Block& b) {
    size_t columns = 0;
    for (const auto& row : b.rows) columns = std::max(columns, row.size());
    if (columns == 0) return;
    const float gap = o_.size * 0.75f;
    float size = o_.size * 0.94f;
    if (t_.projector()) size = std::max(size, t_.px(22));
    // as wide as the words, or where that is too wide, at least as what cannot be broken
    std::vector<float> wide(columns, 0), least(columns, 0);
    for (size_t r = 0; r < b.rows.size(); ++r)
      for (size_t c = 0; c < b.rows[r].size(); ++c) {
        float w = 0, together = 0;
        for (const Atom& a : atoms_of(b.rows[r][c])) {
          const float one = width(a, size, r == 0);
          w += one + (a.space ? space(a, size) : 0);
          together = a.breaks ? one : together + one;
          least[c] = std::max(least[c], together + 1);
        }
        wide[c] = std::max(wide[c], w + 1);
      }
    float all = 0, all_least = 0;
    for (size_t c = 0; c < columns; ++c) all += wide[c], all_least += least[c];
    const float room = o_.width - gap * float(columns - 1);
    if (all > room && all_least < room)
      for (size_t c = 0; c < columns; ++c)
        wide[c] = least[c] + (wide[c] - least[c]) * (room - all_least) / (all - all_least);
    else if (all > room)
      for (float& w : wide) w *= room / all;
    for (size_t r = 0; r < b.rows.size(); ++r) {
      std::vector<std::vector<Run>> cells;
      size_t most = 1;
      for (size_t c = 0; c < b.rows[r].size(); ++c) {
        cells.push_back(wrap(atoms_of(b.rows[r][c]), wide[c], size, r == 0));
        most = std::max(most, cells.back().size());
      }
      const float one = size * 1.4f, pad = size * 0.2f, height = one * float(most) + 2 * pad;
      MarkdownLine& line = add(height, o_.size * 0.6f);
      Pen(line.picture, m_).line({0, height}, {o_.width, height}, r == 0 ? t_.ink3 : t_.line, 1);
      float x = 0;
      for (size_t c = 0; c < cells.size(); ++c) {
        for (size_t k = 0; k < cells[c].size(); ++k)
          draw(line, cells[c][k], x, pad + one * (float(k) + 0.5f), r == 0 ? t_.ink2 : t_.ink, size, r == 0);
        x += wide[c] + gap;
      }
    }
  }

  void rule() {
    MarkdownLine& line = add(t_.px(1), o_.size * 0.8f);
    Pen(line.picture, m_).line({0, 0.5f}, {o_.width, 0.5f}, t_.line, t_.px(1));
  }

  const MarkdownOptions& o_;
  const Theme& t_;
  const Metrics& m_;
  std::vector<MarkdownLine> lines_;
  bool first_ = true;
  Block::Kind last_ = Block::paragraph;
  int links_ = 0;
};

}  // namespace

std::vector<MarkdownLine> markdown(const std::vector<Block>& blocks, const MarkdownOptions& o, const Theme& t,
                                   const Metrics& m) {
  return Setter(o, t, m).set(blocks);
}

int draw_lines(Pen& pen, Picture& picture, Box box, const std::vector<MarkdownLine>& lines, int first) {
  float y = box.y;
  int k = std::max(0, first);
  for (; k < int(lines.size()); ++k) {
    const MarkdownLine& l = lines[size_t(k)];
    if (k > first) y += l.above;
    if (y + l.height > box.bottom() + 0.5f) break;
    for (Shape s : l.picture.shapes) {
      s.box.x += box.x;
      s.box.y += y;
      for (Point& p : s.points) p.x += box.x, p.y += y;
      picture.shapes.push_back(std::move(s));
    }
    for (Hit h : l.picture.hits) {
      h.box.x += box.x;
      h.box.y += y;
      pen.hit(std::move(h));
    }
    y += l.height;
  }
  return k;
}

float height_of(const std::vector<MarkdownLine>& lines) {
  float h = 0;
  for (size_t k = 0; k < lines.size(); ++k) h += lines[k].height + (k ? lines[k].above : 0);
  return h;
}

std::vector<std::string> broken(const std::string& words, float room, float size, Font f, const Metrics& m,
                                size_t most) {
  std::vector<std::string> out(1);
  const std::vector<Atom> atoms = atoms_of({{.words = words}});
  for (size_t i = 0; i < atoms.size();) {
    std::string group = atoms[i].words;
    size_t end = i + 1;
    for (; end < atoms.size() && !atoms[end].breaks; ++end)
      group += (atoms[end].space ? " " : "") + atoms[end].words;
    const std::string more = (out.back().empty() || !atoms[i].space ? "" : " ") + group;
    if (!out.back().empty() && m.width(f, size, out.back() + more) > room) {
      if (out.size() == most) {
        Picture unused;
        for (size_t k = i; k < atoms.size(); ++k) out.back() += (atoms[k].space ? " " : "") + atoms[k].words;
        out.back() = Pen(unused, m).fitted(out.back(), room, size, f);
        return out;
      }
      out.push_back(group);
    } else {
      out.back() += more;
    }
    i = end;
  }
  Picture unused;
  out.back() = Pen(unused, m).fitted(out.back(), room, size, f);
  return out;
}

}  // namespace bscope
