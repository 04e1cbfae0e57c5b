#include "app/tabs/watch/prediction_panel.hpp"

#include <algorithm>

#include "app/session/state.hpp"
#include "app/tabs/watch/phrase.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/why.hpp"

namespace bscope {
namespace {

class PredictionPanel {
 public:
  PredictionPanel(const Moments& model, const Cursor& c, const Prediction& p, const Theme& t,
                  const Metrics& m, float w, float h)
      : model_(model), cursor_(c), asked_(p), theme_(t), pen_(picture_, m), step_(*model.step(c)) {
    picture_.width = w;
    picture_.height = h;
  }

  Picture draw() {
    const float thick = px(2);
    pen_.rect({thick / 2, thick / 2, picture_.width - thick, picture_.height - thick}, 0,
              theme_.dark() ? theme_.changed : theme_.ink, thick, px(6));
    const float left = margin(theme_), room = picture_.width - 2 * left;
    const float small = px(theme_.projector() ? 22 : theme_.size_label);
    float y = px(theme_.projector() ? 28 : 20);
    heading(left, room, y, small);
    y += px(theme_.projector() ? 22 : 16);
    const float bottom = buttons(left, room);

    const RichText first = asked_.revealed ? verdict() : question();
    const RichText second = asked_.revealed ? reason() : help();
    const float least = px(theme_.projector() ? 22 : 11);
    for (float scale = 1;; scale -= 0.1f) {
      const float big = std::max(least, px(theme_.size_why) * scale);
      const bool last = big <= least;
      const auto lay = [&](bool draw) {
        float at = y + rich_text(pen_, {left, y, room, 0}, first, big, draw);
        if (!second.empty())
          at += px(5) + rich_text(pen_, {left, at + px(5), room, 0}, second, std::min(small, big), draw);
        return at;
      };
      if (lay(false) <= bottom || last) {
        // what has no room is left out from the end: first the help
        if (last && lay(false) > bottom)
          rich_text(pen_, {left, y, room, 0}, first, big);
        else
          lay(true);
        return std::move(picture_);
      }
    }
  }

 private:
  float px(float v) const { return theme_.px(v); }
  std::string name(Place p) const { return model_.name(step_.interval->launch, p); }
  Colour value_colour() const { return theme_.dark() ? theme_.changed : theme_.ink; }
  RichText cell(Place p, Colour colour) const {
    return {{name(p), colour, Font::mono_bold, p.array, p.index}};
  }
  std::string truth(int box) const {
    const auto bits = bits_after(model_.run(), asked_.step, asked_.place(box));
    return bits ? value_text({kind_of(model_.run(), asked_), {*bits}, {1}}, 0) : std::string("?");
  }

  void heading(float left, float room, float y, float small) {
    const float size = px(theme_.projector() ? theme_.size_title : theme_.size_label + 1);
    std::string score;
    if (asked_.asked > 0) score = say("{} of {} so far", asked_.right, asked_.asked);
    float right = left + room;
    if (!score.empty())
      right = pen_.text({right, y}, score, small, theme_.ink2, Font::text, Align::right).x - px(10);
    const std::string title(asked_.revealed ? say("What it holds") : say("Predict before you reveal"));
    pen_.text({left, y}, pen_.fitted(title, right - left, size, Font::text_bold), size, theme_.ink,
              Font::text_bold);
  }

  // When the cells hold what is asked for.
  std::string moment() const {
    if (step_.interval->line == 0) return say("when the block ends");
    return say("after barrier {}", barrier_number(step_.interval->index));
  }

  RichText question() const {
    std::vector<RichText> names;
    constexpr size_t most = 4;
    const size_t n = asked_.cells.size(), shown = n <= most + 1 ? n : most;
    for (size_t k = 0; k < shown; ++k) names.push_back(cell(asked_.place(int(k)), value_colour()));
    if (shown < n) names.push_back(rich(say("{} more", n - shown), theme_.ink));
    const RichText cells = listed(std::move(names), theme_.ink);
    return phrase(n == 1 ? say("What does {0} hold {1}?") : say("What do {0} hold {1}?"), theme_.ink,
                  {cells, rich(moment(), theme_.ink)});
  }

  RichText help() const {
    RichText out;
    const int n = int(asked_.cells.size());
    if (asked_.hints > 0) {
      append(out, clue());
      append(out, rich("\n", theme_.ink2));
    } else if (asked_.changed > n) {
      append(out,
             rich(say("{} cells change; these {} are a sample.", asked_.changed, n) + "\n", theme_.ink2));
    } else if (!theme_.projector() && !theme_.printed) {
      append(out, rich(std::string(cursor_.arrows ? say("Arrows shown; press A to hide them.")
                                                  : say("Arrows hidden; press A to show them.")) +
                           "\n",
                       theme_.ink2));
    }
    append(out, rich(say("{} of {} filled", asked_.filled(), n), theme_.ink2));
    return out;
  }

