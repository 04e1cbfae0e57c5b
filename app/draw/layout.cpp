#include "app/draw/layout.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "app/draw/chart.hpp"
#include "app/draw/fitting.hpp"
#include "app/draw/theme.hpp"

namespace bscope {
namespace {

/// A part of a row or a column that is there, as long as it is.
struct Placed {
  const LayoutNode* form = nullptr;  ///< itself, or what stands for it
  const LayoutNode* original = nullptr;
  size_t shorter = 0;  ///< how many of its shorter forms were taken
  float size = 0;      ///< along the row or column
};

std::vector<Placed> all_of(const std::vector<LayoutNode>& parts) {
  std::vector<Placed> all;
  for (const LayoutNode& f : parts) all.push_back({&f, &f});
  return all;
}

/// The one that gives way first is said shorter or left out; false: only one is left.
bool give_way(std::vector<Placed>& all) {
  size_t first = 0;
  for (size_t k = 1; k < all.size(); ++k)
    if (all[k].original->order >= all[first].original->order) first = k;
  if (all.empty()) return false;
  Placed& p = all[first];
  if (p.shorter < p.original->shorter.size()) {
    p.form = &p.original->shorter[p.shorter++];
    return true;
  }
  if (all.size() == 1) return false;
  all.erase(all.begin() + long(first));
  return true;
}

float taken(const std::vector<Placed>& all, float gap) {
  float sum = all.empty() ? 0 : gap * float(all.size() - 1);
  for (const Placed& p : all) sum += p.size;
  return sum;
}

/// What is left over goes to those that grow.
void share_out(std::vector<Placed>& all, float left) {
  float shares = 0;
  for (const Placed& p : all) shares += p.original->share;
  if (left <= 0 || shares <= 0) return;
  for (Placed& p : all) p.size += left * p.original->share / shares;
}

/// Takes what is too much from those that can do with less, the first to give way first.
void narrow(std::vector<Placed>& all, float gap, float room, auto&& least) {
  std::vector<Placed*> order;
  for (Placed& one : all) order.push_back(&one);
  std::reverse(order.begin(), order.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const Placed* a, const Placed* b) { return a->original->order > b->original->order; });
  for (Placed* one : order) {
    const float over = taken(all, gap) - room;
    if (over <= 0) break;
    one->size = std::max(std::min(one->size, least(*one)), one->size - over);
  }
}

std::vector<Placed> heights(const DrawContext& p, const std::vector<LayoutNode>& parts, float gap, Box room) {
  std::vector<Placed> all = all_of(parts);
  const auto low = [&](const Placed& one) { return one.form->low_at(p, room.w); };
  for (;;) {
    float saved = 0;
    for (Placed& one : all) {
      one.size = one.form->height_at(p, room.w);
      saved += std::max(0.0f, one.size - low(one));
    }
    const float over = taken(all, gap) - saved - room.h;
    if (over <= 0.5f) break;
    // what grows takes less, too, once no part is left that gives way
    const bool some_give =
        std::ranges::any_of(all, [](const Placed& one) { return one.original->order > 0; });
    const auto grows = std::ranges::find_if(
        all, [&](const Placed& one) { return one.original->share > 0 && one.size > over; });
    if (!some_give && grows != all.end()) {
      grows->size -= over;
      break;
    }
    if (!give_way(all)) break;
  }
  narrow(all, gap, room.h, low);
  if (all.size() == 1) all[0].size = std::min(all[0].size, room.h);
  share_out(all, room.h - taken(all, gap));
  return all;
}

/// At most its share of the room.
float limited(const Placed& one, float size, float room) {
  return one.original->most > 0 ? std::min(size, one.original->most * room) : size;
}

std::vector<Placed> widths(const DrawContext& p, const std::vector<LayoutNode>& parts, float gap,
                           float room) {
  std::vector<Placed> all = all_of(parts);
  for (;;) {
    float least = all.empty() ? 0 : gap * float(all.size() - 1);
    for (Placed& one : all) {
      one.size = limited(one, one.form->wants(p), room);
      least += std::min(one.size, one.form->needs(p));
    }
    if (taken(all, gap) <= room + 0.01f || least <= room + 0.01f || !give_way(all)) break;
  }
  narrow(all, gap, room, [&](const Placed& one) { return one.form->needs(p); });
  if (all.size() == 1) all[0].size = std::min(all[0].size, room);
  share_out(all, room - taken(all, gap));
  return all;
}

LayoutNode of_parts(std::vector<LayoutNode> parts, float gap, bool across) {
  const auto all = std::make_shared<const std::vector<LayoutNode>>(std::move(parts));
  const auto along = [all, gap, across](const DrawContext& p, auto&& width) {
    float sum = 0;
    for (const LayoutNode& f : *all) sum = across ? sum + width(p, f) : std::max(sum, width(p, f));
    return sum + (across && !all->empty() ? gap * float(all->size() - 1) : 0);
  };
  LayoutNode form;
  form.wanted = [along](const DrawContext& p) {
    return along(p, [](const DrawContext& q, const LayoutNode& f) { return f.wants(q); });
  };
  form.least = [all, along, across](const DrawContext& p) {
    // what gives way needs nothing
    if (across) {
      float sum = 0;
      for (const LayoutNode& f : *all)
        if (f.order == 0) sum += f.needs(p);
      return sum;
    }
    return along(p, [](const DrawContext& q, const LayoutNode& f) { return f.order ? 0 : f.needs(q); });
  };
  return form;
}

}  // namespace

