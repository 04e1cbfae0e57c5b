#include "app/tabs/watch/prediction_panel.hpp"

#include <algorithm>
#include <utility>

#include "app/draw/controls.hpp"
#include "app/draw/layout.hpp"
#include "app/draw/phrase.hpp"
#include "app/run/values.hpp"
#include "app/session/state.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/phrase.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/array_state.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/analysis/why.hpp"

namespace bscope {
namespace {

/// What is said of the cells that are asked for.
class Question {
 public:
  Question(const RunQueries& model, const Prediction& p, const Step& step, const Theme& t)
      : model_(model), p_(p), step_(step), t_(t) {}

  Text asked() const {
    std::vector<Text> names;
    constexpr size_t most = 4;
    const size_t n = p_.cells.size(), shown = n <= most + 1 ? n : most;
    for (size_t k = 0; k < shown; ++k) names.push_back(cell(p_.place(int(k)), t_.present()));
    if (shown < n) names.push_back(plain(tr("{} more", n - shown), t_.ink));
    const std::string moment = step_.interval->line == 0
                                   ? tr("when the block ends")
                                   : tr("after barrier {}", barrier_number(step_.interval->index));
    return phrase(n == 1 ? tr("What does {0} hold {1}?") : tr("What do {0} hold {1}?"), t_.ink,
                  {listed(names, t_.ink), plain(moment, t_.ink)});
  }

  Text help(bool arrows) const {
    const int n = int(p_.cells.size());
    Text out;
    if (p_.hints > 0)
      out = clue();
    else if (p_.changed > n)
      out = plain(tr("{} cells change; these {} are a sample.", p_.changed, n), t_.ink2);
    else if (!t_.projector() && !t_.printed)
      out = plain(
          arrows ? tr("Arrows shown; press A to hide them.") : tr("Arrows hidden; press A to show them."),
          t_.ink2);
    if (!out.empty()) out += plain("\n", t_.ink2);
    return out + plain(tr("{} of {} filled", p_.filled(), n), t_.ink2);
  }

  Text verdict() const {
    const int n = int(p_.cells.size()), tried = p_.filled();
    std::vector<int> wrong;  // and skipped
    for (int k = 0; k < n; ++k)
      if (!is_right(model_.run(), p_, k)) wrong.push_back(k);
    const int right = n - int(wrong.size());
    Text out;
    if (tried == 0)
      out = bold(tr("Skipped: not scored."), t_.ink);
    else if (right == tried)
      out = bold(tried == 1 ? tr("Right.") : tr("All right."), t_.thread);
    else
      out = bold(tr("{} of {} right.", right, tried), t_.ink);
    if (tried > 0 && tried < n) out += plain(" " + tr("{} left empty do not count.", n - tried), t_.ink2);
    // the focused box first, if it is wrong
    if (const auto focus = std::ranges::find(wrong, p_.box); focus != wrong.end())
      std::rotate(wrong.begin(), focus, focus + 1);
    int off = 0;
    for (size_t k = 0; k < wrong.size(); ++k) {
      const std::string& guess = p_.guesses[size_t(wrong[k])];
      if (k >= 2) {
        off += !guess.empty();
        continue;
      }
      const Text at = cell(p_.place(wrong[k]), t_.ink), is = mono(truth(wrong[k]), t_.present());
      out += plain(" ", t_.ink);
      out += guess.empty()
                 ? phrase(tr("{0} is {1}."), t_.ink, {at, is})
                 : phrase(tr("{0} is {1}, not {2}."), t_.ink, {at, is, {{guess, t_.ink2, Font::mono}}});
    }
    if (off) out += plain(" " + tr("{} more are off.", off), t_.ink2);
    return out;
  }

  /// Why the focused cell holds what it holds: Tab goes through them.
  Text reason() const {
    const CellRef p = p_.place(p_.box);
    const Why w = why_of(p);
    if (w.thread < 0) return {};
    std::vector<Text> parts, summands;
    for (const Why& part : w.from) {
      if (part.value.empty()) continue;
      const Text value = mono(part.value, part.place.array >= 0 ? t_.read : t_.ink);
      summands.push_back(part.place.array >= 0
                             ? cell(part.place, t_.read) + plain(" (", t_.ink2) + value + plain(")", t_.ink2)
                             : value);
      parts.push_back(part.place.array >= 0
                          ? phrase(tr("{0} from {1}"), t_.ink2, {value, cell(part.place, t_.read)})
                          : value);
    }
    const Text thread = thread_of(w.launch, w.thread), to = cell(p, t_.ink),
               value = mono(truth(p_.box), t_.present());
    if (parts.empty() || w.op == "constant")
      return phrase(tr("{0} stores {2} in {1}, not computed from cells: a constant, an index or a count."),
                    t_.ink2, {thread, to, value});
    if (w.op == "copy") return phrase(tr("{0} copies {2} into {1}."), t_.ink2, {thread, to, parts[0]});
    if (sign(w.op) == "+" && summands.size() == 2)
      return phrase(tr("{0} adds {1} and {2} and stores {3} in {4}."), t_.ink2,
                    {thread, summands[0], summands[1], value, to});
    return phrase(tr("{0} makes {1} = {2} with {3} of {4}."), t_.ink2,
                  {thread, to, value, mono(sign(w.op), t_.ink), listed(parts, t_.ink2)});
  }