  // What goes into the focused cell: first one operand, then all of them; never the result.
  RichText clue() const {
    const Place p = asked_.place(asked_.box);
    const auto* written = step_.writes_of(p);
    if (!written) return {};
    const Why w = why(model_.trace(), model_.flow(), model_.run().report.words(), *step_.interval, p, 1);
    const Node& node = model_.flow().nodes[size_t(written->node)];
    const int threads = model_.trace().launches[size_t(node.launch)].block;
    const auto mono = [&](std::string s, Colour c) { return rich(std::move(s), c, Font::mono_bold); };
    if (written->times > 1) {
      const StatePtr before = model_.before(step_, Part{p.array, p.index, 1});
      const std::string old = before->is_known(p.index) ? value_text(*before, p.index) : "?";
      return phrase(
          say("{0} held {1} before; {2} writes reach it in this step."), theme_.ink2,
          {cell(p, theme_.ink), mono(old, theme_.read), mono(std::to_string(written->times), theme_.ink)});
    }
    std::vector<const Why*> from;
    for (const Why& part : w.from)
      if (!part.value.empty()) from.push_back(&part);
    const RichText thread = rich(say("Thread {}", node.thread % threads), theme_.thread, Font::text_bold);
    if (from.empty() || w.op == "constant")
      return phrase(say("{0} stores a constant; it reads no cell for it."), theme_.ink2, {thread});
    const bool copies = w.op == "copy";
    const auto operand = [&](const Why& part) {
      RichText out;
      if (part.place.array >= 0)
        append(out, cell(part.place, theme_.read)), append(out, rich(" = ", theme_.ink2));
      append(out, mono(part.value, part.place.array >= 0 ? theme_.read : theme_.ink));
      return out;
    };
    if (copies && asked_.hints == 1)
      return from[0]->place.array >= 0 ? phrase(say("{0} copies it, from {1}."), theme_.ink2,
                                                {thread, cell(from[0]->place, theme_.read)})
                                       : phrase(say("{0} copies it."), theme_.ink2, {thread});
    if (copies) return phrase(say("{0} copies {1}."), theme_.ink2, {thread, operand(*from[0])});
    const std::string op = sign(w.op);
    if (asked_.hints == 1)
      return phrase(
          say("{0} combines {1} values with {2}; one is {3}."), theme_.ink2,
          {thread, mono(std::to_string(from.size()), theme_.ink), mono(op, theme_.ink), operand(*from[0])});
    std::vector<RichText> all;
    for (const Why* part : from) all.push_back(operand(*part));
    return phrase(say("{0} combines {1} with {2}."), theme_.ink2,
                  {thread, listed(std::move(all), theme_.ink2), mono(op, theme_.ink)});
  }

  RichText verdict() const {
    const int n = int(asked_.cells.size()), tried = asked_.filled();
    std::vector<int> wrong;  // and skipped
    int right = 0;
    for (int k = 0; k < n; ++k)
      if (is_right(model_.run(), asked_, k))
        ++right;
      else
        wrong.push_back(k);
    RichText out;
    if (tried == 0) {
      append(out, rich(say("Skipped: nothing counts.") + " ", theme_.ink, Font::text_bold));
    } else if (right == tried) {
      append(out, rich(std::string(tried == 1 ? say("Right.") : say("All right.")), theme_.thread,
                       Font::text_bold));
      append(out, rich(" ", theme_.ink));
    } else {
      append(out, rich(say("{} of {} right.", right, tried) + " ", theme_.ink, Font::text_bold));
    }
    if (tried > 0 && tried < n)
      append(out, rich(say("{} left empty do not count.", n - tried) + " ", theme_.ink2));
    // the focused box first, if it is wrong
    const auto focus = std::find(wrong.begin(), wrong.end(), asked_.box);
    if (focus != wrong.end()) std::rotate(wrong.begin(), focus, focus + 1);
    constexpr size_t most = 2;
    for (size_t k = 0; k < wrong.size() && k < most; ++k) {
      const std::string& guess = asked_.guesses[size_t(wrong[k])];
      const RichText at = cell(asked_.place(wrong[k]), theme_.ink),
                     is = rich(truth(wrong[k]), value_colour(), Font::mono_bold);
      append(out, guess.empty() ? phrase(say("{0} is {1}."), theme_.ink, {at, is})
                                : phrase(say("{0} is {1}, not {2}."), theme_.ink,
                                         {at, is, rich(guess, theme_.ink2, Font::mono)}));
      append(out, rich(" ", theme_.ink));
    }
    if (const int off =
            int(std::count_if(wrong.begin() + std::ptrdiff_t(std::min(most, wrong.size())), wrong.end(),
                              [&](int k) { return !asked_.guesses[size_t(k)].empty(); })))
      append(out, rich(say("{} more are off.", off), theme_.ink2));
    return out;
  }

