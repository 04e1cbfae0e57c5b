#include "app/draw/charts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <utility>

#include "app/draw/chart.hpp"
#include "app/draw/fitting.hpp"
#include "app/draw/layout.hpp"
#include "app/draw/text.hpp"
#include "app/draw/theme.hpp"

namespace bscope {
namespace {

using Axis = LineChart::Axis;
using Tick = LineChart::Tick;
using DataPoint = LineChart::DataPoint;
using Series = LineChart::Series;
using Guide = LineChart::Guide;

std::string words_of(const Axis& a, double v) {
  if (a.words) return a.words(v);
  char text[32];
  std::snprintf(text, sizeof text, "%g", v);
  return text;
}

/// Round values between the ends: decades, or steps of 1, 2 or 5.
std::vector<Tick> ticks_of(const Axis& a, float length, float line) {
  if (!a.ticks.empty()) return a.ticks;
  std::vector<Tick> all;
  if (!a.log) {
    const long most = std::max(1L, std::lround(a.to)),
               step = nice_step(most, std::max(2, int(length / line)));
    for (long v = 0; double(v) <= a.to; v += step) all.push_back({double(v), words_of(a, double(v))});
    return all;
  }
  const double low = std::log10(a.from), high = std::log10(a.to);
  const bool wide = double(length) / (high - low) >= line * 1.7f;
  for (int d = int(std::floor(low)); d <= int(std::ceil(high)); ++d)
    for (const double f : {1.0, 2.0, 5.0}) {
      const double v = f * std::pow(10, d);
      if ((f == 1 || wide) && std::log10(v) > low - 1e-9 && std::log10(v) < high + 1e-9)
        all.push_back({v, words_of(a, v)});
    }
  return all;
}

/// A value's place between the ends, 0 to 1.
double share_of(const Axis& a, double v) {
  return a.log ? std::log10(v / a.from) / std::log10(a.to / a.from) : (v - a.from) / (a.to - a.from);
}

class LinePlot {
 public:
  LinePlot(const LineChart& c, const DrawContext& p) : c_(c), y_(c.y), pen_(p.pen), t_(p.t) {}

  void draw(Box b) {
    const float small = t_.small();
    // the units stand above, the ticks of x below: on two rows where they are words
    float left = 0, second = 0;
    for (const Tick& tick : c_.second) second = std::max(second, pen_.width(tick.words, small, Font::mono));
    const std::string of_second = second > 0 ? spelled(pen_, c_.second_unit, b.w * 0.16f, small) : "";
    if (second > 0) second = std::max(second, pen_.width(of_second, small)) + t_.px(14);
    const float units = c_.y.unit.empty() && of_second.empty() ? small * 0.5f : small * 1.9f;
    const float below = small * (c_.x.named ? 2.95f : 1.7f);
    plot_ = {b.x + second, b.y + units, b.w - second, b.h - units - below};
    if (plot_.h < t_.px(40)) return;
    if (y_.log && std::ranges::any_of(c_.guides, [](const Guide& g) { return g.above && !g.x0; }))
      y_.to *= std::pow(10, std::log10(y_.to / y_.from) * double(small * 2 / plot_.h));
    for (const Tick& tick : ticks_of(y_, plot_.h, small * 3))
      left = std::max(left, pen_.width(tick.words, small, Font::mono));
    left += t_.px(10);
    plot_.x += left, plot_.w -= left;
    room_for_tags();
    if (data_right_ - plot_.x < t_.px(40)) return;
    const float unit_y = b.y + units / 2;
    pen_.text({b.x + second, unit_y}, spelled(pen_, c_.y.unit, b.w * 0.5f, small), small, t_.ink2);
    pen_.text({b.x, unit_y}, of_second, small, t_.ink2);
    scale_of_y();
    scale_of_x(b.x);
    if (c_.now && *c_.now >= c_.x.from && *c_.now <= c_.x.to)
      pen_.line({x(*c_.now), plot_.y}, {x(*c_.now), plot_.bottom()}, t_.present(), t_.thin(), t_.px(2));
    for (const Guide& g : c_.guides) guide(g);
    if (second > 0) second_scale(b.x + second - t_.px(8));
    for (const Series& one : c_.curves) band(one);
    for (const bool current : {false, true})
      for (const Series& one : c_.curves)
        if (one.current == current && one.joined) curve(one);
    for (const Series& one : c_.curves)
      if (!one.joined)
        for (const DataPoint& d : one.dots)
          pen_.line(at(d), {x(d.x), plot_.bottom()}, mix(one.line, t_.panel, 0.35f), t_.thin(), t_.px(2));
    tags();
    words_of_guides();
    for (const bool current : {false, true})
      for (const Series& one : c_.curves)
        if (one.current == current) dots(one);
  }

