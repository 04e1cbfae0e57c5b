#include "app/tabs/watch/why_panel.hpp"

#include <algorithm>
#include <set>

#include "app/draw/chart.hpp"
#include "app/tabs/watch/phrase.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/tabs/watch/terms.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/why.hpp"
#include "engine/analysis/why_idle.hpp"
#include "engine/analysis/why_rows.hpp"

namespace bscope {
namespace {

class WhyPanel {
  const Bulk<Node>& nodes() const { return model_.flow().nodes; }

 public:
  WhyPanel(const Moments& model, const Cursor& c, const Theme& t) : model_(model), cursor_(c), theme_(t) {
    step_ = model.step(c);
    sub_ = model.instruction(c);
    selection_ = model.selection(c);
    selected_ = selection_.cell;
  }

  std::string title() const {
    if (!step_) return say("Why?");
    if (!selected_)
      return selection_.thread < 0 ? say("Why?") : say("What does thread {} do?", selection_.thread);
    const std::string cell = name(*selected_);
    if (reading()) return say("What does thread {} read?", selection_.thread);
    if (!landed()) return say("What becomes of {}?", cell);
    if (followed_by_others()) return say("What does thread {0} make of {1}?", selection_.thread, cell);
    const std::string value = value_of_cell();
    return value.empty() ? say("{} holds nothing yet", cell) : say("Why is {} = {}?", cell, value);
  }

  // The sentence: who computed the value, from what, read where.
  RichText sentence() const {
    if (!step_) return {};
    if (!selected_) return nothing();
    const Place place = *selected_;
    const int node = selection_.node;
    if (node < 0) {
      const std::string value = value_of_cell();
      if (value.empty())
        return phrase(say("{} has not been written yet."), theme_.ink, {cell(place, theme_.ink)});
      return phrase(say("{0} = {1}: so it was when the run began."), theme_.ink,
                    {cell(place, theme_.ink), number(value, value_colour())});
    }
    if (reading()) {
      const Node& n = model_.flow().nodes[size_t(node)];
      return phrase(
          say("{0} reads {1} = {2} into a register."), theme_.ink,
          {thread_of(n), RichText{{name(place), theme_.read, Font::mono_bold, place.array, place.index}},
           number(text(n, n.bits), theme_.read)});
    }
    return made_by(node, theme_.ink);
  }

  /// How a store or an atomic came to its value.
  RichText made_by(int node, Colour ink) const {
    const Place place = model_.flow().nodes[size_t(node)].place;
    const Node& n = model_.flow().nodes[size_t(node)];
    const RichText thread = thread_of(n), to = cell(place, ink);
    const uint64_t old = model_.found(sub_, node);
    const std::string result = text(n, written_bits(model_.flow(), n, old));
    const RichText value = number(result, value_colour());
    if (landed() && is_atomic(n.op)) {
      if (n.op != Op::atomic_add || n.b < 0)
        return phrase(say("{0}: {1} = {2}, in one atomic operation."), ink, {thread, to, value});
      const Node& operand = model_.flow().nodes[size_t(n.b)];
      return phrase(
          say("{0}: {1} = {2} + {3} = {4}, in one atomic operation."), ink,
          {thread, to, number(text(n, old), theme_.read), number(text(operand, operand.bits), ink), value});
    }
    const Why w = made_of(model_.trace(), model_.flow(), model_.run().report.words(), node);
    const std::vector<const Why*> from = terms(w);
    const bool one_place = from.size() == 1 && from[0]->place.array >= 0;
    RichText formula = to;
    append(formula, rich(" = ", ink, Font::mono));
    if (!landed()) {
      // before the barrier opens the sentence says what is read, not what comes of it
      append(formula, rich("?", ink, Font::mono_bold));
    } else {
      if (w.op == "copy" || (one_place && from[0]->value == result)) {
        append(formula, value);
        return one_place
                   ? phrase(say("{0}: {1}, copied from {2}."), ink, {thread, formula, read_cell(*from[0])})
                   : phrase(say("{0}: {1}."), ink, {thread, formula});
      }
      if (from.empty() || w.op == "constant") {
        append(formula, value);
        return phrase(say("{0}: {1}, a constant."), ink, {thread, formula});
      }
      const std::string op = sign(w.op);
      const bool call = is_call(w.op);
      if (call) append(formula, rich(op + "(", ink, Font::mono));
      for (size_t k = 0; k < from.size() && k < 6; ++k) {
        if (k) append(formula, rich(call ? ", " : " " + op + " ", ink, Font::mono));
        append(formula, number(from[k]->value, from[k]->place.array >= 0 ? theme_.read : ink));
      }
      if (from.size() > 6) append(formula, rich(" ...", ink, Font::mono));
      if (call) append(formula, rich(")", ink, Font::mono));
      append(formula, rich(" = ", ink, Font::mono));
      append(formula, value);
    }
    std::vector<RichText> cells;
    size_t more = 0;
    for (const Why* part : from)
      if (part->place.array >= 0) {
        if (cells.size() < 4)
          cells.push_back(read_cell(*part));
        else
          ++more;
      }
    if (more) cells.push_back(rich(say("{} more", more), ink));
    if (cells.empty()) return phrase(say("{0}: {1}."), ink, {thread, formula});
    return phrase(say("{0}: {1}, read from {2}."), ink, {thread, formula, listed(std::move(cells), ink)});
  }