void draw(const DrawContext& p, const LayoutNode& form, Box box) {
  if (form.drawn) form.drawn(p, box);
}

Picture picture_of(const LayoutNode& form, const Theme& t, const Metrics& metrics, float width, float height,
                   bool on_window) {
  Picture picture{width, height, {}, {}};
  Pen pen(picture, metrics);
  const Box all{0, 0, width, height};
  if (on_window) pen.rect(all, t.window);
  draw({pen, t}, form, all);
  return picture;
}

LayoutNode text(Text words, TextLook look) {
  const auto shared = std::make_shared<const Text>(std::move(words));
  LayoutNode form;
  form.wanted = [shared, look](const DrawContext& p) {
    return width_of(p.pen.metrics(), *shared, look.size) + 0.5f;
  };
  form.least = [shared, look](const DrawContext& p) {
    TextLook narrow = look;
    narrow.long_words = TextLook::whole;
    return lay_out(p.pen.metrics(), *shared, 1, narrow).width + 0.5f;
  };
  form.height = [shared, look](const DrawContext& p, float w) {
    return lay_out(p.pen.metrics(), *shared, w, look).height;
  };
  form.drawn = [shared, look](const DrawContext& p, Box b) {
    const LaidText laid = lay_out(p.pen.metrics(), *shared, b.w, look);
    draw(p.pen, laid, {b.x, b.y + std::max(0.0f, (b.h - laid.height) / 2)});
  };
  return form;
}

LayoutNode line(std::vector<std::string> spellings, LineLook look) {
  const auto all = std::make_shared<const std::vector<std::string>>(std::move(spellings));
  const auto width = [all, look](const DrawContext& p, bool least) {
    float w = least ? 1e9f : 0;
    for (const std::string& s : *all) {
      const float one = p.pen.width(s, look.size, look.font);
      w = least ? std::min(w, one) : std::max(w, one);
    }
    if (all->empty()) w = 0;
    return least && look.cut ? std::min(w, look.size * 4) : w;
  };
  LayoutNode form;
  form.wanted = [width](const DrawContext& p) { return width(p, false); };
  form.least = [width](const DrawContext& p) { return width(p, true); };
  form.height = [look](const DrawContext&, float) { return look.size * 1.35f; };
  form.drawn = [all, look](const DrawContext& p, Box b) {
    if (b.h < look.size * 0.8f) return;  // half a letter says nothing
    const float x = look.align == Align::left ? b.x : look.align == Align::centre ? b.centre().x : b.right();
    p.pen.text({x, b.centre().y}, spelled(p.pen, *all, b.w + 0.02f, look.size, look.font, look.cut),
               look.size, look.colour, look.font, look.align);
  };
  return form;
}