 private:
  struct Tag {
    const Series* curve;
    Point from;
    float y = 0;
  };

  float x(double v) const { return plot_.x + float(share_of(c_.x, v)) * (data_right_ - plot_.x); }
  float y(double v) const { return plot_.bottom() - float(share_of(y_, v)) * plot_.h; }
  Point at(const DataPoint& d) const { return {x(d.x), y(d.y)}; }
  bool shows(double v) const { return y_.log ? v > 0 && v >= y_.from * 0.999999 : v >= y_.from; }

  void room_for_tags() {
    names_ = values_ = 0;
    for (const Series& one : c_.curves) {
      // in some languages bold is not the wider
      for (const Font font : {Font::text, Font::text_bold})
        names_ = std::max(names_, pen_.width(one.label, t_.label(), font) + 1);
      values_ = std::max(values_, pen_.width(one.value, t_.label(), Font::mono_bold));
    }
    names_ = std::min(names_, plot_.w * c_.tags);
    data_right_ = plot_.right() - (names_ > 0 ? names_ + values_ + t_.px(44) : t_.px(8));
  }

  void scale_of_y() {
    const float small = t_.small();
    pen_.rect(plot_, t_.paper());
    float last = 1e9f;
    for (const Tick& tick : ticks_of(y_, plot_.h, small * 3)) {
      const float at = y(tick.at);
      pen_.line({plot_.x, at}, {plot_.right(), at}, t_.line, t_.thin());
      if (last - at < small * 1.3f) continue;
      last = at;
      pen_.text({plot_.x - t_.px(7), at}, tick.words, small, t_.ink2, Font::mono, Align::right);
    }
  }

  void scale_of_x(float least) {
    const float small = t_.small(), first_row = plot_.bottom() + small * 0.95f;
    const std::vector<Tick> ticks = ticks_of(c_.x, data_right_ - plot_.x, small * 4);
    float widest = 0, pitch = 1e9f;
    for (size_t k = 0; k < ticks.size(); ++k) {
      widest = std::max(widest, pen_.width(ticks[k].words, small, Font::mono));
      if (k) pitch = std::min(pitch, x(ticks[k].at) - x(ticks[k - 1].at));
    }
    const size_t rows = c_.x.named && widest + t_.px(6) > pitch ? 2 : 1;
    // words where each has room; numbers at every so many
    const size_t every =
        c_.x.named || pitch <= 0 ? 1 : size_t(std::max(1.0f, std::ceil(widest * 1.5f / pitch)));
    std::vector<float> ends(rows, -1e9f);
    for (size_t k = 0; k < ticks.size(); k += every) {
      const float at = x(ticks[k].at), half = pen_.width(ticks[k].words, small, Font::mono) / 2;
      float& end = ends[(k / every) % rows];
      pen_.line({at, plot_.y}, {at, plot_.bottom()}, t_.line, t_.thin());
      if (at - half < std::max(end + t_.px(5), least) || at + half > plot_.right()) continue;
      pen_.text({at, first_row + float((k / every) % rows) * small * 1.25f}, ticks[k].words, small, t_.ink2,
                Font::mono, Align::centre);
      end = at + half;
    }
    const float room = plot_.right() - *std::max_element(ends.begin(), ends.end()) - t_.px(10);
    pen_.text({plot_.right(), first_row}, spelled(pen_, c_.x.unit, room, small), small, t_.ink2, Font::text,
              Align::right);
  }