  // What the sources held, in words of input elements; when it was written, if that was earlier.
  RichText background() const {
    RichText out;
    if (!step_ || !selected_) return out;
    if (selection_.node < 0 || !landed()) return out;
    const int read = reading() ? selection_.node : -1,
              node = read < 0 ? selection_.node : nodes()[size_t(read)].a;
    const auto& words = model_.run().report.words();
    const auto sentence = [&](RichText more) {
      if (!out.empty()) append(out, rich(" ", theme_.ink2));
      append(out, std::move(more));
    };
    if (node < 0) return rich(say("So it was when the run began."), theme_.ink2);
    const Node& n = nodes()[size_t(node)];
    const Interval& at = interval_of(n);
    if (n.launch != block().launch)
      sentence(rich(say("Written in launch {}, step {}.", launch_number(n.launch), step_number(at.index)),
                    theme_.ink2));
    else if (at.index != step_->interval->index)
      sentence(rich(say("Written in step {}.", step_number(at.index)), theme_.ink2));
    if (read >= 0) sentence(made_by(node, theme_.ink2));
    const Why w = made_of(model_.trace(), model_.flow(), words, node);
    const auto mono = [&](const std::string& s) { return rich(s, theme_.ink2, Font::mono); };
    std::vector<RichText> held;
    for (const Why& part : w.from) {
      if (part.word.empty() || part.word == "identity" || part.place.array < 0) continue;
      held.push_back(phrase(say("{0} held {1}"), theme_.ink2, {mono(part.cell), mono(part.word)}));
    }
    if (!held.empty()) {
      const std::string now = size_t(node) < words.size() ? words[size_t(node)].text() : std::string();
      const RichText all = listed(std::move(held), theme_.ink2);
      sentence(now.empty() || w.op == "copy" ? phrase(say("{0}."), theme_.ink2, {all})
                                             : phrase(say("{0}; now {1} holds {2}."), theme_.ink2,
                                                      {all, mono(name(*selected_)), mono(now)}));
    }
    if (is_atomic(n.op) && n.address >= 0) {
      const Node& a = source_of(n.address);
      if (a.place.array >= 0 && a.op != Op::shuffle)
        sentence(phrase(say("The bin was chosen by {}."), theme_.ink2,
                        {mono(model_.name(n.launch, a.place) + " = " + text(a, a.bits))}));
    }
    if (const auto* written = step_->writes_of(*selected_); written && written->times > 1) {
      const int lost = model_.lost(*step_, *selected_), times = written->times;
      const bool atomic = is_atomic(n.op);
      sentence(rich(
          lost ? atomic ? say("{} atomics queue for this cell in this step, {} of them lost.", times, lost)
                        : say("{} writes reach this cell in this step, {} of them lost.", times, lost)
          : atomic ? say("{} atomics queue for this cell in this step.", times)
                   : say("{} writes reach this cell in this step.", times),
          theme_.ink2));
      if (followed_by_others()) {
        const Node& last = nodes()[size_t(written->node)];
        sentence(rich(say("The last, by thread {0}, leaves {1}.", last.thread % int(step_->works.size()),
                          text(last, written_bits(model_.flow(), last))),
                      theme_.ink2));
      }
    }
    return out;
  }

