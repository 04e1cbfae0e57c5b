#include "app/view/watch/why_panel.hpp"

#include <algorithm>
#include <set>

#include "app/view/watch/draw.hpp"
#include "engine/analysis/why.hpp"

namespace bscope {
namespace {

class WhyPanel {
 public:
  WhyPanel(const WatchModel& model, const Cursor& c, const Theme& t) : model_(model), cursor_(c), theme_(t) {
    step_ = model.step(c);
    selected_ = model.selected(c);
  }

  std::string title() const {
    if (!step_ || !selected_) return "Why?";
    const StatePtr state = model_.after(*step_, Part{selected_->array, selected_->index, 1});
    const std::string cell = name(*selected_);
    if (!landed()) return "What becomes of " + cell + "?";
    if (!state->is_known(selected_->index)) return cell + " holds nothing yet";
    return "Why is " + cell + " = " + value_text(*state, selected_->index) + "?";
  }

  // The sentence: who computed the value, from what, read where.
  RichText sentence() const {
    RichText out;
    if (!step_) return out;
    if (!selected_) {
      add(out, "No cell changes in this step.", theme_.ink);
      return out;
    }
    const Place place = *selected_;
    const int node = model_.holder(*step_, place);
    if (node < 0) {
      const StatePtr state = model_.after(*step_, Part{place.array, place.index, 1});
      cell(out, place, theme_.ink);
      if (state->is_known(place.index)) {
        add(out, " = ", theme_.ink, Font::mono);
        add(out, value_text(*state, place.index), value_colour(), Font::mono_bold);
        add(out, ": so it was when the run began.", theme_.ink);
      } else {
        add(out, " has not been written yet.", theme_.ink);
      }
      return out;
    }
    const Node& n = model_.flow().nodes[size_t(node)];
    const Launch& launch = model_.trace().launches[size_t(n.launch)];
    add(out, "Thread " + std::to_string(n.thread % launch.block), theme_.thread, Font::text_bold);
    if (n.launch != block().launch || n.thread / launch.block != block().block)
      add(out, " of block " + std::to_string(n.thread / launch.block), theme_.thread, Font::text_bold);
    add(out, ": ", theme_.thread, Font::text_bold);
    cell(out, place, theme_.ink);
    add(out, " = ", theme_.ink, Font::mono);
    const std::string result = text(n, written_bits(model_.flow(), n));
    if (!landed()) {
      // before the barrier opens the sentence says what is read, not what comes of it
      add(out, "?", theme_.ink, Font::mono_bold);
    } else if (is_atomic(n.op)) {
      if (n.op == Op::atomic_add && n.b >= 0) {
        add(out, text(n, n.bits), theme_.read, Font::mono_bold);
        add(out, " + ", theme_.ink, Font::mono);
        add(out, text(model_.flow().nodes[size_t(n.b)], model_.flow().nodes[size_t(n.b)].bits), theme_.ink,
            Font::mono_bold);
        add(out, " = ", theme_.ink, Font::mono);
      }
      add(out, result, value_colour(), Font::mono_bold);
      add(out, ", in one atomic operation.", theme_.ink);
      return out;
    }
    const Why w = why(model_.trace(), model_.flow(), model_.run().report.words(), interval_of(n), place, 1);
    std::vector<const Why*> from;
    for (const Why& part : w.from)
      if (part.place.array >= 0 || part.node >= 0 || !part.value.empty()) from.push_back(&part);
    const bool one_place = from.size() == 1 && from[0]->place.array >= 0;
    if (landed()) {
      if (w.op == "copy" || (one_place && from[0]->value == result)) {
        add(out, result, value_colour(), Font::mono_bold);
        if (one_place) {
          add(out, ", copied from ", theme_.ink);
          read_cell(out, *from[0]);
        }
        add(out, ".", theme_.ink);
        return out;
      }
      if (from.empty() || w.op == "constant") {
        add(out, result, value_colour(), Font::mono_bold);
        add(out, ", a constant.", theme_.ink);
        return out;
      }
      const std::string op = sign(w.op);
      const bool call = op == "min" || op == "max" || w.op == "other";
      if (call) add(out, op + "(", theme_.ink, Font::mono);
      for (size_t k = 0; k < from.size() && k < 6; ++k) {
        if (k) add(out, call ? ", " : " " + op + " ", theme_.ink, Font::mono);
        add(out, from[k]->value, from[k]->place.array >= 0 ? theme_.read : theme_.ink, Font::mono_bold);
      }
      if (from.size() > 6) add(out, " ...", theme_.ink, Font::mono);
      if (call) add(out, ")", theme_.ink, Font::mono);
      add(out, " = ", theme_.ink, Font::mono);
      add(out, result, value_colour(), Font::mono_bold);
    }
    std::vector<const Why*> cells;
    for (const Why* part : from)
      if (part->place.array >= 0) cells.push_back(part);
    for (size_t k = 0; k < cells.size() && k < 4; ++k) {
      add(out, k == 0 ? ", read from " : k + 1 == cells.size() ? " and " : ", ", theme_.ink);
      read_cell(out, *cells[k]);
    }
    if (cells.size() > 4) add(out, " and " + std::to_string(cells.size() - 4) + " more", theme_.ink);
    add(out, ".", theme_.ink);
    return out;
  }

