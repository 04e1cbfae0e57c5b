#include "app/draw/cells.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "app/draw/fitting.hpp"
#include "app/draw/layout.hpp"
#include "app/draw/text.hpp"
#include "app/draw/theme.hpp"

namespace bscope {
namespace {

/// CellColumns as they lie in a box.
class Places {
 public:
  Places(const CellColumns& c, const DrawContext& p, float x, float width) {
    for (const std::string& name : c.names) names_ = std::max(names_, p.pen.width(name, p.t.label()));
    if (names_ > 0) names_ += p.t.px(14);
    float apart = 0;
    for (const float gap : c.before) apart += p.t.px(gap);
    const float room = width - names_;
    pitch_ = std::max(0.0f, std::min((room - apart) / float(std::max(1, c.count)), p.t.px(c.widest)));
    const float used = apart + pitch_ * float(c.count);
    float at = x + names_ + (c.centred ? std::max(0.0f, room - used) / 2 : 0);
    for (int k = 0; k < c.count; ++k) {
      if (size_t(k) < c.before.size()) at += p.t.px(c.before[size_t(k)]);
      left_.push_back(at);
      at += pitch_;
    }
    end_ = at;
  }
  float left(int column) const { return left_[size_t(column)]; }
  float x(float column) const {
    if (left_.empty()) return end_;
    const int k = std::clamp(int(column), 0, int(left_.size()) - 1);
    return left(k) + (column - float(k)) * pitch_;
  }
  float begin() const { return left_.empty() ? end_ : left_.front(); }
  float end() const { return end_; }
  float pitch() const { return pitch_; }
  float names() const { return names_; }

 private:
  float names_ = 0, pitch_ = 0, end_ = 0;
  std::vector<float> left_;
};

/// What is left free of a cell's place.
float air(const Theme& t, float size) {
  return size > 5 ? std::clamp(size * 0.12f, 1.0f, t.thin(5)) : size > 3 ? 1.0f : 0;
}

class CellGrid {
 public:
  CellGrid(const Cells& c, const DrawContext& p, float x, float width)
      : c_(c), pen_(p.pen), t_(p.t), at_(c.columns, p, x, width) {
    rows_ = c.columns.count ? int(c.cells.size()) / c.columns.count : 0;
    std::vector<std::string> words{"00"};  // as large in a row of few as in its neighbours
    for (const Cells::GridCell& cell : c.cells)
      if (!cell.words.empty()) words.push_back(cell.words);
    const float chip = at_.pitch() - air(t_, at_.pitch());
    size_ = fitting_size(pen_, words, chip - t_.small() * 0.32f, t_.small(), t_.px(6), Font::mono_bold);
    above_ = c.heads && size_ < t_.least() ? t_.small() * 1.3f : 0;
    below_ = std::ranges::any_of(c.groups, [](const Cells::Group& g) { return !g.words.empty(); })
                 ? t_.small() * 1.6f
                 : 0;
  }

  float height() const { return whole(std::min(t_.px(c_.tallest), c_.wide ? 1e9f : at_.pitch())); }
  /// Its cells are as high as the letters of a name, which would else lie over that of the next grid.
  float lowest() const {
    const bool named = std::ranges::any_of(
        c_.rows, [](const Cells::RowName& n) { return n.look == Cells::RowName::word && !n.words.empty(); });
    const float beside = above_ + below_, bare = whole(t_.px(c_.lowest)) - beside;
    return std::min(height(), beside + std::max(bare, named ? t_.label() * 1.2f : 0));
  }