  RichText idle() const {
    if (!step_) return {};
    std::vector<int> ranks;
    for (size_t k = 0; k < step_->works.size(); ++k)
      if (!step_->works[k]) ranks.push_back(int(k));
    const size_t all = step_->works.size();
    if (ranks.empty())
      return rich(all == 1 ? say("The only thread works.") : say("All {} threads work.", all), theme_.ink3);
    const RichText count = rich(say("{0} of {1} threads idle", ranks.size(), all),
                                theme_.projector() ? theme_.ink : theme_.ink2, Font::text_bold);
    const Colour rest = theme_.projector() ? theme_.ink2 : theme_.ink3;
    return phrase(
        ranks.size() == 1 ? say("{0}: {1} touches no cell here.") : say("{0}: {1} touch no cell here."), rest,
        {count, rich(threads_listed(ranks), rest)});
  }

  /// The write that the tree begins at; -1: there is none to show.
  int root() const {
    if (!step_ || !selected_ || !landed() || selection_.node < 0) return -1;
    return reading() ? nodes()[size_t(selection_.node)].a : selection_.node;
  }

 private:
  /// Does the thread only read the cell here?
  bool reading() const { return selection_.here && !writes(nodes()[size_t(selection_.node)].op); }
  /// Does another write of this step come after the one that is explained?
  bool followed_by_others() const {
    if (!selection_.here || sub_ || reading()) return false;
    const auto* w = step_->writes_of(*selected_);
    return w && w->node != selection_.node;
  }
  /// What the cell holds at the end; empty: nothing was ever written.
  std::string value_of_cell() const {
    if (selection_.node >= 0) {
      const Node& n = nodes()[size_t(selection_.node)];
      return text(n, written_bits(model_.flow(), n, model_.found(sub_, selection_.node)));
    }
    const StatePtr state = model_.before(*step_, Part{selected_->array, selected_->index, 1});
    return state->is_known(selected_->index) ? value_text(*state, selected_->index) : std::string();
  }
  /// Nobody touches a cell, or the followed thread does not: why not?
  RichText nothing() const {
    const int k = selection_.thread;
    if (sub_ && sub_->exchange)
      return rich(say("Lanes hand each other values: no cell is touched."), theme_.ink);
    if (k < 0) return rich(say("No cell changes in this step."), theme_.ink);
    if (sub_) return rich(say("Thread {} takes no part in this instruction.", k), theme_.ink);
    const WhyIdle why = why_idle(model_.trace(), *step_->interval, k);
    return rich(
        why.ended ? say("Thread {} has returned already.", k)
        : why.line > 0
            ? say("Thread {} touches no cell in this step: its condition in line {} was false.", k, why.line)
            : say("Thread {} touches no cell in this step.", k),
        theme_.ink);
  }
  const BlockSteps& block() const { return model_.block(cursor_); }
  bool landed() const { return cursor_.phase >= 520.0f / 600; }
  std::string name(Place p) const { return model_.name(block().launch, p); }
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
  RichText thread_of(const Node& n) const {
    const Launch& launch = model_.trace().launches[size_t(n.launch)];
    const int rank = n.thread % launch.block, of = n.thread / launch.block;
    const bool ours = n.launch == block().launch && of == block().block;
    return rich(ours ? say("Thread {}", rank) : say("Thread {0} of block {1}", rank, of), theme_.thread,
                Font::text_bold);
  }
  static RichText number(std::string words, Colour colour) {
    return rich(std::move(words), colour, Font::mono_bold);
  }
  RichText cell(Place p, Colour colour) const { return {{name(p), colour, Font::mono, p.array, p.index}}; }
  RichText read_cell(const Why& part) const {
    return {{part.cell, theme_.read, Font::mono_bold, part.place.array, part.place.index}};
  }

  const Moments& model_;
  const Cursor& cursor_;
  const Theme& theme_;
  const Step* step_ = nullptr;
  const Instruction* sub_ = nullptr;
  Selection selection_;
  std::optional<Place> selected_;
};

/// The tree below the sentence: a row a value.
class Tree {
 public:
  Tree(const Moments& model, const Cursor& c, const Theme& t, Pen& pen, const WatchState& state)
      : block_(model.block(c)), theme_(t), pen_(pen), state_(state) {}

