#include "app/parts/key_sheet.hpp"

#include <algorithm>

#include "app/draw/text.hpp"
#include "app/draw/theme.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// Keys are shown side by side, then words.
class KeySheetLayout {
 public:
  KeySheetLayout(const std::string& title, int page, const Theme& t, const Metrics& m, float w, float h)
      : t_(t), page_(page), pen_(sheet_.picture, m), size_(t.px(t.projector() ? 22 : t.size_label)) {
    sheet_.picture.width = w;
    sheet_.picture.height = h;
    margin_ = t.px(28);
    top_ = t.px(t.projector() ? 66 : 58);
    bottom_ = h - t.px(20);
    gap_ = t.px(36);
    columns_ = t.projector() ? 2 : 3;
    column_ = (w - 2 * margin_ - gap_ * float(columns_ - 1)) / float(columns_);
    title_ = title;
    y_ = top_;
  }

  float column() const { return column_; }
  const Pen& pen() const { return pen_; }
  float size() const { return size_; }

  /// Room for a piece of that height, and for `follows` more in the same column: in this one or the next.
  void place(float height, float follows = 0) {
    if (y_ + height + follows <= bottom_) return;
    y_ = top_;
    ++at_;
  }
  bool at_top() const { return y_ == top_; }
  bool visible() const { return at_ / columns_ == page_; }
  Point at() const { return {margin_ + float(at_ % columns_) * (column_ + gap_), y_}; }
  void down(float by) { y_ += by; }
  int pages() const { return at_ / columns_ + 1; }
  Pen& draw() { return pen_; }

  KeySheet done() {
    const float w = sheet_.picture.width, title = t_.px(t_.projector() ? 26 : 17);
    pen_.text({margin_, t_.px(31)}, title_, title, t_.ink, Font::text_bold);
    sheet_.pages = pages();
    sheet_.page = page_;
    const std::string how = sheet_.pages > 1
                                ? tr("page {} of {}: Left, Right   Esc closes", page_ + 1, sheet_.pages)
                                : tr("Esc closes");
    pen_.text({w - margin_, t_.px(31)}, how, size_, t_.ink2, Font::text, Align::right);
    return std::move(sheet_);
  }

 private:
  const Theme& t_;
  KeySheet sheet_;
  int page_;
  Pen pen_;
  std::string title_;
  float size_, margin_, top_, bottom_, gap_, column_, y_ = 0;
  int columns_, at_ = 0;
};

float cap_width(const Pen& pen, const Theme& t, const std::string& key, float size) {
  return std::max(pen.width(key, size, Font::text_bold) + t.px(16), size * 2);
}

/// A key as it looks: a cap with a lower edge.
void cap(Pen& pen, const Theme& t, Box b, const std::string& key, float size) {
  pen.rect(b, t.selected, t.dark() ? mix(t.ink3, t.selected, 0.45f) : t.ink3, 1, t.px(4));
  pen.line({b.x + t.px(4), b.bottom() - t.px(2.5f)}, {b.right() - t.px(4), b.bottom() - t.px(2.5f)},
           mix(t.ink3, t.selected, 0.5f), std::max(1.0f, t.px(1.5f)));
  pen.text({b.centre().x, b.centre().y - t.px(1)}, key, size, t.ink, Font::text_bold, Align::centre);
}

/// The sheet drawn for one page; `pages` says how many there are.
KeySheet keys_page(const std::vector<KeyGroup>& groups, int page, const Theme& t, const Metrics& m, float w,
                   float h) {
  KeySheetLayout s(tr("Keys"), page, t, m, w, h);
  const float size = s.size(), row = size * 2.15f, line = size * 1.35f, space = t.px(6);
  // the caps' column: as wide as the widest pair of keys, at most half of the column
  float caps = 0;
  for (const KeyGroup& g : groups)
    for (const KeyRow& r : g.rows) {
      float wide = 0;
      for (const std::string& key : r.keys) wide += cap_width(s.pen(), t, key, size) + space;
      caps = std::max(caps, wide);
    }
  caps = std::min(caps + t.px(8), s.column() * 0.52f);
  const auto lines_for = [&](const KeyRow& r) { return in_lines(s.pen(), r.title, s.column() - caps, size); };
  const auto height_for = [&](size_t lines) { return std::max(row, float(lines) * line + size * 0.5f); };
  for (const KeyGroup& g : groups) {
    // a heading stays with its first row
    const float follows = g.rows.empty() ? 0 : height_for(lines_for(g.rows[0]).size());
    s.place(row, follows);
    if (!s.at_top()) s.down(size * 0.6f);
    s.place(row, follows);
    if (s.visible()) s.draw().text({s.at().x, s.at().y + row / 2}, g.title, size, t.ink2, Font::text_bold);
    s.down(row);
    for (const KeyRow& r : g.rows) {
      const auto lines = lines_for(r);
      const float height = height_for(lines.size());
      s.place(height);
      if (s.visible()) {
        float x = s.at().x;
        for (const std::string& key : r.keys) {
          const float wide = cap_width(s.pen(), t, key, size);
          if (x + wide > s.at().x + caps && x > s.at().x) break;  // one key is enough to press
          cap(s.draw(), t, {x, s.at().y + row / 2 - size * 0.88f, wide, size * 1.76f}, key, size);
          x += wide + space;
        }
        float y = s.at().y + (lines.size() == 1 ? row / 2 : size * 0.25f + line / 2);
        for (const std::string& words : lines) {
          s.draw().text({s.at().x + caps, y}, words, size, r.keys.empty() ? t.ink2 : t.ink);
          y += line;
        }
      }
      s.down(height);
    }
  }
  return s.done();
}

KeySheet terms_page(const std::vector<Definition>& terms, int page, const Theme& t, const Metrics& m, float w,
                    float h) {
  KeySheetLayout s(tr("What the words mean"), page, t, m, w, h);
  const float size = s.size(), line = size * 1.4f;
  for (const Definition& d : terms) {
    const auto lines = in_lines(s.pen(), d.meaning, s.column(), size);
    const float height = line * float(lines.size() + 1) + size * 0.75f;
    s.place(height);
    if (s.visible()) {
      float y = s.at().y + line / 2;
      s.draw().text({s.at().x, y}, d.word, size, t.thread, Font::text_bold);
      for (const std::string& words : lines) s.draw().text({s.at().x, y += line}, words, size, t.ink);
    }
    s.down(height);
  }
  return s.done();
}

/// How many pages there are is known when all is laid out: a page beyond the last is the last.
template <class Draw>
KeySheet clamped(int page, const Draw& draw) {
  KeySheet sheet = draw(std::max(0, page));
  return page < sheet.pages ? std::move(sheet) : draw(sheet.pages - 1);
}

}  // namespace

KeySheet key_sheet(const std::vector<KeyGroup>& groups, int page, const Theme& t, const Metrics& m, float w,
                   float h) {
  return clamped(page, [&](int p) { return keys_page(groups, p, t, m, w, h); });
}

KeySheet glossary_sheet(const std::vector<Definition>& terms, int page, const Theme& t, const Metrics& m,
                        float w, float h) {
  return clamped(page, [&](int p) { return terms_page(terms, p, t, m, w, h); });
}

}  // namespace bscope
