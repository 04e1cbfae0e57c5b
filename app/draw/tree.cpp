#include "app/draw/tree.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "app/draw/chart.hpp"
#include "app/draw/layout.hpp"
#include "app/draw/theme.hpp"

namespace bscope {
namespace {

void draw_row(const DrawContext& p, const Tree& tree, const Tree::TreeRow& r, Box box, float indent) {
  const Theme& t = p.t;
  const float y = box.centre().y, x = box.x + indent * float(r.depth), mark = tree.size;
  if (r.depth > 0) {
    const float stem = x - indent / 2;
    p.pen.line({stem, box.y}, {stem, y}, t.line, t.px(1));
    p.pen.line({stem, y}, {x, y}, t.line, t.px(1));
  }
  const Point c{x + mark / 2, y};
  if (r.opens) {
    fold_mark(p, c, mark * 0.4f, r.open, r.open ? t.ink2 : t.ink);
  } else {
    p.pen.disc(c, mark / 8, t.ink3);
  }
  const Box words{x + mark + t.px(6), box.y, std::max(t.px(8), box.right() - x - mark - t.px(6)), box.h};
  float at = words.x;
  for (const Words& w : r.words) {
    const bool first = &w == r.words.data();
    const std::string shown = first ? p.pen.fitted(w.words, words.right() - at, tree.size, w.font) : w.words;
    if (at + p.pen.width(shown, tree.size, w.font) > words.right() && !first) break;
    at = p.pen.text({at, y}, shown, tree.size, w.colour, w.font).right() + tree.size * 0.75f;
  }
  const auto answer = [&](HitRegion hit, Box b) {
    hit.box = b;
    if (!hit.name.empty()) press(p.pen, t, std::move(hit));
  };
  if (r.opens) answer(r.fold, {x, box.y, mark + t.px(2), box.h});
  answer(r.hit, words);
}

void draw_tree(const DrawContext& p, const Tree& tree, Box room) {
  const float h = tree.size * tree.leading;
  const int all = int(tree.rows.size()), fit = std::max(1, int(room.h / h));
  const int count = all <= fit ? all : std::max(1, fit - 1);
  int first = std::clamp(tree.first, 0, all - count);
  if (const int focus = std::min(tree.focus, all - 1); focus >= 0)
    first = std::clamp(first, std::max(0, focus - count + 1), std::min(focus, all - count));
  int deepest = 1;
  for (int k = first; k < first + count; ++k) deepest = std::max(deepest, tree.rows[size_t(k)].depth);
  const float indent = std::min(tree.size * 1.15f, room.w * 0.4f / float(deepest));
  Box row{room.x, room.y, room.w, h};
  for (int k = first; k < first + count; ++k, row.y += h) {
    if (k == tree.focus)
      p.pen.rect({row.x - p.t.px(6), row.y, row.w + p.t.px(12), h}, p.t.selected, 0, 1, p.t.px(3));
    draw_row(p, tree, tree.rows[size_t(k)], row, indent);
  }
  if (tree.more && count < std::min(all, fit))
    draw(p, line(tree.more(first, first + count), {.size = tree.size, .colour = p.t.ink3, .cut = true}), row);
}

}  // namespace

void fold_mark(const DrawContext& p, Point c, float s, bool open, Colour colour) {
  if (open)
    p.pen.polygon({{c.x - s, c.y - s * 0.6f}, {c.x + s, c.y - s * 0.6f}, {c.x, c.y + s * 0.8f}}, colour);
  else
    p.pen.polygon({{c.x - s * 0.6f, c.y - s}, {c.x + s * 0.8f, c.y}, {c.x - s * 0.6f, c.y + s}}, colour);
}

LayoutNode tree(Tree given) {
  const auto all = std::make_shared<const Tree>(std::move(given));
  LayoutNode form;
  form.fills = true;
  form.height = [all](const DrawContext&, float) {
    return all->size * all->leading * float(std::min<size_t>(all->rows.size(), 3));
  };
  form.drawn = [all](const DrawContext& p, Box b) { draw_tree(p, *all, b); };
  return form;
}

}  // namespace bscope