LayoutNode name(std::string words, LineLook look, float least) {
  LayoutNode form = line({words}, look);
  form.least = [look](const DrawContext&) { return look.size * 4; };
  form.drawn = [words, look, least](const DrawContext& p, Box b) {
    name_in(p.pen, b, words, look.size, least, look.colour, look.font, look.align);
  };
  form.fills = true;
  return form;
}

LineLook heading_look(const Theme& t) {
  return {.size = t.title(), .colour = t.ink, .font = Font::text_bold, .cut = true};
}

LayoutNode column(float gap, std::vector<LayoutNode> parts) {
  std::erase_if(parts, [](const LayoutNode& f) { return f.empty(); });
  const auto all = std::make_shared<const std::vector<LayoutNode>>(std::move(parts));
  LayoutNode form = of_parts(*all, gap, false);
  form.fills = true;
  form.height = [all, gap](const DrawContext& p, float w) {
    float h = all->empty() ? 0 : gap * float(all->size() - 1);
    for (const LayoutNode& f : *all) h += f.height_at(p, w);
    return h;
  };
  form.drawn = [all, gap](const DrawContext& p, Box b) {
    float y = b.y;
    for (const Placed& one : heights(p, *all, gap, b)) {
      draw(p, *one.form, {b.x, y, b.w, one.size});
      y += one.size + gap;
    }
  };
  return form;
}

LayoutNode row(float gap, std::vector<LayoutNode> parts) {
  std::erase_if(parts, [](const LayoutNode& f) { return f.empty(); });
  const auto all = std::make_shared<const std::vector<LayoutNode>>(std::move(parts));
  LayoutNode form = of_parts(*all, gap, true);
  form.height = [all, gap](const DrawContext& p, float w) {
    float h = 0;
    for (const Placed& one : widths(p, *all, gap, w)) h = std::max(h, one.form->height_at(p, one.size));
    return h;
  };
  form.drawn = [all, gap](const DrawContext& p, Box b) {
    float x = b.x;
    for (const Placed& one : widths(p, *all, gap, b.w)) {
      const float own = one.form->height_at(p, one.size);
      const float h = one.form->fills || own <= 0 ? b.h : std::min(own, b.h);
      draw(p, *one.form, {x, b.y + (b.h - h) / 2, one.size, h});
      x += one.size + gap;
    }
  };
  return form;
}

namespace {

/// Which columns of a table are there, and how wide; whether its heads are drawn.
struct Grid {
  std::vector<LayoutNode> columns;  ///< as wide as their cells
  float head = 0, foot = 0;

