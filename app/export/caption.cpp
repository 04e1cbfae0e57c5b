#include "app/export/caption.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/draw/chart.hpp"
#include "app/draw/theme.hpp"
#include "app/parts/caption.hpp"
#include "app/parts/pattern.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

struct Layout {
  float size, margin, gap, line;
  float first;       ///< height of title and parameters
  float second = 0;  ///< of the step below them; 0: it stands beside them
  float height() const { return line * 0.6f + first + second; }
};

std::vector<Words> first_words(const Caption& c, const Theme& t) {
  return {{c.title + "  ", t.ink, Font::text_bold}, {c.parameters, t.ink2}};
}

float height_of(const std::vector<Words>& words, const Metrics& m, float room, float size) {
  Picture unused;
  Pen pen(unused, m);
  return paragraph(pen, words, {0, 0, room, 1e6f}, size);
}

Layout layout(const Caption& c, const Theme& t, const Metrics& m, float w) {
  Picture unused;
  const Pen pen(unused, m);
  Layout l{};
  l.size = t.px(t.projector() ? 22 : t.size_label);
  l.margin = t.px(t.projector() ? 12 : 14);
  l.gap = l.size * 2;
  const float room = w - 2 * l.margin;
  l.first = height_of(first_words(c, t), m, room, l.size);
  l.line = height_of({{"x", t.ink}}, m, room, l.size);
  if (c.step.empty()) return l;
  const float step = std::max(pen.width(c.step, l.size), pen.width(c.widest, l.size)),
              title = pen.width(c.title + "  ", l.size, Font::text_bold) + pen.width(c.parameters, l.size);
  if (title + l.gap + step > room)
    l.second = std::max(height_of({{c.step, t.ink}}, m, room, l.size),
                        height_of({{c.widest, t.ink}}, m, room, l.size));
  return l;
}

}  // namespace

Caption caption_of(const LoadedState& s) {
  const Tab& tab = tab_of(s);
  return tab.caption && !s.only_run ? tab.caption(s) : step_caption(s);
}

float caption_height(const Caption& c, const Theme& t, const Metrics& m, float w) {
  return std::round(layout(c, t, m, w).height());
}

void draw_caption(Picture& p, const Caption& c, const Theme& t, const Metrics& m) {
  Pen pen(p, m);
  const Layout l = layout(c, t, m, p.width);
  const float top = l.line * 0.4f, room = p.width - 2 * l.margin;
  paragraph(pen, first_words(c, t), {l.margin, top, room, l.first * 1.01f}, l.size);
  if (c.step.empty()) return;
  if (l.second > 0)
    paragraph(pen, {{c.step, t.ink}}, {l.margin, top + l.first, room, l.second * 1.01f}, l.size);
  else
    pen.text({p.width - l.margin, top + l.line / 2}, c.step, l.size, t.ink, Font::text, Align::right);
}

}  // namespace bscope
