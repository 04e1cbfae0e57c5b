#include "app/lessons/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "app/draw/text.hpp"
#include "app/draw/theme.hpp"
#include "app/lessons/document.hpp"

namespace bscope {
namespace {

class Setter {
 public:
  Setter(const MarkdownOptions& o, const Theme& t, const Metrics& m) : o_(o), t_(t), m_(m) {}

  std::vector<MarkdownLine> set(const std::vector<TextBlock>& blocks) {
    const float em = o_.size;
    std::vector<std::pair<size_t, TextBlock::BlockType>> begins;  // the first line of each block
    for (const TextBlock& b : blocks) {
      first_ = true;
      const size_t before = lines_.size();
      switch (b.kind) {
        case TextBlock::paragraph: words(b.words, em, false); break;
        case TextBlock::heading: words(b.words, em * 1.1f, true); break;
        case TextBlock::item: item(b, last_ == TextBlock::item); break;
        case TextBlock::question: question(b); break;
        case TextBlock::code: code(b); break;
        case TextBlock::table: table(b); break;
        case TextBlock::rule: rule(); break;
      }
      last_ = b.kind;
      if ((b.kind == TextBlock::question || b.kind == TextBlock::table) && lines_.size() > before)
        lines_[before].together = int(lines_.size() - before);
      if (lines_.size() > before)
        begins.emplace_back(before, b.kind), lines_[before].block = int(&b - blocks.data());
    }
    // a heading or a rule stands with what it leads to; from the last one on, for one may lead to another
    for (size_t k = begins.size(); k-- > 1;) {
      const auto [from, kind] = begins[k - 1];
      const size_t next = begins[k].first;
      if (kind == TextBlock::heading || kind == TextBlock::rule)
        lines_[from].together = int(next - from) + std::max(1, lines_[next].together);
    }
    return std::move(lines_);
  }

 private:
  /// From line to line, in ems; closer on the projector, where every line of a strip is taken from the tab.
  float leading() const { return t_.projector() ? 1.38f : 1.5f; }
  /// A smaller size; on the projector never below what can be read there.
  float smaller(float size, float by) const {
    return t_.projector() ? std::max(size * by, std::min(size, t_.px(22))) : size * by;
  }

  Text styled(const Spans& spans, Colour ink, float size, bool all_bold) const {
    Text all;
    const TextSpan* before = nullptr;
    for (const TextSpan& s : spans) {
      if (before && before->like(s)) {
        all.back().words += s.words;
        continue;
      }
      before = &s;
      const bool bold = all_bold || s.bold;
      Words w{.words = s.words, .colour = ink, .font = bold ? Font::text_bold : Font::text};
      if (s.code) {
        w.font = bold ? Font::mono_bold : Font::mono;
        w.scale = smaller(size, 0.94f) / size;  // this family looks larger
      }
      if (!s.link.empty()) {
        w.colour = w.underline = t_.thread;
        if (!s.code) w.font = Font::text_bold;
        w.hit = {.what = HitRegion::button,
                 .box = {},
                 .tip = o_.tip ? o_.tip(s.link) : "",
                 .name = "link {} " + s.link};
      } else if (s.code) {
        w.backing = t_.cell;
        if (const auto cell = o_.cell ? o_.cell(s.words) : std::nullopt) {
          if (contrast(t_.read, t_.cell) >= 4.5f) w.colour = t_.read;
          w.hit = {.what = HitRegion::cell,
                   .box = {},
                   .a = cell->array,
                   .b = cell->index,
                   .tip = {},
                   .name = "cell {} " + s.words};
        }
      }
      all.push_back(std::move(w));
    }
    return all;
  }
  LaidText laid(const Spans& spans, float width, float size, bool bold, Colour ink, float leading) {
    LaidText text = lay_out(m_, styled(spans, ink, size, bold), width,
                            {.size = size, .leading = leading, .long_words = TextLook::broken});
    for (LaidText::GlyphRun& p : text.pieces)  // a link over two lines is two regions
      if (std::string& name = p.what.hit.name; !name.empty())
        name.replace(name.find("{}"), 2, std::to_string(links_++));
    return text;
  }

  MarkdownLine& add(float height, float above) {
    MarkdownLine line{.above = first_ && !lines_.empty() ? above : 0, .height = height, .picture = {}};
    line.picture.width = o_.width;
    line.picture.height = height;
    first_ = false;
    lines_.push_back(std::move(line));
    return lines_.back();
  }

  /// Each line of the words by itself. `beside` draws what stands at its left.
  void words(const Spans& spans, float size, bool bold, float left = 0, float above = 0.7f,
             const std::function<void(Pen&, float height)>& beside = {}) {
    const LaidText text = laid(spans, o_.width - left, size, bold, t_.ink, leading());
    for (int k = 0; k < int(text.lines.size()); ++k) {
      MarkdownLine& line = add(text.lines[size_t(k)].h, o_.size * above);
      Pen pen(line.picture, m_);
      if (beside) beside(pen, line.height);
      LaidText one;
      std::ranges::copy_if(text.pieces, std::back_inserter(one.pieces),
                           [&](const LaidText::GlyphRun& p) { return p.line == k; });
      draw(pen, one, {left, -text.lines[size_t(k)].y});
    }
  }

  void item(const TextBlock& b, bool close) {
    const float left = o_.size * (1.35f + 1.2f * float(b.level));
    std::string mark = b.mark;
    words(b.words, o_.size, false, left, close ? 0.2f : 0.6f, [&](Pen& pen, float height) {
      pen.text({left - o_.size * 1.2f, height / 2}, std::exchange(mark, {}), o_.size, t_.ink2,
               Font::text_bold);
    });
  }