  Grid(const DrawContext& p, const Table& c) {
    size_t count = c.heads.size();
    for (const auto& cells : c.rows) count = std::max(count, cells.size());
    for (size_t k = 0; k < count; ++k) {
      float wanted = 0, least = 0;
      const auto add = [&](const LayoutNode& f) {
        wanted = std::max(wanted, f.wants(p)), least = std::max(least, std::min(f.needs(p), f.wants(p)));
      };
      LayoutNode column;
      if (k < c.heads.size()) {
        add(c.heads[k]);
        column.share = c.heads[k].share, column.order = c.heads[k].order, column.most = c.heads[k].most;
        if (c.heads[k].drawn) head = std::max(head, c.heads[k].height_at(p, 1e9f));
      }
      for (const auto& cells : c.rows)
        if (k < cells.size()) add(cells[k]);
      if (k < c.foot.size()) foot = std::max(foot, c.foot[k].height_at(p, 1e9f));
      column.wanted = [wanted](const DrawContext&) { return wanted; };
      column.least = [least](const DrawContext&) { return least; };
      columns.push_back(std::move(column));
    }
  }
  /// Widths by column; nothing for one that is left out.
  std::vector<std::optional<float>> fitted(const DrawContext& p, float gap, float room) const {
    std::vector<std::optional<float>> all(columns.size());
    for (const Placed& one : widths(p, columns, gap, room))
      all[size_t(one.original - columns.data())] = one.size;
    return all;
  }
};

float row_height(const DrawContext& p, const Table& c, const std::vector<LayoutNode>& cells,
                 const std::vector<std::optional<float>>& widths) {
  float h = c.least_row;
  for (size_t k = 0; k < cells.size(); ++k)
    if (widths[k]) h = std::max(h, cells[k].height_at(p, *widths[k]));
  return h;
}

void draw_cells(const DrawContext& p, const std::vector<LayoutNode>& cells, Box b, float gap,
                const std::vector<std::optional<float>>& widths) {
  float x = b.x;
  for (size_t k = 0; k < widths.size(); ++k) {
    if (!widths[k]) continue;
    if (k < cells.size()) {
      const float own = cells[k].height_at(p, *widths[k]);
      const float h = cells[k].fills || own <= 0 ? b.h : std::min(own, b.h);
      draw(p, cells[k], {x, b.y + (b.h - h) / 2, *widths[k], h});
    }
    x += *widths[k] + gap;
  }
}

}  // namespace

LayoutNode table(Table given) {
  const auto c = std::make_shared<const Table>(std::move(given));
  LayoutNode form;
  form.fills = true;
  form.wanted = [c](const DrawContext& p) {
    const Grid grid(p, *c);
    float w = grid.columns.empty() ? 0 : c->gap * float(grid.columns.size() - 1);
    for (const LayoutNode& column : grid.columns) w += column.wants(p);
    return w;
  };
  form.least = [](const DrawContext&) { return 0.0f; };
  form.height = [c](const DrawContext& p, float w) {
    const Grid grid(p, *c);
    const auto fitted = grid.fitted(p, c->gap, w);
    float h = grid.head + grid.foot + (c->rows.empty() ? 0 : c->row_gap * float(c->rows.size() - 1));
    for (const auto& cells : c->rows) h += row_height(p, *c, cells, fitted);
    return h;
  };
  if (c->squeezes)
    form.low = [c](const DrawContext& p, float w) {
      const Grid grid(p, *c);
      const auto fitted = grid.fitted(p, c->gap, w);
      float row = 0, all = c->rows.empty() ? 0 : c->row_gap * float(c->rows.size() - 1);
      for (const auto& cells : c->rows) {
        const float one = row_height(p, *c, cells, fitted);
        row = std::max(row, one), all += one;
      }
      if (c->more && c->rows.size() > 1) row += c->more(0, 1).height_at(p, w);
      return grid.head + grid.foot + std::min(row, all);
    };
  form.drawn = [c](const DrawContext& p, Box b) {
    const Grid grid(p, *c);
    const auto fitted = grid.fitted(p, c->gap, b.w);
    if (grid.head > 0) draw_cells(p, c->heads, {b.x, b.y, b.w, grid.head}, c->gap, fitted);
    std::vector<float> heights;
    for (const auto& cells : c->rows) heights.push_back(row_height(p, *c, cells, fitted));
    // those that fit, the chosen one among them
    const int count = int(heights.size());
    float below = grid.foot;
    const auto need = [&](int from, int to) {
      float h = c->row_gap * float(std::max(0, to - from - 1));
      for (int k = from; k < to; ++k) h += heights[size_t(k)];
      return h;
    };
    const auto fits = [&](int from, int to) { return need(from, to) <= b.h - grid.head - below + 0.5f; };
    int from = 0, to = count;
    if (c->more && !fits(0, count)) below += c->more(0, count).height_at(p, b.w);
    const int kept = c->chosen >= 0 && c->chosen < count ? c->chosen : c->keeps;
    while (to - from > 1 && !fits(from, to)) {
      if ((c->from_end && kept != from) || kept == to - 1)
        ++from;
      else
        --to;
    }
    if (to <= from) return;
    const float room = b.h - grid.head - below;
    const float spare = std::max(0.0f, room - need(from, to)) / float(to - from);
    float y = b.y + grid.head;
    for (int k = from; k < to; ++k) {
      float h = heights[size_t(k)];
      if (c->most_row > 0) h = std::max(h, std::min(h + spare, c->most_row));
      const Box whole{b.x - p.t.px(6), y + 1, b.w + p.t.px(12), h - 2};
      if (k == c->chosen) p.pen.rect(whole, p.t.cell, p.t.ink3, p.t.thin(), p.t.round());
      draw_cells(p, c->rows[size_t(k)], {b.x, y, b.w, h}, c->gap, fitted);
      if (size_t(k) < c->hits.size() && !c->hits[size_t(k)].name.empty()) {
        HitRegion hit = c->hits[size_t(k)];
        hit.box = whole;
        press(p.pen, p.t, std::move(hit));
      }
      y += h + c->row_gap;
    }
    if (grid.foot > 0) draw_cells(p, c->foot, {b.x, y, b.w, grid.foot}, c->gap, fitted);
    if (c->more && to - from < count) {
      const LayoutNode words = c->more(from, to);
      draw(p, words, {b.x, y + grid.foot, b.w, words.height_at(p, b.w)});
    }
  };
  return form;
}