  void second_scale(float right) {
    pen_.line({right, plot_.y}, {right, plot_.bottom()}, t_.line, t_.thin());
    float above = -1e9f;
    for (const Tick& tick : c_.second) {
      if (!shows(tick.at) || y(tick.at) < plot_.y || y(tick.at) - above < t_.small() * 1.6f) continue;
      above = y(tick.at);
      pen_.line({right - t_.px(4), above}, {right, above}, t_.ink2, t_.thin());
      pen_.text({right - t_.px(6), above}, tick.words, t_.small(), t_.ink2, Font::mono, Align::right);
    }
  }

  std::pair<Point, Point> ends_of(const Guide& g) const {
    return {{g.x0 ? x(*g.x0) : plot_.x, y(g.y0)},
            {g.x1 ? x(*g.x1) : data_right_ + (g.x0 ? 0 : t_.px(6)), y(g.y1)}};
  }

  void guide(const Guide& g) {
    const auto [p, q] = ends_of(g);
    pen_.line(p, q, g.colour, t_.thin(g.thickness), t_.px(g.dash));
    if (g.words.empty()) return;
    std::vector<Box> places;
    for (const float at : {g.at, 0.6f, 0.75f, 0.3f, 0.15f})
      if (const Box b = box_of_words(g, at);
          b.x >= plot_.x && b.right() <= data_right_ && b.y >= plot_.y && b.bottom() <= plot_.bottom())
        places.push_back(b);
    if (places.empty()) return;
    const auto free = std::ranges::find_if_not(places, [&](const Box& b) { return covers_a_dot(b); });
    guide_words_.push_back(free == places.end() ? places.front() : *free);
    worded_guides_.push_back(&g);
  }
  /// At this share of the line's length.
  Box box_of_words(const Guide& g, float at) const {
    const auto [p, q] = ends_of(g);
    const float small = t_.small(), w = pen_.width(g.words, small, g.font) + t_.px(8);
    const bool level = std::abs(p.y - q.y) < 1;
    const Point m{p.x + (q.x - p.x) * at, p.y + (q.y - p.y) * at};
    // of a line that goes up there is room at the left above it, and at the right below it
    const float left = level ? m.x + t_.px(4) : g.above ? m.x - w - t_.px(4) : m.x + t_.px(10);
    const float gap = small * (level ? 0.25f : g.above ? 0.25f : 0.7f);
    return {left, g.above ? m.y - gap - small * 1.25f : m.y + gap, w, small * 1.25f};
  }
  /// Of points that no curve joins: each stands for itself.
  bool covers_a_dot(const Box& b) const {
    return std::ranges::any_of(c_.curves, [&](const Series& one) {
      const float r = t_.px(one.dot + 2);
      return !one.joined && std::ranges::any_of(one.dots, [&](const DataPoint& d) {
        return overlap(b, {at(d).x - r, at(d).y - r, 2 * r, 2 * r});
      });
    });
  }

  /// Over the lines that lead to other words.
  void words_of_guides() {
    for (size_t k = 0; k < worded_guides_.size(); ++k) {
      const Guide& g = *worded_guides_[k];
      const Box& back = guide_words_[k];
      pen_.rect(back, t_.paper());
      pen_.text({back.x + t_.px(4), back.centre().y}, g.words, t_.small(), g.colour, g.font);
    }
  }

  void band(const Series& one) {
    const Colour c = with_alpha(one.line, one.current ? 0.28f : 0.11f);
    for (size_t k = 0; k + 1 < one.dots.size(); ++k) {
      const DataPoint &p = one.dots[k], &q = one.dots[k + 1];
      if (p.high <= p.low || q.high <= q.low || !shows(p.low) || !shows(q.low) || !std::isfinite(p.high) ||
          !std::isfinite(q.high))
        continue;
      const auto top = [&](double v) { return std::max(plot_.y, y(v)); };
      pen_.polygon({{x(p.x), top(p.high)}, {x(q.x), top(q.high)}, {x(q.x), top(q.low)}, {x(p.x), top(p.low)}},
                   c);
    }
  }

