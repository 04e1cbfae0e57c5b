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

// --- inline: words with styles -----------------------------------------------------------------------

struct Style {
  bool bold = false, code = false;
  std::string link;
  bool operator==(const Style&) const = default;
};
struct Atom {
  std::string words;
  Style style;
  bool space = false;   ///< before it
  bool breaks = false;  ///< a line may begin with it
};

class Inline {
 public:
  explicit Inline(const std::string& text) : s_(text) {}

  std::vector<Atom> atoms() {
    while (at_ < s_.size()) {
      if (s_[at_] == '\\' && at_ + 1 < s_.size() && std::ispunct(static_cast<unsigned char>(s_[at_ + 1]))) {
        put(s_.substr(at_ + 1, 1));
        at_ += 2;
      } else if (s_[at_] == '`') {
        code();
      } else if (s_.compare(at_, 2, "**") == 0) {
        style_.bold = !style_.bold;
        at_ += 2;
      } else if (s_[at_] == '*' && emphasis()) {
        style_.bold = !style_.bold;
        at_ += 1;
      } else if (s_[at_] == '[' && link()) {
      } else {
        const size_t end = letter_at(s_, at_).end;
        put(s_.substr(at_, end - at_));
        at_ = end;
      }
    }
    return std::move(out_);
  }

 private:
  /// A star that stands beside a word, not between spaces as a product's does.
  bool emphasis() const {
    const bool left = at_ == 0 || s_[at_ - 1] == ' ', right = at_ + 1 >= s_.size() || s_[at_ + 1] == ' ';
    if (left && right) return false;
    return style_.bold || s_.find('*', at_ + 1) != std::string::npos;
  }

  void code() {
    const size_t end = s_.find('`', at_ + 1);
    if (end == std::string::npos) {
      put("`");
      ++at_;
      return;
    }
    const Style before = style_;
    style_.code = true;
    const std::string inside = s_.substr(at_ + 1, end - at_ - 1);
    for (size_t k = 0; k < inside.size();) {
      const size_t next = letter_at(inside, k).end;
      put(inside.substr(k, next - k));
      k = next;
    }
    style_ = before;
    at_ = end + 1;
  }

  bool link() {
    const size_t close = s_.find("](", at_), end = close == std::string::npos ? close : s_.find(')', close);
    if (end == std::string::npos || s_.find('[', at_ + 1) < close) return false;
    const std::string words = s_.substr(at_ + 1, close - at_ - 1);
    style_.link = s_.substr(close + 2, end - close - 2);
    Inline inside(words);
    for (Atom& a : inside.atoms()) {
      a.style.link = style_.link;
      a.style.bold |= style_.bold;
      join(std::move(a));
    }
    style_.link.clear();
    at_ = end + 1;
    return true;
  }

  /// An atom of a link takes its place behind what was there.
  void join(Atom a) {
    const bool space = space_ || a.space;
    a.breaks = space || (!out_.empty() && breaks_between(out_.back().words, a.words));
    a.space = space && !out_.empty();
    space_ = false;
    out_.push_back(std::move(a));
  }

  void put(const std::string& c) {
    if (c == " " || c == "\t") {
      space_ = true;
      return;
    }
    const bool breaks = space_ || (!out_.empty() && breaks_between(out_.back().words, c));
    if (out_.empty() || breaks || space_ || out_.back().style != style_)
      out_.push_back({c, style_, space_ && !out_.empty(), breaks});
    else
      out_.back().words += c;
    space_ = false;
  }

  const std::string& s_;
  size_t at_ = 0;
  Style style_;
  bool space_ = false;
  std::vector<Atom> out_;
};

// --- blocks ------------------------------------------------------------------------------------------

struct Block {
  enum Kind { paragraph, heading, item, question, code, table, rule } kind = paragraph;
  std::string text = {};
  std::string mark = {};                            ///< of an item: "•" or "2."
  int level = 0;                                    ///< of an item: 0 outermost
  std::vector<std::vector<std::string>> rows = {};  ///< of a table, its head first
  int line = 0;
};

std::string trimmed(std::string s) {
  while (!s.empty() && (s.back() == ' ' || s.back() == '\r')) s.pop_back();
  while (s.starts_with(' ')) s.erase(0, 1);
  return s;
}

/// Lines of one paragraph joined; between Chinese characters without a space.
void append(std::string& text, const std::string& line) {
  if (text.empty()) {
    text = line;
    return;
  }
  const bool chinese = is_wide(last_letter(text)) && is_wide(first_letter(line));
  text += (chinese ? "" : " ") + line;
}

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> out;
  size_t at = row.starts_with('|') ? 1 : 0;
  while (at < row.size()) {
    const size_t end = std::min(row.find('|', at), row.size());
    out.push_back(trimmed(row.substr(at, end - at)));
    at = end + 1;
  }
  return out;
}