LayoutNode shares(float gap, std::vector<std::pair<float, LayoutNode>> parts) {
  const auto all = std::make_shared<const std::vector<std::pair<float, LayoutNode>>>(std::move(parts));
  const auto each = [all, gap](float w, auto&& visit) {
    float sum = 0, x = 0;
    for (const auto& [share, form] : *all) sum += share;
    for (const auto& [share, form] : *all) {
      const float wide = (w - gap * float(all->size() - 1)) * share / sum;
      visit(form, x, wide);
      x += wide + gap;
    }
  };
  LayoutNode form;
  form.fills = true;
  form.height = [each](const DrawContext& p, float w) {
    float h = 0;
    each(w, [&](const LayoutNode& f, float, float wide) { h = std::max(h, f.height_at(p, wide)); });
    return h;
  };
  form.drawn = [each](const DrawContext& p, Box b) {
    each(b.w, [&](const LayoutNode& f, float x, float wide) { draw(p, f, {b.x + x, b.y, wide, b.h}); });
  };
  return form;
}

LayoutNode floors(float gap, std::vector<std::pair<float, LayoutNode>> parts) {
  LayoutNode form;
  form.fills = true;
  form.drawn = [parts = std::move(parts), gap](const DrawContext& p, Box b) {
    float sum = 0, y = b.y;
    for (const auto& [share, part] : parts) sum += share;
    for (const auto& [share, part] : parts) {
      const float h = (b.h - gap * float(parts.size() - 1)) * share / sum;
      draw(p, part, {b.x, y, b.w, h});
      y += h + gap;
    }
  };
  return form;
}

LayoutNode widest_that_fits(std::vector<LayoutNode> forms) {
  const auto all = std::make_shared<const std::vector<LayoutNode>>(std::move(forms));
  const auto fitting = [all](const DrawContext& p, float w) -> const LayoutNode& {
    for (const LayoutNode& f : *all)
      if (f.wants(p) <= w + 0.01f) return f;
    return all->back();
  };
  LayoutNode form;
  if (all->empty()) return form;
  form.fills = all->front().fills;
  form.wanted = [all](const DrawContext& p) { return all->front().wants(p); };
  form.least = [all](const DrawContext& p) { return all->back().needs(p); };
  form.height = [fitting](const DrawContext& p, float w) { return fitting(p, w).height_at(p, w); };
  form.low = [fitting](const DrawContext& p, float w) { return fitting(p, w).low_at(p, w); };
  form.drawn = [fitting](const DrawContext& p, Box b) { draw(p, fitting(p, b.w), b); };
  return form;
}