  void draw(Box b) {
    if (rows_ == 0) return;
    const float most = std::min(t_.px(c_.tallest), c_.wide ? 1e9f : at_.pitch());
    tall_ = std::min((b.h - above_ - below_) / float(rows_), most);
    const float lead = lead_of(tall_);
    if (lead > 0) tall_ = std::min((b.h - above_ - below_ - lead) / float(rows_), most);
    if (tall_ <= 0) return;
    left_ = b.x, top_ = b.y + above_ + lead;
    for (int k = 0; k < int(c_.cells.size()); ++k) cell(k / c_.columns.count, k % c_.columns.count);
    for (size_t k = 0; k < c_.hits.size(); ++k) {
      HitRegion hit = c_.hits[k];
      hit.box = {at_.left(int(k)), top_, at_.pitch(), y(rows_) - top_};
      if (!hit.name.empty()) pen_.hit(std::move(hit));
    }
    if (above_ > 0)
      for (int k = 0; k < c_.columns.count; k += 4)
        pen_.text({at_.x(float(k) + 0.5f), b.y + t_.small() * 0.55f}, std::to_string(k), t_.small(), t_.ink2,
                  Font::mono, Align::centre);
    for (int k = c_.divided; k > 0 && k < c_.columns.count; k += c_.divided)
      pen_.line({at_.left(k), top_ - t_.px(3)}, {at_.left(k), y(rows_) + t_.px(3)}, t_.barrier,
                t_.thin(1.5f));
    if (c_.rule > 0)
      pen_.line({left_, y(c_.rule)}, {at_.end(), y(c_.rule)}, t_.barrier, t_.thin(1.5f), t_.px(6));
    names();
    for (const Cells::Note& n : c_.notes) note(n);
    groups(b.right());
  }

 private:
  float y(int row) const { return top_ + float(row) * tall_; }
  Box place(int row, int column) const { return {at_.left(column), y(row), at_.pitch(), tall_}; }
  /// The name of the row above the rule stands above the rule, whatever the rows' height.
  float lead_of(float tall) const {
    return c_.rule > 0 ? std::max(0.0f, t_.small() * 1.5f - float(c_.rule) * tall) : 0;
  }
  float whole(float tall) const { return above_ + below_ + lead_of(tall) + float(rows_) * tall; }

  void cell(int row, int column) {
    const Cells::GridCell& c = c_.cells[size_t(row * c_.columns.count + column)];
    const Box whole = place(row, column);
    const float across = air(t_, whole.w), down = rows_ > 1 ? air(t_, whole.h) : 0;
    const Box b{whole.x + across / 2, whole.y + down / 2, whole.w - across, whole.h - down};
    const float round = std::min(b.w, b.h) > 6 ? t_.px(b.h > t_.px(16) ? 3 : 2) : 0;
    for (size_t k = 0; k < c.parts.size(); ++k)
      pen_.rect({b.x + float(k) * b.w / float(c.parts.size()), b.y, b.w / float(c.parts.size()), b.h},
                c.parts[k]);
    if (c.fill || c.edge) pen_.rect(b, c.fill, c.edge, c.marked ? t_.thin(2) : 1, round);
    if (c.hatch) pen_.hatch(b, c.hatch, t_.px(rows_ > 1 ? 5 : 6));
    if (!c.hit.name.empty()) {
      HitRegion hit = c.hit;
      hit.box = whole;
      pen_.hit(std::move(hit));
    }
    if (c.words.empty()) return;
    const float size = std::min(size_, b.h * 0.9f);
    if (size >= t_.least())
      pen_.text(b.centre(), c.words, size, c.ink ? c.ink : t_.on(c.fill), Font::mono_bold, Align::centre);
    else if (c.mark) {
      const float foot = std::max(1.0f, b.h * 0.25f);
      pen_.rect({b.x, b.bottom() - foot, b.w, foot}, c.mark);
    }
  }

  void names() {
    std::vector<float> taken;
    const float room = at_.names() - t_.px(4);
    for (const Cells::RowName& n : c_.rows) {
      const bool word = n.look == Cells::RowName::word;
      const float size = word ? t_.label() : t_.small();
      const Font font = word ? Font::text : n.look == Cells::RowName::number ? Font::mono : Font::text_bold;
      // where rows are lower than letters, what is above the rule stays above it
      float middle = y(n.row) + tall_ / 2;
      if (c_.rule > 0 && n.row < c_.rule) middle = std::min(middle, y(c_.rule) - size * 0.75f);
      // and what stands beneath the grid is not touched
      if (rows_ > 1) middle = std::min(middle, y(rows_) - size * 0.5f);
      if (std::ranges::any_of(taken, [&](float at) { return std::abs(at - middle) < size * 1.4f; })) continue;
      taken.push_back(middle);
      const bool number = n.look == Cells::RowName::number;
      pen_.text({number ? left_ + at_.names() - t_.px(10) : left_, middle},
                spelled(pen_, n.words, room, size, font), size,
                n.look == Cells::RowName::main ? t_.ink : t_.ink2, font, number ? Align::right : Align::left);
    }
  }

