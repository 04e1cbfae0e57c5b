#include "app/tabs/watch/hand_over.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/layout.hpp"
#include "app/draw/phrase.hpp"
#include "app/run/values.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/phrase.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/trace/source_line.hpp"

namespace bscope {
namespace {

/// One access, from above to below: the giver's at the left, the taker's at the right.
struct Move {
  LayoutNode box;
  bool gives;
};

/// From the release to the acquire that sees it: through the room between them, or, where they share columns,
/// round the corner that the one leaves.
void arrow_between(const DrawContext& p, Box from, Box to) {
  const Theme& t = p.t;
  const Point a{from.right(), from.centre().y};
  if (from.right() + t.px(24) < to.x) {
    const Point b{to.x, to.centre().y};
    const float half = (b.x - a.x) / 2;
    p.pen.curve(a, {a.x + half, a.y}, {b.x - half, b.y}, {b.x - t.px(7), b.y}, t.barrier, t.px(2.5f));
    p.pen.arrow_head(b, {1, 0}, t.px(11), t.barrier);
    return;
  }
  const Point b{(from.right() + to.right()) / 2, to.y};
  p.pen.curve(a, {b.x, a.y}, {b.x, a.y}, {b.x, b.y - t.px(7)}, t.barrier, t.px(2.5f));
  p.pen.arrow_head(b, {0, 1}, t.px(11), t.barrier);
}

/// Each as wide as the widest needs: the two sides share the columns between them, for they do not share a
/// row.
LayoutNode moves(std::vector<Move> all) {
  const auto wide = [all](const DrawContext& p, float room) {
    float w = (room - p.t.px(76)) / 2;
    for (const Move& m : all) w = std::max(w, m.box.wants(p));
    return std::min(w, room - p.t.px(64, 48));
  };
  const auto sum = [all, wide](const DrawContext& p, float room) {
    float h = 0;
    for (const Move& m : all) h += m.box.height_at(p, wide(p, room));
    return h;
  };
  LayoutNode form;
  form.height = [sum, count = all.size()](const DrawContext& p, float w) {
    return sum(p, w) + float(count - 1) * p.t.px(2);
  };
  form.drawn = [all, wide, sum](const DrawContext& p, Box b) {
    const float w = wide(p, b.w);
    const float gap = std::clamp((b.h - sum(p, b.w)) / float(all.size()), p.t.px(2), p.t.px(16));
    Box release, acquire, box{0, b.y, w, 0};
    for (const Move& m : all) {
      box.x = m.gives ? b.x : b.right() - w;
      box.h = m.box.height_at(p, w);
      draw(p, m.box, box);
      if (m.gives) release = box;  // the giver's last
      if (!m.gives && acquire.h == 0) acquire = box;
      box.y += box.h + gap;
    }
    arrow_between(p, release, acquire);
  };
  return form;
}

/// What was handed over, in words.
class HandOverWords {
 public:
  HandOverWords(const RunQueries& model, const Theme& t) : model_(model), t_(t) {}

  /// "release published[0] = 1", below it the line that does it.
  LayoutNode access(int id, const std::string& what, Colour side) const {
    const Node& n = model_.flow().nodes[size_t(id)];
    const Launch& launch = model_.trace().launches[size_t(n.launch)];
    const float size = t_.px(12, 22);
    const auto said_in = [&](const std::string& words, Colour c, Font f) {
      return line({words}, {.size = t_.px(t_.size_label, 22), .colour = c, .font = f, .cut = true});
    };
    const LayoutNode head = row(
        t_.px(10), {said_in(what, t_.ink, Font::text_bold),
                    said_in(name(n) + " = " + value(n), t_.ink, Font::mono_bold).gives(1), space(0).grows(),
                    said_in(tr(thread_message(launch, n.thread)), t_.thread, Font::text_bold)});
    const LayoutNode code =
        row(t_.px(14), {line({std::to_string(n.line)}, {.size = size, .colour = t_.ink3, .font = Font::mono}),
                        text({{source_line(model_.trace(), n.launch, n.line), t_.ink2, Font::mono}},
                             {.size = size, .leading = 1.25f, .long_words = TextLook::broken})
                            .grows()});
    LayoutNode mark = drawing(t_.px(4), 0, [side](const DrawContext& p, Box b) { p.pen.rect(b, side); });
    mark.fills = true;
    return pressed(
        padded(row(0, {std::move(mark), padded(column(0, {head, code}), t_.px(8), t_.px(3)).grows()}), 0, 0,
               t_.cell, t_.round()),
        {.what = HitRegion::cell,
         .box = {},
         .a = n.place.array,
         .b = n.place.index,
         .tip = {},
         .name = "hand-over:" + what});
  }

  Text what_follows(int id) const {
    const Node& n = model_.flow().nodes[size_t(id)];
    return phrase(tr("Stored before the release, read after the acquire: {0} is {1} for every thread that "
                     "has seen the flag."),
                  t_.ink2, {cell_named(name(n), n.place, t_.read), {{value(n), t_.read, Font::mono_bold}}});
  }

 private:
  std::string name(const Node& n) const { return model_.name(n.launch, n.place); }
  std::string value(const Node& n) const {
    return value_text(ElementType(n.kind), writes(n.op) ? written_bits(model_.flow(), n) : n.bits);
  }

  const RunQueries& model_;
  const Theme& t_;
};

LayoutNode whole(const RunQueries& model, const Cursor& c, const Theme& t) {
  const TextLook look{.size = t.px(t.size_label, 22)};
  const auto shown = hand_over_shown(model, c);
  const LayoutNode title = row(
      t.px(14),
      {line({tr("Hand-over")}, heading_look(t)),
       line({shown ? tr("time runs down") : std::string()}, {.size = look.size, .colour = t.ink2}).gives(1)});
  std::vector<LayoutNode> parts{title};
  if (!shown) {
    parts.push_back(
        text({{tr("No thread has acquired what another released here: select a flag."), t.ink}}, look));
  } else {
    if (t.projector()) parts.clear();  // its room is kept for what happened
    const HandOverWords told(model, t);
    std::vector<Move> all;
    if (shown->store >= 0) all.push_back({told.access(shown->store, tr("store"), t.write), true});
    all.push_back({told.access(shown->release, tr("release"), t.barrier), true});
    all.push_back({told.access(shown->acquire, tr("acquire"), t.barrier), false});
    if (shown->load >= 0) all.push_back({told.access(shown->load, tr("read"), t.read), false});
    parts.push_back(moves(std::move(all)).grows());
    if (shown->load >= 0) parts.push_back(text(told.what_follows(shown->load), look).gives(1));
  }
  return padded(column(t.close(), std::move(parts)), margin(t), t.px(6));
}

}  // namespace

std::optional<HandOver> hand_over_shown(const RunQueries& model, const Cursor& c) {
  const auto flag = model.selected(c);
  return flag ? hand_over_at(model.run(), c, *flag) : std::nullopt;
}

float hand_over_height(const RunQueries& model, const Cursor& c, const Theme& t, const Metrics& m,
                       float width) {
  if (!hand_over_shown(model, c)) return 0;
  Picture nothing;
  Pen pen(nothing, m);
  return whole(model, c, t).height_at({pen, t}, width);
}

Picture hand_over(const RunQueries& model, const Cursor& c, const Theme& t, const Metrics& m, float width,
                  float height) {
  return picture_of(whole(model, c, t), t, m, width, height, false);
}

}  // namespace bscope