std::vector<Block> blocks_of(const std::string& text) {
  std::vector<Block> out;
  bool fenced = false, open = false;  // open: the last block goes on with the next line
  int number = -1;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string raw = text.substr(at, end - at);
    at = end + 1;
    ++number;
    const auto begin = [&](Block b) {
      b.line = number;
      out.push_back(std::move(b));
      open = true;
    };
    if (raw.starts_with("```")) {
      fenced = !fenced;
      if (fenced) begin({.kind = Block::code});
      open = false;
      continue;
    }
    if (fenced) {
      std::string& code = out.back().text;
      code += (code.empty() ? "" : "\n") + raw;
      continue;
    }
    const std::string line = trimmed(raw);
    if (line.empty()) {
      open = false;
      continue;
    }
    if (line.size() >= 3 && line.find_first_not_of('-') == std::string::npos) {
      begin({.kind = Block::rule});
      open = false;
    } else if (line.starts_with("### ")) {
      begin({.kind = Block::heading, .text = trimmed(line.substr(4))});
      open = false;
    } else if (line.starts_with("> ")) {
      if (open && out.back().kind == Block::question)
        append(out.back().text, trimmed(line.substr(2)));
      else
        begin({.kind = Block::question, .text = trimmed(line.substr(2))});
    } else if (line.starts_with('|')) {
      if (!open || out.back().kind != Block::table) begin({.kind = Block::table});
      if (line.find_first_not_of("|-: ") != std::string::npos) out.back().rows.push_back(cells_of(line));
    } else {
      const int level = int(raw.find_first_not_of(' ')) >= 2 ? 1 : 0;
      size_t digits = 0;
      while (digits < line.size() && std::isdigit(static_cast<unsigned char>(line[digits]))) ++digits;
      if (line.starts_with("- ") || line.starts_with("* "))
        begin({.kind = Block::item, .text = trimmed(line.substr(2)), .mark = "\u2022", .level = level});
      else if (digits > 0 && line.compare(digits, 2, ". ") == 0)
        begin({.kind = Block::item,
               .text = trimmed(line.substr(digits + 2)),
               .mark = line.substr(0, digits + 1),
               .level = level});
      else if (open && out.back().kind != Block::table)
        append(out.back().text, line);
      else
        begin({.text = line});
    }
  }
  return out;
}

// --- lines -------------------------------------------------------------------------------------------

class Setter {
 public:
  Setter(const MarkdownOptions& o, const Theme& t, const Metrics& m) : o_(o), t_(t), m_(m) {}

  std::vector<MarkdownLine> set(const std::string& text) {
    for (const Block& b : blocks_of(text)) {
      first_ = true;
      switch (b.kind) {
        case Block::paragraph: words(b.text, 0, o_.width, t_.ink, o_.size, false); break;
        case Block::heading: words(b.text, 0, o_.width, t_.ink, o_.size * 1.1f, true); break;
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

  Font font(const Style& s, bool bold) const {
    return s.code ? (bold || s.bold ? Font::mono_bold : Font::mono)
                  : (bold || s.bold || !s.link.empty() ? Font::text_bold : Font::text);
  }
  // the mono family looks larger at the same em; never below the projector's least
  float em(const Style& s, float size) const {
    const float smaller = size * 0.94f;
    return s.code && !(t_.projector() && smaller < t_.px(22)) ? smaller : size;
  }
  float width(const Atom& a, float size, bool bold) const {
    return m_.width(font(a.style, bold), em(a.style, size), a.words);
  }
  float space(const Atom& a, float size) const {
    Style s = a.style;
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
      while (end < run.size() && run[end].style == run[i].style) {
        words += (run[end].space ? " " : "") + run[end].words;
        ++end;
      }
      const Style& s = run[i].style;
      if (i > 0 && run[i].space) x += space(Atom{"", {}, false, false}, size);
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

  void words(const std::string& text, float left, float room, Colour ink, float size, bool bold) {
    for (const Run& run : wrap(Inline(text).atoms(), room - left, size, bold)) {
      const float height = size * leading();
      draw(add(height, o_.size * 0.7f), run, left, height / 2, ink, size, bold);
    }
  }

  void item(const Block& b) {
    const bool close = last_ == Block::item;
    const float left = o_.size * (1.35f + 1.2f * float(b.level)), height = o_.size * leading();
    bool first = true;
    for (const Run& run : wrap(Inline(b.text).atoms(), o_.width - left, o_.size, false)) {
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
    const auto runs = wrap(Inline(b.text).atoms(), o_.width - left, o_.size, true);
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
        for (const Atom& a : Inline(b.rows[r][c]).atoms()) {
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
        cells.push_back(wrap(Inline(b.rows[r][c]).atoms(), wide[c], size, r == 0));
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

std::vector<MarkdownLink> markdown_links(const std::string& text) {
  std::vector<MarkdownLink> out;
  const auto from = [&](const std::string& words, int line) {
    for (const Atom& a : Inline(words).atoms()) {
      if (a.style.link.empty()) continue;
      // a link's atoms follow each other
      if (!out.empty() && out.back().line == line && out.back().target == a.style.link) {
        out.back().words += (a.space ? " " : "") + a.words;
        continue;
      }
      out.push_back({a.words, a.style.link, line});
    }
  };
  for (const Block& b : blocks_of(text)) {
    if (b.kind == Block::code) continue;
    from(b.text, b.line);
    for (const auto& row : b.rows)
      for (const std::string& cell : row) from(cell, b.line);
  }
  return out;
}

std::vector<MarkdownLine> markdown(const std::string& text, const MarkdownOptions& o, const Theme& t,
                                   const Metrics& m) {
  return Setter(o, t, m).set(text);
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
  const std::vector<Atom> atoms = Inline(words).atoms();
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