  /// Cut where it leaves the plot below.
  void curve(const Series& one) {
    const float bottom = plot_.bottom();
    std::vector<Point> line;
    for (const DataPoint& d : one.dots)
      if (!y_.log || d.y > 0) line.push_back(at(d));
    const auto cut = [&](Point in, Point out) {
      return Point{in.x + (out.x - in.x) * (bottom - in.y) / (out.y - in.y), bottom};
    };
    for (size_t k = 0; k + 1 < line.size(); ++k) {
      Point p = line[k], q = line[k + 1];
      if (p.y > bottom && q.y > bottom) continue;
      if (p.y > bottom) p = cut(q, p);
      if (q.y > bottom) q = cut(p, q);
      pen_.line(p, q, one.line, t_.thin(one.thickness), t_.px(one.dash));
    }
  }

  void dots(const Series& one) {
    const float reach = t_.px(std::max(7.0f, one.dot));
    for (const DataPoint& d : one.dots) {
      if (!shows(d.y)) continue;
      const Point p = at(d);
      if (one.dot > 0) pen_.disc(p, t_.px(one.dot), one.fill, one.edge, t_.thin());
      if (!d.name.empty())
        pen_.hit({.what = HitRegion::other,
                  .box = {p.x - reach, p.y - reach, 2 * reach, 2 * reach},
                  .tip = d.tip,
                  .name = d.name});
    }
  }

  /// So that none lies on another, in the order of what they say, as near to the curves' ends as that allows.
  /// Returns those that have no room.
  std::vector<Tag> spread(std::vector<Tag>& all, float top, float bottom, float pitch) {
    std::vector<Tag> dropped;
    std::ranges::stable_sort(all, {}, [](const Tag& t) { return t.from.y; });
    std::ranges::stable_sort(all, std::greater{}, [](const Tag& t) { return t.curve->here; });
    while (all.size() > 1 && float(all.size()) * pitch > bottom - top) {
      const auto drop = std::find_if(all.rbegin(), all.rend(), [](const Tag& t) { return !t.curve->keep; });
      if (drop == all.rend()) break;
      dropped.push_back(*drop);
      all.erase(std::next(drop).base());
    }
    std::vector<float> ends;
    for (const Tag& t : all) ends.push_back(t.from.y);
    std::ranges::sort(ends);
    float y = top;
    for (size_t k = 0; k < all.size(); ++k)
      all[k].y = std::max(ends[k], y + pitch / 2), y = all[k].y + pitch / 2;
    y = bottom;
    for (auto t = all.rbegin(); t != all.rend(); ++t) {
      t->y = std::min(t->y, y - pitch / 2);
      y = t->y - pitch / 2;
    }
    return dropped;
  }