  void draw(const std::vector<WhyRow>& rows, Box room) {
    const float h = size() * (theme_.projector() ? 1.5f : 1.6f);
    const int fit = std::max(1, int(room.h / h)), all = int(rows.size());
    const bool all_fit = all <= fit;
    const int count = all_fit ? all : std::max(1, fit - 1);
    int first = std::clamp(state_.why_scroll, 0, std::max(0, all - count));
    if (state_.why_row >= 0) {  // the focus stays in view
      const int focus = std::min(state_.why_row, all - 1);
      first = std::clamp(first, std::max(0, focus - count + 1), std::max(0, std::min(focus, all - count)));
    }
    int deepest = 1;
    for (int k = first; k < first + count; ++k) deepest = std::max(deepest, rows[size_t(k)].depth);
    indent_ = std::min(size() * 1.15f, room.w * 0.4f / float(deepest));
    for (int k = first; k < first + count; ++k)
      row(rows[size_t(k)], k, {room.x, room.y + h * float(k - first), room.w, h});
    if (all_fit) return;
    const std::string words = say("rows {0} to {1} of {2}", first + 1, first + count, all);
    const std::string more = state_.why_tall || theme_.printed ? std::string() : "   " + say("Alt+W: taller");
    const float y = room.y + h * (float(count) + 0.5f), small = size();
    const std::string& line = pen_.width(words + more, small) <= room.w ? words + more : words;
    pen_.text({room.x, y}, line, small, theme_.ink3);
  }

 private:
  float px(float v) const { return theme_.px(v); }
  float size() const { return px(theme_.projector() ? 22 : theme_.size_code); }

  void row(const WhyRow& r, int number, Box box) {
    const float y = box.centre().y, mark = size() * 0.5f;
    if (number == state_.why_row) pen_.rect(box, theme_.selected, 0, 1, px(3));
    float x = box.x + indent_ * float(r.depth);
    if (r.depth > 0) {
      pen_.line({x - indent_ * 0.5f, box.y}, {x - indent_ * 0.5f, y}, theme_.line, px(1));
      pen_.line({x - indent_ * 0.5f, y}, {x, y}, theme_.line, px(1));
    }
    const Point c{x + mark, y};
    if (r.opens && r.writer >= 0) {
      const float s = mark * 0.8f;
      if (r.open)
        pen_.polygon({{c.x - s, c.y - s * 0.6f}, {c.x + s, c.y - s * 0.6f}, {c.x, c.y + s * 0.8f}},
                     theme_.ink2);
      else
        pen_.polygon({{c.x - s * 0.6f, c.y - s}, {c.x + s * 0.8f, c.y}, {c.x - s * 0.6f, c.y + s}},
                     theme_.ink);
    } else {
      const float d = mark * 0.5f;
      pen_.rect({c.x - d / 2, c.y - d / 2, d, d}, theme_.ink3, 0, 1, d / 2);
    }
    const Box fold{x, box.y, mark * 2 + px(2), box.h};
    x = fold.right() + px(4);
    const float right = box.right();
    const float text_x = x;
    const auto put = [&](const std::string& words, Colour colour, Font font, float gap) {
      if (words.empty()) return true;
      const float w = pen_.width(words, size(), font);
      if (x + w > right) return false;
      pen_.text({x, y}, words, size(), colour, font);
      x += w + gap;
      return true;
    };
    const float gap = size() * 0.75f;
    const Colour value = r.op == "given" ? theme_.ink : theme_.read;
    const std::string head = r.cell.empty() ? r.value : r.cell + " = " + r.value;
    if (!put(head, value, Font::mono_bold, gap))
      put(pen_.fitted(head, right - x, size(), Font::mono_bold), value, Font::mono_bold, gap);
    // what has no room is left out whole: the tip has it
    std::vector<std::string> more;
    if (r.above)
      more = {say("as above")};
    else if (r.op == "constant" && r.cell.empty())
      more = {say("constant")};
    else if (r.op == "given")
      more = {r.word.empty() ? say("as it was") : say("input {}", r.word)};
    else if (r.cell.empty())
      more = {sign(r.op), place_words(r)};
    else
      more = {"t" + std::to_string(r.thread) + " " + sign(r.op), say("line {}", r.line), place_words(r),
              r.word};
    for (const std::string& words : more)
      if (!put(words, theme_.ink2, Font::text, gap)) break;
    if (r.opens && r.writer >= 0)
      press(pen_, theme_,
            {.what = Hit::button,
             .box = fold,
             .a = r.writer,
             .b = number,
             .tip = r.open ? say("Fold what it was made from.") : say("Unfold what it was made from."),
             .name = "why:fold:" + std::to_string(number),
             .press = [writer = r.writer, number](State& s, float) {
               s = turn_why(std::move(s), writer);
               s.of<WatchState>().why_row = number;
             }});
    press(pen_, theme_,
          {.what = Hit::button,
           .box = {text_x, box.y, std::max(px(8), right - text_x), box.h},
           .a = r.writer,
           .b = number,
           .tip = tip(r, head),
           .name = "why:row:" + std::to_string(number),
           .press = [writer = r.writer](State& s, float) { s = to_write(std::move(s), writer); }});
  }