 private:
  static Text plain(const std::string& words, Colour c) { return {{words, c}}; }
  static Text bold(const std::string& words, Colour c) { return {{words, c, Font::text_bold}}; }
  static Text mono(const std::string& words, Colour c) { return {{words, c, Font::mono_bold}}; }
  Text cell(CellRef p, Colour c) const { return cell_named(model_.name(step_.interval->launch, p), p, c); }
  Text thread_of(int launch, int thread) const {
    const Launch& l = model_.trace().launches[size_t(launch)];
    return thread_named(t_, l, thread, thread / l.block);
  }
  std::string truth(int box) const {
    const auto bits = bits_after(model_.run(), p_.step, p_.place(box));
    return bits ? value_text(kind_of(model_.run(), p_), *bits) : "?";
  }
  Why why_of(CellRef p) const {
    return why(model_.trace(), model_.flow(), model_.run().report.words(), *step_.interval, p, 1);
  }

  /// What goes into the focused cell: first one operand, then all of them; never the result.
  Text clue() const {
    const CellRef p = p_.place(p_.box);
    const auto* written = step_.writes_of(p);
    if (!written) return {};
    if (written->times > 1) {
      const StatePtr before = model_.before(step_, ArrayRange{p.array, p.index, 1});
      const std::string old = before->is_known(p.index) ? value_text(*before, p.index) : "?";
      return phrase(tr("{0} held {1} before; {2} writes reach it in this step."), t_.ink2,
                    {cell(p, t_.ink), mono(old, t_.read), mono(std::to_string(written->times), t_.ink)});
    }
    const Why w = why_of(p);
    if (w.thread < 0) return {};
    std::vector<Text> operands;
    const Why* first = nullptr;
    for (const Why& part : w.from) {
      if (part.value.empty()) continue;
      if (!first) first = &part;
      operands.push_back(part.place.array >= 0
                             ? cell(part.place, t_.read) + plain(" = ", t_.ink2) + mono(part.value, t_.read)
                             : mono(part.value, t_.ink));
    }
    const Node& node = model_.flow().nodes[size_t(written->node)];
    const Text thread = thread_of(node.launch, node.thread), op = mono(sign(w.op), t_.ink);
    if (operands.empty() || w.op == "constant")
      return phrase(tr("{0} reads no cell for what it stores."), t_.ink2, {thread});
    if (w.op == "copy") {
      if (p_.hints > 1) return phrase(tr("{0} copies {1}."), t_.ink2, {thread, operands[0]});
      return first->place.array >= 0
                 ? phrase(tr("{0} copies it, from {1}."), t_.ink2, {thread, cell(first->place, t_.read)})
                 : phrase(tr("{0} copies it."), t_.ink2, {thread});
    }
    if (p_.hints == 1)
      return phrase(tr("{0} combines {1} values with {2}; one is {3}."), t_.ink2,
                    {thread, mono(std::to_string(operands.size()), t_.ink), op, operands[0]});
    return phrase(tr("{0} combines {1} with {2}."), t_.ink2, {thread, listed(operands, t_.ink2), op});
  }

  const RunQueries& model_;
  const Prediction& p_;
  const Step& step_;
  const Theme& t_;
};

template <LoadedState (*Step)(LoadedState)>
Button does(const char* name, std::string label, const char* key, std::string tip) {
  return {.name = name,
          .label = std::move(label),
          .tip = std::move(tip),
          .does = [](LoadedState& s, float) { s = Step(std::move(s)); },
          .key = key};
}

/// Side by side, their keys beside them where there is room for all.
LayoutNode buttons(bool revealed, const Theme& t) {
  std::vector<Button> all;
  if (revealed)
    all = {
        does<predict_next>("predict:next", tr("Next step"), "Enter",
                           tr("Goes to the next step that changes a cell and asks again.")),
        does<leave_prediction>("predict:done", tr("Done"), "Esc", tr("Back to watching; the score stays."))};
  else
    all = {
        does<reveal>("predict:reveal", tr("Reveal"), "Enter", tr("Shows the answers beside your guesses.")),
        does<hint>("predict:hint", tr("Hint"), "H", tr("Names what goes into the focused cell.")),
        does<leave_prediction>("predict:skip", tr("Skip"), "Esc",
                               tr("Ends the question; it does not count."))};
  all[0].on = true;
  const auto side_by_side = [&](bool keys) {
    std::vector<LayoutNode> parts;
    for (Button one : all) {
      if (!keys) one.key.clear();
      parts.push_back(button(std::move(one)));
    }
    return row(t.gap(), std::move(parts));
  };
  return widest_that_fits({side_by_side(true), side_by_side(false)});
}

}  // namespace

Picture prediction_panel(const RunQueries& model, const Cursor& c, const Prediction& p, const Theme& t,
                         const Metrics& m, float width, float height) {
  const float small = t.px(t.size_label, 22), least = t.px(11, 22);
  const Question question(model, p, *model.step(c), t);
  const Text first = p.revealed ? question.verdict() : question.asked(),
             second = p.revealed ? question.reason() : question.help(c.arrows);
  // large type first, then smaller; then without the help
  std::vector<LayoutNode> ways;
  for (float size = t.why();; size = std::max(least, size - t.why() * 0.1f)) {
    ways.push_back(
        column(t.px(5), {text(first, {.size = size}), text(second, {.size = std::min(small, size)})}));
    if (size == least) break;
  }
  ways.push_back(text(first, {.size = least}));
  LineLook title = heading_look(t);
  title.size = t.px(t.size_label + 1, t.size_title);
  const LayoutNode score =
      p.asked > 0 ? line({tr("{} of {} so far", p.right, p.asked)}, {.size = small, .colour = t.ink2})
                  : LayoutNode{};
  return picture_of(
      panel(column(t.px(6),
                   {row(t.px(10),
                        {line({p.revealed ? tr("What it holds") : tr("Predict before you reveal")}, title),
                         space(0).grows(), score}),
                    highest_that_fits(std::move(ways)).grows(), buttons(p.revealed, t)}),
            t.present()),
      t, m, width, height, false);
}

}  // namespace bscope