  /// Names beside single dots, of those without a tag.
  void name_beside(const std::vector<Tag>& unnamed, const std::vector<Tag>& tags, float tags_left) {
    const float size = t_.small(), away = t_.px(12);
    std::vector<Box> taken = guide_words_;
    for (const Series& one : c_.curves)
      for (const DataPoint& d : one.dots) {
        const Point p = at(d);
        const float r = t_.px(one.dot) + t_.px(2);
        taken.push_back({p.x - r, p.y - r, 2 * r, 2 * r});
      }
    const auto holds = [&](const Box& b) {
      const auto is_crossed = [&](const Guide& g) { return crosses(b, ends_of(g).first, ends_of(g).second); };
      return b.x >= plot_.x && b.right() <= tags_left && b.y >= plot_.y && b.bottom() <= plot_.bottom() &&
             std::ranges::none_of(taken, [&](const Box& o) { return overlap(b, o); }) &&
             std::ranges::none_of(c_.guides, is_crossed);
    };
    const auto is_on_line = [&](const Box& b) {
      return std::ranges::any_of(tags, [&](const Tag& tag) {
        return crosses(b, tag.from, {tags_left, tag.y});
      });
    };
    struct Way {
      bool whole, right,
          over;  ///< with what it says; at the right of the dot; on lines to tags, which is last
    };
    for (const Tag& tag : unnamed) {
      if (tag.curve->joined) continue;
      for (const Way& way : {Way{true, true, false}, Way{true, false, false}, Way{false, true, false},
                             Way{false, false, false}, Way{true, true, true}, Way{false, true, true}}) {
        const std::string words = tag.curve->label + (way.whole ? "  " + tag.curve->value : "");
        const float w = pen_.width(words, size) + t_.px(4);
        const Box b{tag.from.x + (way.right ? away : -away - w), tag.from.y - size / 2, w, size};
        if (!holds(b) || (!way.over && is_on_line(b))) continue;
        pen_.rect(b, t_.paper());
        pen_.text({b.x + t_.px(2), b.centre().y}, words, size, tag.curve->words);
        taken.push_back(b);
        break;
      }
    }
  }
  static bool crosses(const Box& b, Point from, Point to) {
    constexpr int looks = 64;
    for (int k = 0; k <= looks; ++k) {
      const float part = float(k) / looks;
      const Point p{from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part};
      if (p.x >= b.x && p.x <= b.right() && p.y >= b.y && p.y <= b.bottom()) return true;
    }
    return false;
  }

  void tags() {
    std::vector<Tag> all;
    for (const Series& one : c_.curves) {
      if (one.label.empty() || one.dots.empty()) continue;
      const DataPoint& end = one.dots.back();
      const float down = y_.log && end.y <= 0 ? plot_.bottom() : std::min(y(end.y), plot_.bottom());
      all.push_back({&one, {x(end.x), down}});
    }
    const float right = plot_.right() - t_.px(8), head = c_.of.empty() ? 0 : t_.small() * 1.4f;
    const float top = plot_.y + t_.px(4), bottom = plot_.bottom() - t_.px(2);
    // smaller words for all come before a curve without a name
    const float each = (bottom - top - head) / float(std::max<size_t>(1, all.size()));
    const float label = std::clamp(each / 1.15f, std::min(t_.small(), t_.label()), t_.label());
    const float pitch = label * (label < t_.label() ? 1.15f : 1.28f);
    const std::vector<Tag> unnamed = spread(all, top + head, bottom, pitch);
    if (head > 0) pen_.text({right, top + head / 2}, c_.of, t_.small(), t_.ink2, Font::text, Align::right);
    const float left = right - values_ - t_.px(10) - names_;
    for (const Tag& tag : all) {
      const Series& one = *tag.curve;
      pen_.line(tag.from, {left - t_.px(5), tag.y}, mix(one.line, t_.panel, 0.55f), t_.thin());
      name_in(pen_, {left, tag.y - pitch / 2, names_, pitch}, one.label, label, t_.squeezed(), one.words,
              one.current ? Font::text_bold : Font::text);
      pen_.text({right, tag.y}, one.value, label, t_.ink, Font::mono_bold, Align::right);
      if (!one.name.empty())
        press(pen_, t_,
              {.what = HitRegion::button,
               .box = {left, tag.y - pitch / 2, right - left, pitch},
               .tip = one.tip,
               .name = one.name,
               .press = one.does});
    }
    name_beside(unnamed, all, left - t_.px(5));
  }

  const LineChart& c_;
  Axis y_;
  Pen& pen_;
  const Theme& t_;
  Box plot_;
  float data_right_ = 0, names_ = 0, values_ = 0;
  std::vector<Box> guide_words_;             ///< where words of guides stand
  std::vector<const Guide*> worded_guides_;  ///< whose they are
};

class Bars {
 public:
  Bars(const BarChart& c, const DrawContext& p) : c_(c), pen_(p.pen), t_(p.t) {
    for (const BarChart::Bar& b : c.bars) most_ = std::max(most_, top_of(b));
  }