  void note(const Cells::Note& n) {
    const float small = t_.small(), w = pen_.width(n.words, small, Font::text_bold) + t_.px(6);
    const Box cell = place(n.row, n.column);
    const bool right = cell.right() + t_.close() + w < at_.end();
    const Box b{right ? cell.right() + t_.px(3) : cell.x - t_.px(3) - w, cell.centre().y - small * 0.6f, w,
                small * 1.2f};
    if (b.x < at_.begin() || b.bottom() > y(rows_) + small || (c_.rule && b.y < y(c_.rule))) return;
    for (const Box& o : noted_)
      if (b.y < o.bottom() + small && b.bottom() > o.y - small) return;
    for (int k = 0; k < int(c_.cells.size()); ++k) {
      const Box o = place(k / c_.columns.count, k % c_.columns.count);
      if (c_.cells[size_t(k)].fill && o.x < b.right() && o.right() > b.x && o.y < b.bottom() &&
          o.bottom() > b.y)
        return;
    }
    noted_.push_back(b);
    pen_.rect(b, t_.panel);
    pen_.text(b.centre(), n.words, small, n.colour, Font::text_bold, Align::centre);
  }

  void groups(float right) {
    float taken = -1e9f;
    for (const Cells::Group& g : c_.groups) {
      const float from = at_.left(g.from), to = at_.left(g.to - 1) + at_.pitch();
      if (c_.lined) pen_.rect({from, top_ - t_.px(2), to - from, 1}, t_.ink3);
      const float half = pen_.width(g.words, t_.small(), Font::mono) / 2;
      const float x = std::max(at_.begin() + half, (from + to) / 2);
      if (g.words.empty() || x - half < taken + std::max(t_.px(8), t_.small() * 0.5f) || x + half > right)
        continue;
      pen_.text({x, y(rows_) + below_ / 2}, g.words, t_.small(), t_.ink2, Font::mono, Align::centre);
      taken = x + half;
    }
  }

  const Cells& c_;
  Pen& pen_;
  const Theme& t_;
  Places at_;
  int rows_ = 0;
  float size_ = 0, above_ = 0, below_ = 0;
  float left_ = 0, top_ = 0, tall_ = 0;
  std::vector<Box> noted_;
};

}  // namespace

LayoutNode cells(Cells given) {
  const auto c = std::make_shared<const Cells>(std::move(given));
  LayoutNode form;
  form.fills = true;
  form.height = [c](const DrawContext& p, float w) { return CellGrid(*c, p, 0, w).height(); };
  form.low = [c](const DrawContext& p, float w) { return CellGrid(*c, p, 0, w).lowest(); };
  form.drawn = [c](const DrawContext& p, Box b) { CellGrid(*c, p, b.x, b.w).draw(b); };
  return form;
}

LayoutNode strip(std::vector<Colour> colours, Colour edge) {
  LayoutNode form;
  form.fills = true;
  form.drawn = [colours = std::move(colours), edge](const DrawContext& p, Box b) {
    p.pen.strip(b, colours);
    if (edge) p.pen.rect(b, 0, edge, p.t.thin());
  };
  return form;
}

LayoutNode links(std::vector<Link> all, CellColumns above, CellColumns below, float least) {
  LayoutNode form;
  form.fills = true;
  form.height = [least](const DrawContext& p, float) { return p.t.px(least); };
  form.drawn = [all = std::move(all), above = std::move(above), below = std::move(below)](
                   const DrawContext& p, Box b) {
    const Places from(above, p, b.x, b.w), to(below, p, b.x, b.w);
    const float bend = b.h * 0.55f;
    for (const Link& l : all) {
      const Point top{from.x(l.from), b.y}, foot{to.x(l.to), b.bottom()};
      p.pen.curve(top, {top.x, top.y + bend}, {foot.x, foot.y - bend}, foot, l.colour, p.t.thin(l.thickness));
    }
  };
  return form;
}

}  // namespace bscope
