#include "app/view/watch/hand_over.hpp"

#include <algorithm>
#include <array>

#include "app/view/watch/draw.hpp"
#include "app/view/watch/phrase.hpp"
#include "app/view/watch/state.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

class HandOverView {
 public:
  HandOverView(const WatchModel& model, const Cursor& c, const Theme& t, const Metrics& m, float w, float h)
      : model_(model), cursor_(c), theme_(t), pen_(picture_, m) {
    picture_.width = w;
    picture_.height = h;
  }

  Picture draw() {
    const float left = margin(theme_), room = picture_.width - 2 * left;
    const float label = px(theme_.projector() ? 22 : theme_.size_label), title = px(theme_.size_title);
    float y = px(theme_.projector() ? 22 : 18);
    const Box named = pen_.text({left, y}, std::string(say("Hand-over")), title, theme_.ink, Font::text_bold);
    const auto shown = hand_over_shown(model_, cursor_);
    const std::string more(say("time runs down"));
    if (shown && pen_.width(more, label) < left + room - named.right() - px(14))
      pen_.text({named.right() + px(14), y}, more, label, theme_.ink2);
    y += title * 0.9f;
    if (!shown) {
      rich_text(pen_, {left, y, room, 0},
                rich(std::string(say("No thread has acquired what another released here: select a flag.")),
                     theme_.ink),
                label);
      return std::move(picture_);
    }
    struct Move {
      int node;
      std::string_view what;
      Colour colour;
      bool gives;
    };
    std::vector<Move> moves;
    if (shown->store >= 0) moves.push_back({shown->store, say("store"), theme_.write, true});
    moves.push_back({shown->release, say("release"), theme_.barrier, true});
    moves.push_back({shown->acquire, say("acquire"), theme_.barrier, false});
    if (shown->load >= 0) moves.push_back({shown->load, say("read"), theme_.read, false});

    // a column for the giver, one for the taker
    const float between = px(theme_.projector() ? 60 : 76), column = (room - between) / 2;
    const float at[2] = {left, left + column + between};
    for (const bool gives : {true, false}) {
      const Node& n = node(gives ? shown->release : shown->acquire);
      pen_.text({at[!gives], y + label * 0.7f},
                pen_.fitted(said(thread_name(launch(n), n.thread)), column, label, Font::text_bold), label,
                theme_.thread, Font::text_bold);
    }
    y += label * 1.7f;
    const float foot = label * 1.5f * 2, bottom = picture_.height - px(8) - foot;
    const float step = (bottom - y) / float(moves.size()), high = std::min(step - px(6), label * 2.9f);
    std::array<Box, 2> ends;  // of release and acquire
    for (size_t k = 0; k < moves.size(); ++k) {
      const Move& m = moves[k];
      const Box box{at[!m.gives], y + (float(k) + 0.5f) * step - high / 2, column, high};
      if (m.node == shown->release) ends[0] = box;
      if (m.node == shown->acquire) ends[1] = box;
      access(box, node(m.node), m.what, m.colour, label);
    }
    arrow(ends[0], ends[1]);
    if (shown->load >= 0) {
      const Node& load = node(shown->load);
      rich_text(pen_, {left, bottom + px(2), room, 0},
                phrase(say("Stored before the release, read after the acquire: {0} is {1} for whoever has "
                           "seen the flag."),
                       theme_.ink2,
                       {{{name(load), theme_.read, Font::mono_bold, load.place.array, load.place.index}},
                        rich(value(load), theme_.read, Font::mono_bold)}),
                label);
    }
    return std::move(picture_);
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
  std::string code(const Node& n) const {
    const std::string& text = model_.trace().sources[size_t(launch(n).source)].text;
    size_t at = 0;
    for (int line = 1; line < n.line && at != std::string::npos; ++line) {
      at = text.find('\n', at);
      if (at != std::string::npos) ++at;
    }
    if (at == std::string::npos) return {};
    const size_t end = std::min(text.find('\n', at), text.size());
    at = std::min(text.find_first_not_of(' ', at), end);
    return text.substr(at, end - at);
  }

  /// "release published[0] = 1", below it the line that does it.
  void access(Box box, const Node& n, std::string_view what, Colour colour, float label) {
    pen_.rect(box, theme_.cell, 0, 1, px(4));
    pen_.rect({box.x, box.y, px(4), box.h}, colour);
    const float inner = px(12), small = theme_.projector() ? label : px(12);
    const bool two = box.h > label * 1.3f + small * 1.3f;
    const float first = two ? box.y + box.h * 0.3f : box.centre().y;
    const Box word = pen_.text({box.x + inner, first}, std::string(what), label, theme_.ink, Font::text_bold);
    const std::string words = name(n) + " = " + value(n);
    const float from = word.right() + px(10);
    pen_.text({from, first}, pen_.fitted(words, box.right() - from - px(8), label, Font::mono_bold), label,
              theme_.ink, Font::mono_bold);
    if (two) {
      const std::string line = std::to_string(n.line) + "  " + code(n);
      pen_.text({box.x + inner, box.y + box.h * 0.72f},
                pen_.fitted(line, box.w - inner - px(8), small, Font::mono), small, theme_.ink2, Font::mono);
    }
    pen_.hit({Hit::cell, box, n.place.array, n.place.index, {}, "hand-over:" + std::string(what)});
  }

  /// From the release to the acquire that sees it.
  void arrow(Box from, Box to) {
    const Point a{from.right(), from.centre().y}, b{to.x, to.centre().y};
    const float half = (b.x - a.x) / 2;
    pen_.curve(a, {a.x + half, a.y}, {b.x - half, b.y}, {b.x - px(7), b.y}, theme_.barrier, px(2.5f));
    pen_.arrow_head(b, {1, 0}, px(11), theme_.barrier);
  }

  const WatchModel& model_;
  const Cursor& cursor_;
  const Theme& theme_;
  Picture picture_;
  Pen pen_;
};

}  // namespace

std::optional<HandOver> hand_over_shown(const WatchModel& model, const Cursor& c) {
  const auto flag = model.selected(c);
  if (!flag) return {};
  const std::vector<HandOver> all = hand_overs(model.flow(), *flag);
  if (all.empty()) return {};
  const auto block = [&](int id) {
    const Node& n = model.flow().nodes[size_t(id)];
    return n.launch == c.launch ? n.thread / model.trace().launches[size_t(n.launch)].block : -1;
  };
  // one that hands a number over says more
  const auto rank = [&](const HandOver& h) {
    return (block(h.acquire) == c.block ? 4 : block(h.release) == c.block ? 2 : 0) + (h.load >= 0 ? 1 : 0);
  };
  return *std::max_element(all.begin(), all.end(),
                           [&](const HandOver& l, const HandOver& r) { return rank(l) < rank(r); });
}

Picture hand_over(const WatchModel& model, const Cursor& c, const Theme& t, const Metrics& m, float width,
                  float height) {
  return HandOverView(model, c, t, m, width, height).draw();
}

}  // namespace bscope