  void draw(Box b) {
    const float small = t_.small();
    const Axis axis{.to = most_, .words = c_.words};
    const float left = pen_.width(words_of(axis, most_), small, Font::mono) + t_.px(10);
    // a low chart has no words below its bars and no numbers above them
    const bool is_low = b.h - small * 3.1f < t_.px(least_plot);
    plot_ = is_low ? Box{b.x + left, b.y + small * 0.7f, b.w - left, b.h - small * low_rows}
                   : Box{b.x + left, b.y + small * 1.4f, b.w - left, b.h - small * 3.1f};
    if (c_.bars.empty() || plot_.h < t_.px(least_plot)) return;
    pitch_ = std::min(plot_.w / float(c_.bars.size()), t_.px(c_.widest));
    begin_ = plot_.x + (plot_.w - pitch_ * float(c_.bars.size())) / 2;
    if (c_.chosen >= 0 && c_.chosen < int(c_.bars.size()))
      pen_.rect({begin_ + float(c_.chosen) * pitch_, b.y, pitch_, b.h}, t_.selected, 0, 1,
                std::min(t_.round(), pitch_ / 4));
    const std::vector<float> lines = draw_ticks(ticks_that_fit(axis, is_low));
    const size_t beside = c_.stacked ? 1 : std::max<size_t>(1, c_.series.size());
    const float width = std::min(pitch_ * (beside > 1 ? 0.76f / float(beside) : 0.64f), t_.px(46));
    const float gap = pitch_ > t_.px(12) && beside > 1 ? t_.thin() : 0;
    const bool numbers =
        c_.numbers && !is_low &&
        pen_.width(words_of(axis, most_), small, Font::mono) < (beside > 1 ? width + gap : pitch_ * 0.95f);
    for (size_t k = 0; k < c_.bars.size(); ++k) {
      const BarChart::Bar& one = c_.bars[k];
      const float centre = begin_ + (float(k) + 0.5f) * pitch_;
      const float whole = float(beside) * width + float(beside - 1) * gap;
      double from = 0;
      for (size_t s = 0; s < one.values.size(); ++s) {
        const double to = c_.stacked ? from + one.values[s] : one.values[s];
        const float x = centre - whole / 2 + (c_.stacked ? 0 : float(s) * (width + gap));
        // the lowest bar is to be seen, too
        const float tall = std::max(y(from) - y(to), t_.thin());
        if (to > from) pen_.rect({x, y(from) - tall, width, tall}, colour(s));
        const bool top = !c_.stacked || s + 1 == one.values.size();
        if (numbers && top && to > 0)
          number({x + width / 2, y(to) - small * 0.75f}, words_of(axis, to), lines,
                 int(k) == c_.chosen ? t_.selected : t_.panel);
        if (c_.stacked) from = to;
      }
      if (one.hit.name.empty()) continue;
      HitRegion hit = one.hit;
      hit.box = {centre - pitch_ / 2, plot_.y, pitch_, b.bottom() - plot_.y};
      press(pen_, t_, std::move(hit));
    }
    if (!is_low) labels(b);
  }

  static constexpr float least_plot = 20;  ///< height of the bars, before scaling
  static constexpr float low_rows = 1.4f;  ///< what a low chart needs beside them, in rows of small text

 private:
  double top_of(const BarChart::Bar& b) const {
    double sum = 0, most = 0;
    for (const double v : b.values) sum += v, most = std::max(most, v);
    return c_.stacked ? sum : most;
  }
  Colour colour(size_t s) const { return s < c_.series.size() ? c_.series[s].colour : t_.read; }
  float y(double v) const { return plot_.bottom() - float(v / most_) * plot_.h; }