  /// What to think about first: bold, with a bar.
  void question(const TextBlock& b) {
    words(b.words, o_.size, true, o_.size * 0.8f, 0.7f, [&](Pen& pen, float height) {
      pen.rect({0, 0, t_.px(3), height}, t_.thread);
    });
  }

  void code(const TextBlock& b) {
    const float size = smaller(o_.size, 0.9f), height = size * 1.45f, pad = o_.size * 0.5f;
    for (size_t at = 0, end; at <= b.text.size(); at = end + 1) {
      end = std::min(b.text.find('\n', at), b.text.size());
      Pen pen(add(height, o_.size * 0.6f).picture, m_);
      pen.rect({0, 0, o_.width, height}, t_.cell);
      const std::string line = pen.fitted(b.text.substr(at, end - at), o_.width - 2 * pad, size, Font::mono);
      pen.text({pad, height / 2}, line, size, t_.ink, Font::mono);
    }
  }

  /// Columns as wide as their words; where that is too wide, at least as what cannot be broken, or all
  /// narrower.
  std::vector<float> columns_of(const TextBlock& b, float size, float room) const {
    std::vector<float> wide, least;
    for (size_t r = 0; r < b.rows.size(); ++r) {
      const size_t n = std::max(wide.size(), b.rows[r].size());
      wide.resize(n), least.resize(n);
      for (size_t c = 0; c < b.rows[r].size(); ++c) {
        const Text text = styled(b.rows[r][c], t_.ink, size, r == 0);
        wide[c] = std::max(wide[c], width_of(m_, text, size) + 1);
        least[c] =
            std::max(least[c], lay_out(m_, text, 0, {.size = size, .long_words = TextLook::whole}).width + 1);
      }
    }
    float all = 0, all_least = 0;
    for (size_t c = 0; c < wide.size(); ++c) all += wide[c], all_least += least[c];
    for (size_t c = 0; c < wide.size() && all > room; ++c)
      wide[c] = all_least < room ? least[c] + (wide[c] - least[c]) * (room - all_least) / (all - all_least)
                                 : wide[c] * room / all;
    return wide;
  }
  void table(const TextBlock& b) {
    const float gap = o_.size * 0.75f, size = smaller(o_.size, 0.94f), pad = size * 0.2f;
    size_t columns = 1;
    for (const auto& row : b.rows) columns = std::max(columns, row.size());
    const std::vector<float> wide = columns_of(b, size, o_.width - gap * float(columns - 1));
    for (size_t r = 0; r < b.rows.size(); ++r) {
      std::vector<LaidText> cells;
      float high = size * 1.4f;
      for (size_t c = 0; c < b.rows[r].size(); ++c) {
        cells.push_back(laid(b.rows[r][c], wide[c], size, r == 0, r == 0 ? t_.ink2 : t_.ink, 1.4f));
        high = std::max(high, cells.back().height);
      }
      MarkdownLine& line = add(high + 2 * pad, o_.size * 0.6f);
      Pen pen(line.picture, m_);
      pen.line({0, line.height}, {o_.width, line.height}, r == 0 ? t_.ink3 : t_.line, 1);
      float x = 0;
      for (size_t c = 0; c < cells.size(); ++c) {
        draw(pen, cells[c], {x, pad});
        x += wide[c] + gap;
      }
    }
  }

  void rule() {
    Pen(add(t_.px(1), o_.size * 0.8f).picture, m_).line({0, 0.5f}, {o_.width, 0.5f}, t_.line, t_.px(1));
  }

  const MarkdownOptions& o_;
  const Theme& t_;
  const Metrics& m_;
  std::vector<MarkdownLine> lines_;
  bool first_ = true;  ///< the next line begins a block
  TextBlock::BlockType last_ = TextBlock::paragraph;
  int links_ = 0;
};

}  // namespace

std::vector<MarkdownLine> markdown(const std::vector<TextBlock>& blocks, const MarkdownOptions& o,
                                   const Theme& t, const Metrics& m) {
  return Setter(o, t, m).set(blocks);
}

float height_together(const std::vector<MarkdownLine>& lines, int line) {
  const int end = std::min(int(lines.size()), line + std::max(1, lines[size_t(line)].together));
  float height = lines[size_t(line)].height;
  for (int k = line + 1; k < end; ++k) height += lines[size_t(k)].above + lines[size_t(k)].height;
  return height;
}

int lines_that_fit(const std::vector<MarkdownLine>& lines, int first, float height) {
  constexpr float rounding = 0.5f;
  float y = 0;
  int k = std::max(0, first);
  for (; k < int(lines.size()); ++k) {
    const MarkdownLine& l = lines[size_t(k)];
    if (k > first && l.new_box) break;
    if (k > first) y += l.above;
    if (y + l.height > height + rounding) break;
    const float whole = height_together(lines, k);
    if (y + whole > height + rounding && whole <= height) break;
    y += l.height;
  }
  return k;
}

int draw_lines(Pen& pen, Picture& picture, Box box, const std::vector<MarkdownLine>& lines, int first) {
  float y = box.y;
  int k = std::max(0, first);
  for (const int end = lines_that_fit(lines, k, box.h); k < end; ++k) {
    const MarkdownLine& l = lines[size_t(k)];
    if (k > first) y += l.above;
    for (Shape s : l.picture.shapes) {
      s.box.x += box.x;
      s.box.y += y;
      for (Point& p : s.points) p.x += box.x, p.y += y;
      picture.shapes.push_back(std::move(s));
    }
    for (HitRegion h : l.picture.hits) {
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

}  // namespace bscope
