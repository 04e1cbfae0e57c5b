#include "app/tabs/watch/hand_over.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "app/draw/fitting.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/phrase.hpp"
#include "app/words/words.hpp"
#include "engine/trace/source_line.hpp"

namespace bscope {
namespace {

class HandOverView {
 public:
  HandOverView(const Moments& model, const Cursor& c, const Theme& t, const Metrics& m, float w, float h)
      : model_(model), cursor_(c), theme_(t), pen_(picture_, m) {
    picture_.width = w;
    picture_.height = h;
  }

  Picture draw() {
    const float left = margin(theme_), room = picture_.width - 2 * left;
    const float label = px(theme_.projector() ? 22 : theme_.size_label), title = px(theme_.size_title);
    const auto shown = hand_over_shown(model_, cursor_);
    float y = px(8);
    // the projector keeps its room for what happened
    if (!theme_.projector() || !shown) {
      y = px(theme_.projector() ? 22 : 18);
      const Box named = pen_.text({left, y}, say("Hand-over"), title, theme_.ink, Font::text_bold);
      const std::string more(say("time runs down"));
      if (shown && pen_.width(more, label) < left + room - named.right() - px(14))
        pen_.text({named.right() + px(14), y}, more, label, theme_.ink2);
      y += title * 0.9f;
    }
    if (!shown) {
      rich_text(pen_, {left, y, room, 0},
                rich(say("No thread has acquired what another released here: select a flag."), theme_.ink),
                label);
      return std::move(picture_);
    }
    make_moves(*shown);
    const RichText sentence = what_follows(*shown);
    const float foot = foot_height(sentence, room, label);
    const float bottom = picture_.height - px(6) - foot;
    draw_boxes(left, room, y, bottom, label);
    if (foot > 0) rich_text(pen_, {left, bottom + px(2), room, 0}, sentence, label);
    return std::move(picture_);
  }

  float height() {
    const auto shown = hand_over_shown(model_, cursor_);
    if (!shown) return 0;
    make_moves(*shown);
    const float label = px(theme_.projector() ? 22 : theme_.size_label),
                room = picture_.width - 2 * margin(theme_);
    const float top = theme_.projector() ? px(8) : px(18) + px(theme_.size_title) * 0.9f;
    float sum = top + foot_height(what_follows(*shown), room, label) + px(6);
    for (const float high : layout(room, label).high) sum += high + px(2);
    return sum;
  }

 private:
  float px(float v) const { return theme_.px(v); }
  const Node& node(int id) const { return model_.flow().nodes[size_t(id)]; }
  const Launch& launch(const Node& n) const { return model_.trace().launches[size_t(n.launch)]; }
  std::string name(const Node& n) const { return model_.name(n.launch, n.place); }
  std::string value(const Node& n) const {
    const uint64_t bits = writes(n.op) ? written_bits(model_.flow(), n) : n.bits;
    return value_text({Kind(n.kind), {bits}, {1}}, 0);
  }
  std::string code(const Node& n) const { return source_line(model_.trace(), n.launch, n.line); }

  /// One access, from above to below.
  struct Move {
    int node;
    std::string what;
    Colour colour;
    bool gives;
  };
  std::string thread(const Node& n) const { return said(thread_name(launch(n), n.thread)); }
  std::string cell_and_value(const Node& n) const { return name(n) + " = " + value(n); }
  float inner() const { return px(12); }
  float code_size(float label) const { return theme_.projector() ? label : px(12); }
  float number_width(float size) const { return pen_.width("000  ", size, Font::mono); }
  std::vector<std::string> code_lines(const Node& n, float room, float size) const {
    return in_lines(pen_, code(n), room - number_width(size), size, Font::mono);
  }

  void make_moves(const HandOver& shown) {
    if (shown.store >= 0) moves_.push_back({shown.store, say("store"), theme_.write, true});
    moves_.push_back({shown.release, say("release"), theme_.barrier, true});
    moves_.push_back({shown.acquire, say("acquire"), theme_.barrier, false});
    if (shown.load >= 0) moves_.push_back({shown.load, say("read"), theme_.read, false});
  }
  RichText what_follows(const HandOver& shown) const {
    if (shown.load < 0) return {};
    const Node& load = node(shown.load);
    return phrase(say("Stored before the release, read after the acquire: {0} is {1} for whoever has "
                      "seen the flag."),
                  theme_.ink2,
                  {{{name(load), theme_.read, Font::mono_bold, load.place.array, load.place.index}},
                   rich(value(load), theme_.read, Font::mono_bold)});
  }
  float foot_height(const RichText& sentence, float room, float label) {
    return sentence.empty() ? 0 : rich_text(pen_, {0, 0, room, 0}, sentence, label, false) + px(4);
  }