  std::vector<Tick> ticks_that_fit(const Axis& axis, bool is_low) const {
    const float row = t_.small() * 1.2f;
    std::vector<Tick> ticks = ticks_of(axis, plot_.h, row * 2);
    // where there is no room for two numbers with one between them, the ends are enough
    if (ticks.size() > 2 && y(ticks[0].at) - y(ticks[1].at) < row)
      ticks.erase(ticks.begin() + 1, ticks.end() - 1);
    // without numbers above the bars, or with none but 0 at the side, nothing says how high the highest is
    if (is_low || ticks.size() < 2 || y(ticks[0].at) - y(ticks[1].at) < row) {
      ticks.assign(1, {most_, words_of(axis, most_)});
      if (plot_.h >= row) ticks.insert(ticks.begin(), {0, words_of(axis, 0)});
    }
    return ticks;
  }
  /// The heights of the lines of those that are drawn.
  std::vector<float> draw_ticks(const std::vector<Tick>& ticks) {
    const float small = t_.small();
    std::vector<float> lines;
    for (const Tick& tick : ticks) {
      const float at = y(tick.at);
      if (!lines.empty() && lines.back() - at < small * 1.2f) continue;
      lines.push_back(at);
      pen_.line({plot_.x, at}, {plot_.right(), at}, t_.line, t_.thin());
      pen_.text({plot_.x - t_.px(6), at}, tick.words, small, t_.ink2, Font::mono, Align::right);
    }
    return lines;
  }

  /// Above a bar: a line behind it is interrupted.
  void number(Point middle, const std::string& words, const std::vector<float>& lines, Colour ground) {
    const float small = t_.small(), w = pen_.width(words, small, Font::mono) + t_.px(4);
    const Box b{middle.x - w / 2, middle.y - small * 0.5f, w, small};
    if (std::ranges::any_of(lines, [&](float line) { return line > b.y && line < b.bottom(); }))
      pen_.rect(b, ground);
    pen_.text(middle, words, small, t_.ink, Font::mono, Align::centre);
  }

  /// The chosen one's always; of the others those that have room.
  void labels(Box b) {
    const float small = t_.small(), row = plot_.bottom() + small * 0.95f;
    struct Placed {
      float from, to;
    };
    std::vector<Placed> taken;
    const auto put = [&](size_t k) {
      const bool chosen = int(k) == c_.chosen;
      const Font font = chosen ? Font::text_bold : Font::text;
      const auto& spellings = c_.bars[k].label;
      if (spellings.empty()) return;
      std::string words = spelled(pen_, spellings, std::max(pitch_ * 0.95f, small), small, font);
      if (words.empty()) words = spellings.back();  // numbers of narrow bars: at every so many
      const float half = pen_.width(words, small, font) / 2;
      const float centre = begin_ + (float(k) + 0.5f) * pitch_;
      const float x = chosen ? clamp_or_least(centre, b.x + half, b.right() - half) : centre;
      if (x - half < b.x || x + half > b.right() + t_.close()) return;
      for (const Placed& p : taken)
        if (x - half < p.to + small * 0.5f && x + half > p.from - small * 0.5f) return;
      taken.push_back({x - half, x + half});
      pen_.text({x, row}, words, small, chosen ? t_.ink : t_.ink2, font, Align::centre);
    };
    if (c_.chosen >= 0 && c_.chosen < int(c_.bars.size())) put(size_t(c_.chosen));
    // 0, 4, 8: a step that leaves room for each, so that what is named is named evenly
    float widest = 0;
    for (const BarChart::Bar& one : c_.bars)
      if (!one.label.empty()) widest = std::max(widest, pen_.width(one.label.back(), small));
    const auto every = size_t(label_stride(pitch_, widest + small * 0.5f, int(c_.bars.size())));
    for (size_t k = 0; k < c_.bars.size(); k += every)
      if (int(k) != c_.chosen) put(k);
  }