LayoutNode highest_that_fits(std::vector<LayoutNode> forms) {
  LayoutNode form;
  if (forms.empty()) return form;
  const auto all = std::make_shared<const std::vector<LayoutNode>>(std::move(forms));
  form.fills = true;
  form.wanted = [all](const DrawContext& p) { return all->front().wants(p); };
  form.least = [all](const DrawContext& p) { return all->back().needs(p); };
  form.height = [all](const DrawContext& p, float w) { return all->front().height_at(p, w); };
  form.low = [all](const DrawContext& p, float w) { return all->back().height_at(p, w); };
  form.drawn = [all](const DrawContext& p, Box b) {
    const auto fits = [&](const LayoutNode& f) { return f.height_at(p, b.w) <= b.h + 0.01f; };
    const auto first = std::ranges::find_if(*all, fits);
    draw(p, first == all->end() ? all->back() : *first, b);
  };
  return form;
}

LayoutNode space(float size) {
  LayoutNode form;
  form.wanted = [size](const DrawContext&) { return size; };
  form.height = [size](const DrawContext&, float) { return size; };
  return form;
}

LayoutNode rule(Colour c) {
  LayoutNode form;
  form.height = [](const DrawContext& p, float) { return p.t.thin(); };
  form.drawn = [c](const DrawContext& p, Box b) {
    p.pen.line({b.x, b.centre().y}, {b.right(), b.centre().y}, c, p.t.thin());
  };
  return form;
}

LayoutNode drawing(float width, float height, std::function<void(const DrawContext&, Box)> drawn) {
  LayoutNode form = space(0);
  form.wanted = [width](const DrawContext&) { return width; };
  form.height = [height](const DrawContext&, float) { return height; };
  form.drawn = std::move(drawn);
  return form;
}

namespace {

/// A form with room around it; `ground` is drawn first.
LayoutNode framed(LayoutNode inside, std::function<Point(const DrawContext&)> margin,
                  std::function<void(const DrawContext&, Box)> ground) {
  const auto in = std::make_shared<const LayoutNode>(std::move(inside));
  LayoutNode form;
  form.share = in->share, form.order = in->order, form.fills = in->fills;
  form.wanted = [in, margin](const DrawContext& p) { return in->wants(p) + 2 * margin(p).x; };
  form.least = [in, margin](const DrawContext& p) { return in->needs(p) + 2 * margin(p).x; };
  form.height = [in, margin](const DrawContext& p, float w) {
    const Point m = margin(p);
    return in->height_at(p, w - 2 * m.x) + 2 * m.y;
  };
  form.drawn = [in, margin, ground](const DrawContext& p, Box b) {
    const Point m = margin(p);
    ground(p, b);
    draw(p, *in, {b.x + m.x, b.y + m.y, b.w - 2 * m.x, b.h - 2 * m.y});
  };
  return form;
}

}  // namespace

LayoutNode panel(LayoutNode inside, Colour stroke) {
  return framed(
      std::move(inside), [](const DrawContext& p) { return panel_margin(p.t); },
      [stroke](const DrawContext& p, Box b) { panel(p.pen, p.t, b, stroke); });
}

LayoutNode padded(LayoutNode inside, float x, float y, Colour fill, float radius) {
  return framed(
      std::move(inside),
      [x, y](const DrawContext&) {
        return Point{x, y};
      },
      [fill, radius](const DrawContext& p, Box b) {
        if (fill) p.pen.rect(b, fill, 0, 1, radius);
      });
}

LayoutNode pressed(LayoutNode inside, HitRegion hit) {
  return framed(
      std::move(inside), [](const DrawContext&) { return Point{}; },
      [hit](const DrawContext& p, Box b) {
        HitRegion one = hit;
        one.box = b;
        press(p.pen, p.t, std::move(one));
      });
}

}  // namespace bscope