  // What the sources held, in words of input elements; when it was written, if that was earlier.
  RichText background() const {
    RichText out;
    if (!step_ || !selected_) return out;
    const int node = model_.holder(*step_, *selected_);
    if (node < 0 || !landed()) return out;
    const Node& n = model_.flow().nodes[size_t(node)];
    const Interval& at = interval_of(n);
    const auto& words = model_.run().report.words();
    if (n.launch != block().launch)
      add(out,
          "Written in launch " + std::to_string(n.launch + 1) + ", step " + std::to_string(at.index + 1) +
              ". ",
          theme_.ink2);
    else if (at.index != step_->interval->index)
      add(out, "Written in step " + std::to_string(at.index + 1) + ". ", theme_.ink2);
    const Why w = why(model_.trace(), model_.flow(), words, at, *selected_, 1);
    bool any = false;
    for (const Why& part : w.from) {
      if (part.word.empty() || part.word == "identity" || part.place.array < 0) continue;
      add(out, (any ? ", " : "") + part.cell, theme_.ink2, Font::mono);
      add(out, " held ", theme_.ink2);
      add(out, part.word, theme_.ink2, Font::mono);
      any = true;
    }
    const std::string now = size_t(node) < words.size() ? words[size_t(node)].text() : std::string();
    if (any && !now.empty() && w.op != "copy") {
      add(out, "; now ", theme_.ink2);
      add(out, name(*selected_), theme_.ink2, Font::mono);
      add(out, " holds ", theme_.ink2);
      add(out, now, theme_.ink2, Font::mono);
    }
    if (any) add(out, ". ", theme_.ink2);
    if (is_atomic(n.op) && n.address >= 0) {
      const Node& a = source_of(n.address);
      if (a.place.array >= 0 && a.op != Op::shuffle) {
        add(out, "The bin was chosen by ", theme_.ink2);
        add(out, model_.name(n.launch, a.place) + " = " + text(a, a.bits), theme_.ink2, Font::mono);
        add(out, ". ", theme_.ink2);
      }
    }
    if (const auto* written = step_->writes_of(*selected_); written && written->times > 1)
      add(out,
          std::to_string(written->times) + (is_atomic(n.op) ? " atomics queue for" : " writes reach") +
              " this cell in this step" + lost(*written) + ".",
          theme_.ink2);
    return out;
  }

  RichText idle() const {
    RichText out;
    if (!step_) return out;
    std::vector<int> ranks;
    for (size_t k = 0; k < step_->works.size(); ++k)
      if (!step_->works[k]) ranks.push_back(int(k));
    const std::string all = std::to_string(step_->works.size());
    if (ranks.empty()) {
      add(out, step_->works.size() == 1 ? "The only thread works." : "All " + all + " threads work.",
          theme_.ink3);
      return out;
    }
    add(out,
        std::to_string(ranks.size()) + " of " + all +
            (step_->works.size() == 1 ? " thread idle: " : " threads idle: "),
        theme_.projector() ? theme_.ink : theme_.ink2, Font::text_bold);
    add(out, thread_list(ranks) + (ranks.size() == 1 ? " touches no cell here." : " touch no cell here."),
        theme_.projector() ? theme_.ink2 : theme_.ink3);
    return out;
  }