  /// The giver's accesses at the left, the taker's at the right, each as wide as the widest line of code
  /// needs: the two sides share the columns between them, for they do not share a row.
  struct Boxes {
    float wide;
    std::vector<float> high;
  };
  Boxes layout(float room, float label) const {
    const float size = code_size(label), between = px(theme_.projector() ? 48 : 64), pad = inner() + px(8);
    float wanted = (room - px(76)) / 2;
    for (const Move& m : moves_) {
      const Node& n = node(m.node);
      const float head = pen_.width(std::string(m.what), label, Font::text_bold) + px(10) +
                         pen_.width(cell_and_value(n), label, Font::mono_bold) + px(20) +
                         pen_.width(thread(n), label, Font::text_bold);
      wanted =
          std::max({wanted, head + pad, number_width(size) + pen_.width(code(n), size, Font::mono) + pad});
    }
    Boxes out{std::min(wanted + 1, room - between), {}};
    for (const Move& m : moves_)
      out.high.push_back(label * 1.35f + px(6) +
                         size * 1.25f * float(code_lines(node(m.node), out.wide - pad, size).size()));
    return out;
  }
  void draw_boxes(float left, float room, float top, float bottom, float label) {
    const Boxes all = layout(room, label);
    float sum = 0;
    for (const float high : all.high) sum += high;
    const float gap = std::clamp((bottom - top - sum) / float(moves_.size()), px(2), px(16));
    float y = top;
    Box release, acquire;
    for (size_t k = 0; k < moves_.size(); ++k) {
      const Move& m = moves_[k];
      const Box box{m.gives ? left : left + room - all.wide, y, all.wide, all.high[k]};
      if (m.gives) release = box;  // the giver's last
      if (!m.gives && acquire.h == 0) acquire = box;
      access(box, m, label);
      y = box.bottom() + gap;
    }
    arrow(release, acquire);
  }

  /// "release published[0] = 1", below it the line that does it.
  void access(Box box, const Move& m, float label) {
    const Node& n = node(m.node);
    const float size = code_size(label), x = box.x + inner(), right = box.right() - px(8);
    pen_.rect(box, theme_.cell, 0, 1, px(4));
    pen_.rect({box.x, box.y, px(4), box.h}, m.colour);
    float y = box.y + px(3) + label * 0.675f;
    const std::string who = thread(n);
    const Box by = pen_.text({right, y}, who, label, theme_.thread, Font::text_bold, Align::right);
    const Box word = pen_.text({x, y}, std::string(m.what), label, theme_.ink, Font::text_bold);
    const float from = word.right() + px(10);
    pen_.text({from, y}, pen_.fitted(cell_and_value(n), by.x - px(12) - from, label, Font::mono_bold), label,
              theme_.ink, Font::mono_bold);
    y += label * 0.675f + size * 0.625f;
    pen_.text({x, y}, std::to_string(n.line), size, theme_.ink3, Font::mono);
    for (const std::string& line : code_lines(n, right - x, size)) {
      pen_.text({x + number_width(size), y}, line, size, theme_.ink2, Font::mono);
      y += size * 1.25f;
    }
    pen_.hit({Hit::cell, box, n.place.array, n.place.index, {}, "hand-over:" + std::string(m.what)});
  }

  /// From the release to the acquire that sees it: through the room between them, or, where they share
  /// columns, round the corner that the one leaves.
  void arrow(Box from, Box to) {
    const Point a{from.right(), from.centre().y};
    if (from.right() + px(24) < to.x) {
      const Point b{to.x, to.centre().y};
      const float half = (b.x - a.x) / 2;
      pen_.curve(a, {a.x + half, a.y}, {b.x - half, b.y}, {b.x - px(7), b.y}, theme_.barrier, px(2.5f));
      pen_.arrow_head(b, {1, 0}, px(11), theme_.barrier);
      return;
    }
    const Point b{(from.right() + to.right()) / 2, to.y};
    pen_.curve(a, {b.x, a.y}, {b.x, a.y}, {b.x, b.y - px(7)}, theme_.barrier, px(2.5f));
    pen_.arrow_head(b, {0, 1}, px(11), theme_.barrier);
  }

  std::vector<Move> moves_;
  const Moments& model_;
  const Cursor& cursor_;
  const Theme& theme_;
  Picture picture_;
  Pen pen_;
};

}  // namespace

std::optional<HandOver> hand_over_shown(const Moments& model, const Cursor& c) {
  const auto flag = model.selected(c);
  return flag ? hand_over_at(model.run(), c, *flag) : std::nullopt;
}

float hand_over_height(const Moments& model, const Cursor& c, const Theme& t, const Metrics& m, float width) {
  return HandOverView(model, c, t, m, width, 0).height();
}

Picture hand_over(const Moments& model, const Cursor& c, const Theme& t, const Metrics& m, float width,
                  float height) {
  return HandOverView(model, c, t, m, width, height).draw();
}

}  // namespace bscope