  // When and where: as little as is needed to tell it from here.
  std::string place_words(const WhyRow& r) const {
    std::string out;
    if (r.launch != block_.launch) out = say("launch {}", launch_number(r.launch)) + " ";
    if (r.block != block_.block) out += say("block {}", r.block) + " ";
    return out + say("step {}", step_number(r.interval));
  }
  std::string tip(const WhyRow& r, const std::string& head) const {
    if (r.op == "given" || r.thread < 0) return head + say(".");
    return say("{0}: thread {1} of block {2}, line {3}, launch {4}, step {5}. Click to go there.", head,
               r.thread, r.block, r.line, launch_number(r.launch), step_number(r.interval));
  }

  const BlockSteps& block_;
  const Theme& theme_;
  Pen& pen_;
  const WatchState& state_;
  float indent_ = 0;
};

}  // namespace

Picture why_panel(const Moments& model, const Cursor& c, const Theme& t, const Metrics& m, float width,
                  float height, const WatchState& state) {
  Picture picture;
  picture.width = width;
  picture.height = height;
  Pen pen(picture, m);
  const WhyPanel panel(model, c, t);
  const float left = margin(t), room = width - 2 * left;
  const float title = t.px(t.projector() ? t.size_title : t.size_label + 1);
  float y = t.px(t.projector() ? 30 : 20);
  const int root = panel.root();
  const bool tree = root >= 0 && state.why_levels > 0;
  float right = left + room;
  if (root >= 0 && !t.printed) {
    // what the keys do stands at the right of the title
    const float small = t.px(t.projector() ? 22 : t.size_label - 1);
    const std::string words(!tree            ? say("W: back to the inputs")
                            : state.why_tall ? say("Alt+W: smaller")
                                             : say("W: further"));
    const float w = pen.width(words, small);
    if (left + pen.width(panel.title(), title, Font::text_bold) + t.px(12) + w <= right) {
      const Box at = pen.text({right, y}, words, small, t.ink3, Font::text, Align::right);
      const bool shrinks = tree && state.why_tall;
      pen.hit({.what = Hit::button,
               .box = at,
               .tip = say("Unfolds the value's tree by one level, back to the inputs. Shift+W folds it."),
               .name = shrinks ? "why:tall" : "why:unfold",
               .press = [shrinks](State& s, float) {
                 s = shrinks ? tall_why(std::move(s)) : unfold_why(std::move(s), 1);
               }});
      right = at.x - t.px(12);
    }
  }
  pen.text({left, y}, pen.fitted(panel.title(), right - left, title, Font::text_bold), title, t.ink,
           Font::text_bold);
  y += title * 0.6f + t.px(t.projector() ? 14 : 10);

  const RichText sentence = panel.sentence();
  const float bottom = height - t.px(10), gap = t.px(t.projector() ? 14 : 9);
  const float small_most = t.px(t.projector() ? 24 : t.size_label), least = t.px(t.projector() ? 22 : 11);
  if (tree) {
    const float most = t.px(t.size_why), half = (bottom - y) * 0.5f;
    float size = most;
    while (size > least && rich_text(pen, {left, y, room, 0}, sentence, size, false) > half)
      size = std::max(least, size - most * 0.1f);
    if (rich_text(pen, {left, y, room, 0}, sentence, size, false) < bottom - y - least * 3)
      y += rich_text(pen, {left, y, room, 0}, sentence, size) + t.px(4);
    const float bar = t.px(6);
    Tree(model, c, t, pen, state)
        .draw(why_rows(model.run(), root, state.why_levels, state.why_turned),
              {left - bar, y, room + bar, bottom - y});
    return picture;
  }
  const RichText background = panel.background(), idle = panel.idle();
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