 private:
  const BlockSteps& block() const { return model_.block(cursor_); }
  bool landed() const { return cursor_.phase >= 520.0f / 600; }
  std::string name(Place p) const { return model_.name(block().launch, p); }
  std::string lost(const Step::Written&) const {
    const int n = model_.lost(*step_, *selected_);
    return n ? ", " + std::to_string(n) + " of them lost" : std::string();
  }
  static std::string text(const Node& n, uint64_t bits) { return value_text({Kind(n.kind), {bits}, {1}}, 0); }
  // On light panels `changed` is a fill, never text.
  Colour value_colour() const { return theme_.dark() ? theme_.changed : theme_.ink; }
  const Interval& interval_of(const Node& n) const {
    const int threads = model_.trace().launches[size_t(n.launch)].block;
    return model_.flow().of_block(n.launch, n.thread / threads)[size_t(n.interval)];
  }
  const Node& source_of(int id) const {
    const auto& nodes = model_.flow().nodes;
    while (!touches(nodes[size_t(id)].op) && nodes[size_t(id)].a >= 0) id = nodes[size_t(id)].a;
    return nodes[size_t(id)];
  }
  static void add(RichText& out, std::string words, Colour colour, Font font = Font::text) {
    out.push_back({std::move(words), colour, font, -1, -1});
  }
  void cell(RichText& out, Place p, Colour colour) const {
    out.push_back({name(p), colour, Font::mono, p.array, p.index});
  }
  void read_cell(RichText& out, const Why& part) const {
    out.push_back({part.cell, theme_.read, Font::mono_bold, part.place.array, part.place.index});
  }

  const WatchModel& model_;
  const Cursor& cursor_;
  const Theme& theme_;
  const Step* step_ = nullptr;
  std::optional<Place> selected_;
};

}  // namespace

Picture why_panel(const WatchModel& model, const Cursor& c, const Theme& t, const Metrics& m, float width,
                  float height) {
  Picture picture;
  picture.width = width;
  picture.height = height;
  Pen pen(picture, m);
  const WhyPanel panel(model, c, t);
  const float left = margin(t), room = width - 2 * left;
  const float title = t.px(t.projector() ? t.size_title : t.size_label + 1);
  float y = t.px(t.projector() ? 30 : 20);
  pen.text({left, y}, pen.fitted(panel.title(), room, title, Font::text_bold), title, t.ink, Font::text_bold);
  y += title * 0.6f + t.px(t.projector() ? 14 : 10);

  const RichText sentence = panel.sentence(), background = panel.background(), idle = panel.idle();
  const float bottom = height - t.px(10), gap = t.px(t.projector() ? 14 : 9);
  const float small_most = t.px(t.projector() ? 24 : t.size_label), least = t.px(t.projector() ? 22 : 11);
  // Large type first; smaller until all fits; then without the background, then without the idle threads.
  struct Plan {
    bool background, idle;
  };
  const Plan plans[] = {{!t.projector(), true}, {!t.projector(), true}, {false, true}, {false, false}};
  for (size_t p = 0; p < std::size(plans); ++p) {
    for (float scale = 1; scale >= (p == 0 ? 0.8f : 0.6f); scale -= 0.1f) {
      const float big = std::max(least, t.px(t.size_why) * scale),
                  small = std::max(least, small_most * std::max(scale, 0.85f));
      const auto measure = [&](bool draw) {
        float at = y;
        at += rich_text(pen, {left, at, room, 0}, sentence, big, draw);
        for (const auto& [wanted, words] :
             {std::pair{plans[p].background, &background}, std::pair{plans[p].idle, &idle}}) {
          if (!wanted || words->empty()) continue;
          at += gap;
          if (draw && t.projector())
            pen.line({left, at - gap * 0.3f}, {left + room, at - gap * 0.3f}, t.line, t.px(1.5f));
          at += rich_text(pen, {left, at, room, 0}, *words, small, draw);
        }
        return at;
      };
      const bool last = p + 1 == std::size(plans) && scale - 0.1f < 0.6f;
      if (measure(false) <= bottom || last) {
        measure(true);
        return picture;
      }
    }
  }
  return picture;
}

}  // namespace bscope