  // Why the focused cell holds what it holds: Tab goes through them.
  RichText reason() const {
    const Place p = asked_.place(asked_.box);
    const Why w = why(model_.trace(), model_.flow(), model_.run().report.words(), *step_.interval, p, 1);
    std::vector<RichText> parts;
    for (const Why& part : w.from) {
      if (part.value.empty()) continue;
      RichText one = rich(part.value, part.place.array >= 0 ? theme_.read : theme_.ink, Font::mono_bold);
      if (part.place.array >= 0)
        one = phrase(say("{0} from {1}"), theme_.ink2, {one, cell(part.place, theme_.read)});
      parts.push_back(std::move(one));
    }
    if (w.thread < 0) return {};
    const int threads = model_.trace().launches[size_t(w.launch)].block;
    const RichText thread = rich(say("Thread {}", w.thread % threads), theme_.thread, Font::text_bold);
    const RichText to = cell(p, theme_.ink), value = rich(truth(asked_.box), value_colour(), Font::mono_bold);
    if (parts.empty() || w.op == "constant")
      return phrase(say("{0} stores {2} in {1}, a constant."), theme_.ink2, {thread, to, value});
    if (w.op == "copy") return phrase(say("{0} copies {2} into {1}."), theme_.ink2, {thread, to, parts[0]});
    return phrase(say("{0} makes {1} = {2} with {3} of {4}."), theme_.ink2,
                  {thread, to, value, rich(sign(w.op), theme_.ink, Font::mono_bold),
                   listed(std::move(parts), theme_.ink2)});
  }

  // Along the bottom; returns where they begin.
  float buttons(float left, float room) {
    struct Button {
      std::string words, key;
      const char* name;
      std::string tip;
      bool first;
      State (*does)(State);
    };
    std::vector<Button> all;
    if (!asked_.revealed)
      all = {{say("Reveal"), "Enter", "predict:reveal", say("Shows the answers beside your guesses."), true,
              reveal},
             {say("Hint"), "H", "predict:hint", say("Names what goes into the focused cell."), false, hint},
             {say("Skip"), "Esc", "predict:skip", say("Ends the question; it does not count."), false,
              leave_prediction}};
    else
      all = {{say("Next step"), "Enter", "predict:next",
              say("Goes to the next step that changes a cell and asks again."), true, predict_next},
             {say("Done"), "Esc", "predict:done", say("Back to watching; the score stays."), false,
              leave_prediction}};
    const float size = px(theme_.projector() ? 22 : theme_.size_label),
                inner = px(theme_.projector() ? 12 : 10), gap = px(8),
                h = size * 1.3f + px(theme_.projector() ? 14 : 11);
    if (theme_.printed) return picture_.height - inner;
    const auto wide = [&](const Button& b, bool key) {
      return pen_.width(b.words, size, Font::text_bold) +
             (key ? px(7) + pen_.width(b.key, size, Font::text) : 0) + 2 * inner;
    };
    float sum = gap * float(all.size() - 1);
    for (const Button& b : all) sum += wide(b, true);
    const bool keys = sum <= room;
    float x = left;
    const float y = picture_.height - h - px(theme_.projector() ? 14 : 12);
    for (const Button& b : all) {
      const Box box{x, y, wide(b, keys), h};
      pen_.rect(box, theme_.selected, b.first ? theme_.ink2 : 0, px(1), px(4));
      const Box words =
          pen_.text({box.x + inner, box.centre().y}, b.words, size, theme_.ink, Font::text_bold);
      if (keys) pen_.text({words.right() + px(7), box.centre().y}, b.key, size, theme_.ink2, Font::text);
      pen_.hit({.what = Hit::button,
                .box = box,
                .tip = b.tip,
                .name = b.name,
                .press = [does = b.does](State& s, float) { s = does(std::move(s)); }});
      x = box.right() + gap;
    }
    return y - px(6);
  }

  const Moments& model_;
  const Cursor& cursor_;
  const Prediction& asked_;
  const Theme& theme_;
  Picture picture_;
  Pen pen_;
  const Step& step_;
};

}  // namespace

Picture prediction_panel(const Moments& model, const Cursor& c, const Prediction& p, const Theme& t,
                         const Metrics& m, float width, float height) {
  return PredictionPanel(model, c, p, t, m, width, height).draw();
}

}  // namespace bscope