  const BarChart& c_;
  Pen& pen_;
  const Theme& t_;
  Box plot_;
  double most_ = 1;
  float pitch_ = 0, begin_ = 0;
};

}  // namespace

LayoutNode chart(LineChart c) {
  const auto shared = std::make_shared<const LineChart>(std::move(c));
  LayoutNode form;
  form.fills = true;
  form.height = [least = shared->least](const DrawContext& p, float) { return p.t.px(least); };
  form.drawn = [shared](const DrawContext& p, Box b) { LinePlot(*shared, p).draw(b); };
  return form;
}

LayoutNode chart(BarChart c, const Theme& t) {
  const auto shared = std::make_shared<const BarChart>(std::move(c));
  LayoutNode plot;
  plot.fills = true;
  plot.height = [](const DrawContext& p, float) {
    return p.t.px(Bars::least_plot) + p.t.small() * Bars::low_rows;
  };
  plot.drawn = [shared](const DrawContext& p, Box b) { Bars(*shared, p).draw(b); };
  const LayoutNode title = line(shared->heading, heading_look(t));
  const LayoutNode says =
      shared->says.empty()
          ? LayoutNode{}
          : line(shared->says,
                 {.size = t.label(), .colour = t.ink, .font = Font::text_bold, .align = Align::right})
                .gives(1);
  const LayoutNode keys = shared->series.size() > 1 ? legend(shared->series) : LayoutNode{};
  if (shared->heading.empty() && says.empty() && keys.empty()) return plot;
  // the legend stands beside the heading, or below it
  const LayoutNode beside = row(t.px(28), {title, keys, space(0).grows(), says});
  const LayoutNode below =
      column(t.close(), {row(t.px(12), {title, space(0).grows(), says}), LayoutNode(keys).gives(1)});
  return column(0, {keys.empty() ? below : widest_that_fits({beside, below}), std::move(plot).grows()});
}

LayoutNode lying(LyingBar bar) {
  LayoutNode form;
  form.fills = true;
  form.height = [](const DrawContext& p, float) { return p.t.label(); };
  form.drawn = [bar](const DrawContext& p, Box b) {
    const float tall = std::min(b.h * 0.62f, p.t.px(20)), middle = b.centre().y;
    const auto x = [&](double v) { return b.x + float(std::clamp(v / bar.most, 0.0, 1.0)) * b.w; };
    if (bar.value > 0)
      p.pen.rect({b.x, middle - tall / 2, std::max(x(bar.value) - b.x, p.t.thin(1.5f)), tall}, bar.fill,
                 bar.edge, p.t.thin(), p.t.px(3));
    if (bar.high > bar.low) {
      p.pen.line({x(bar.low), middle}, {x(bar.high), middle}, bar.whisker, p.t.thin(1.5f));
      for (const double v : {bar.low, bar.high})
        p.pen.line({x(v), middle - tall * 0.35f}, {x(v), middle + tall * 0.35f}, bar.whisker, p.t.thin(1.5f));
    }
    for (const LyingBar::Mark& m : bar.marks)
      p.pen.line({x(m.at), b.y}, {x(m.at), b.bottom()}, m.colour, p.t.thin(1.5f), p.t.px(m.dash));
  };
  return form;
}

LayoutNode tally(Tally all) {
  LayoutNode form;
  form.fills = true;
  form.height = [](const DrawContext& p, float) { return p.t.label(); };
  form.drawn = [all](const DrawContext& p, Box b) {
    const Theme& t = p.t;
    const float tall = std::min(b.h * 0.62f, t.px(all.blocks ? 14 : 20)), y = b.centre().y - tall / 2;
    float one = b.w / float(std::max(1, all.most));
    if (all.blocks) one = std::min(one, t.px(20));
    const bool apart = all.blocks && one >= t.px(4);
    float x = b.x;
    for (const Tally::Segment& part : all.parts) {
      for (int k = 0; k < part.count && apart; ++k)
        p.pen.rect({x + float(k) * one, y, one - t.px(2), tall}, part.colour, 0, 1,
                   one > t.px(6) ? t.px(2) : 0);
      const float wide = float(std::max(0, part.count)) * one;
      if (!apart && wide > 0) p.pen.rect({x, y, wide, tall}, part.colour);
      x += wide;
    }
  };
  return form;
}

}  // namespace bscope
