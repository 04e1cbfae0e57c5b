#include "app/tabs/watch/why_panel.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "app/draw/layout.hpp"
#include "app/draw/phrase.hpp"
#include "app/draw/tree.hpp"
#include "app/run/values.hpp"
#include "app/session/motion.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/phrase.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/tabs/watch/terms.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/array_state.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/instructions.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/analysis/selection.hpp"
#include "engine/analysis/stuck_threads.hpp"
#include "engine/analysis/why.hpp"
#include "engine/analysis/why_idle.hpp"
#include "engine/analysis/why_rows.hpp"
#include "engine/trace/places.hpp"

namespace bscope {
namespace {

/// What is said of the selected cell.
class Explained {
 public:
  Explained(const RunQueries& model, const Cursor& c, const Theme& t)
      : model_(model),
        t_(t),
        block_(model.block(c)),
        step_(model.step(c)),
        sub_(model.instruction(c)),
        selection_(model.selection(c)),
        landed_(c.phase >= landing) {
    if (step_) stuck_ = stuck_lines(model.trace(), model.flow(), *step_->interval);
  }

  std::string title() const {
    const int thread = selection_.thread;
    if (!step_) return tr("Why?");
    if (!selection_.cell) return thread < 0 ? tr("Why?") : tr("What does thread {} do?", named(thread));
    const std::string cell = name(*selection_.cell);
    if (reading()) return tr("What does thread {} read?", named(thread));
    if (!landed_) return tr("What becomes of {}?", cell);
    if (followed_by_others()) return tr("What does thread {0} make of {1}?", named(thread), cell);
    const std::string value = value_of_cell();
    return value.empty() ? tr("{} holds nothing yet", cell) : tr("Why is {} = {}?", cell, value);
  }

  /// The thread that computed the value, from what, read where; `most`: cells that are named.
  Text sentence(size_t most = 4) const {
    if (!step_) return {};
    if (!selection_.cell) return {{nothing(), t_.ink}};
    const CellRef place = *selection_.cell;
    if (selection_.node < 0) {
      const std::string value = value_of_cell();
      return value.empty() ? phrase(tr("{} has not been written yet."), t_.ink, {cell(place, t_.ink)})
                           : phrase(tr("{0} = {1}: so it was when the run began."), t_.ink,
                                    {cell(place, t_.ink), number(value, t_.present())});
    }
    if (!reading()) return made_by(selection_.node, t_.ink, most);
    const Node& n = node(selection_.node);
    return phrase(
        tr("{0} reads {1} = {2} into a register."), t_.ink,
        {thread_of(n), cell_named(name(place), place, t_.read), number(value_of(n, n.bits), t_.read)});
  }

  /// What the sources held, in words of input elements; when it was written, if that was earlier.
  Text background() const {
    if (!step_ || selection_.node < 0 || !landed_) return {};
    const bool read = reading();
    const int made = read ? node(selection_.node).a : selection_.node;
    if (made < 0) return quiet(tr("So it was when the run began."));
    const Node& n = node(made);
    std::vector<Text> all;
    const Interval& at = interval_of(n);
    if (n.launch != block_.launch)
      all.push_back(quiet(is_between_launches(model_.trace().launches[size_t(n.launch)])
                              ? tr("Written between launches.")
                              : tr("Written in launch {}, step {}.", launch_number(model_.trace(), n.launch),
                                   step_number(at.index))));
    else if (at.index != step_->interval->index)
      all.push_back(quiet(tr("Written in step {}.", step_number(at.index))));
    if (read) all.push_back(made_by(made, t_.ink2));
    all.push_back(what_sources_held(made));
    if (is_atomic(n.op) && n.address >= 0)
      if (const Node& a = source_of(n.address); a.place.array >= 0 && a.op != Op::shuffle)
        all.push_back(phrase(tr("The bin was chosen by {}."), t_.ink2,
                             {mono(model_.name(n.launch, a.place) + " = " + value_of(a, a.bits))}));
    all.push_back(quiet(who_else_writes(is_atomic(n.op))));
    Text out;
    for (const Text& one : all)
      if (!one.empty() && !one[0].words.empty()) out += (out.empty() ? Text{} : quiet(" ")) + one;
    return out;
  }

  /// Which threads wait for ever, by the lines where they do, and which are idle.
  Text idle() const {
    if (!step_ || is_between_launches(model_.trace().launches[size_t(block_.launch)])) return {};
    std::vector<int> ranks;
    for (size_t k = 0; k < step_->works.size(); ++k)
      if (!step_->works[k] && stuck_line(int(k)) < 0) ranks.push_back(int(k));
    const size_t all = step_->works.size();
    if (!stuck_.empty()) {
      const Text waiting = stuck();
      return ranks.empty() ? waiting : waiting + quiet(" ") + idle(ranks, all);
    }
    if (ranks.empty())
      return {{all == 1 ? tr("The only thread works.") : tr("All {} threads work.", grouped(all)), t_.ink3}};
    return idle(ranks, all);
  }

  /// The write that the tree begins at; -1: there is none to show.
  int root() const {
    if (!step_ || !selection_.cell || !landed_ || selection_.node < 0) return -1;
    return reading() ? node(selection_.node).a : selection_.node;
  }

 private:
  Text idle(const std::vector<int>& ranks, size_t all) const {
    const Colour rest = t_.projector() ? t_.ink2 : t_.ink3;
    return phrase(
        ranks.size() == 1 ? tr("{0}: {1} touches no cell here.") : tr("{0}: {1} touch no cell here."), rest,
        {{{tr("{0} of {1} threads idle", ranks.size(), all), t_.projector() ? t_.ink : t_.ink2,
           Font::text_bold}},
         {{threads_listed(ranks), rest}}});
  }
  int stuck_line(int rank) const { return stuck_.empty() ? -1 : stuck_[size_t(rank)]; }
  /// "4 of 4 threads wait for ever: t0 in line 19, t1 to t3 in line 31."
  Text stuck() const {
    std::map<int, std::vector<int>> at_line;
    for (size_t k = 0; k < stuck_.size(); ++k)
      if (stuck_[k] >= 0) at_line[stuck_[k]].push_back(int(k));
    std::string places;
    for (const auto& [line, ranks] : at_line) {
      const std::string who = threads_listed(ranks);
      places += (places.empty() ? "" : tr(", ")) + (line > 0 ? tr("{} in line {}", who, line) : who);
    }
    return phrase(tr("{0}: {1}."), t_.ink2,
                  {{{tr("{0} of {1} threads wait for ever", count_stuck(stuck_), stuck_.size()), t_.ink,
                     Font::text_bold}},
                   {{places, t_.ink2}}});
  }
  const Node& node(int id) const { return model_.flow().nodes[size_t(id)]; }
  std::string name(CellRef p) const { return model_.name(block_.launch, p); }
  std::string named(int rank) const {
    return rank_text(model_.trace().launches[size_t(block_.launch)], rank);
  }
  Text cell(CellRef p, Colour c) const { return cell_named(name(p), p, c, Font::mono); }
  static Text number(const std::string& words, Colour c) { return {{words, c, Font::mono_bold}}; }
  Text quiet(const std::string& words) const { return {{words, t_.ink2}}; }
  Text mono(const std::string& words) const { return {{words, t_.ink2, Font::mono}}; }
  static std::string value_of(const Node& n, uint64_t bits) { return value_text(ElementType(n.kind), bits); }
  Text thread_of(const Node& n) const {
    return thread_named(t_, model_.trace().launches[size_t(n.launch)], n.thread,
                        n.launch == block_.launch ? block_.block : -1);
  }
  const Interval& interval_of(const Node& n) const {
    const int threads = model_.trace().launches[size_t(n.launch)].block;
    return model_.flow().of_block(n.launch, n.thread / threads)[size_t(n.interval)];
  }
  const Node& source_of(int id) const {
    while (!touches(node(id).op) && node(id).a >= 0) id = node(id).a;
    return node(id);
  }
  Why made_of(int id) const {
    return bscope::made_of(model_.trace(), model_.flow(), model_.run().report.words(), id);
  }

  /// Whether the thread only reads the cell here.
  bool reading() const { return selection_.here && !writes(node(selection_.node).op); }
  const Step::Written* written() const { return step_->writes_of(*selection_.cell); }
  /// Whether another write of this step comes after the one that is explained.
  bool followed_by_others() const {
    if (!selection_.here || sub_ || reading()) return false;
    return written() && written()->node != selection_.node;
  }
  /// What the cell holds at the end; empty: nothing was ever written.
  std::string value_of_cell() const {
    if (selection_.node >= 0) {
      const Node& n = node(selection_.node);
      return value_of(n, written_bits(model_.flow(), n, model_.found(sub_, selection_.node)));
    }
    const CellRef p = *selection_.cell;
    const StatePtr state = model_.before(*step_, ArrayRange{p.array, p.index, 1});
    return state->is_known(p.index) ? value_text(*state, p.index) : std::string();
  }
  /// No thread touches the cell, or the followed thread does not: the reason.
  std::string nothing() const {
    const int k = selection_.thread;
    if (sub_ && sub_->exchange) return tr("Lanes hand each other values: no cell is touched.");
    if (k < 0 && !stuck_.empty()) return tr("No cell changes any more: threads wait for ever.");
    if (k < 0) return tr("No cell changes in this step.");
    const std::string thread = named(k);
    if (sub_) return tr("Thread {} takes no part in this instruction.", thread);
    if (const int line = stuck_line(k); line > 0)
      return tr("Thread {} waits for ever in line {}.", thread, line);
    const WhyIdle why = why_idle(model_.trace(), *step_->interval, k);
    if (why.ended) return tr("Thread {} has returned already.", thread);
    return why.line > 0 ? tr("Thread {} touches no cell in this step: its condition in line {} was false.",
                             thread, why.line)
                        : tr("Thread {} touches no cell in this step.", thread);
  }

  /// How a store or an atomic came to its value.
  Text made_by(int id, Colour ink, size_t most = 4) const {
    const Node& n = node(id);
    const Text thread = thread_of(n), to = cell(n.place, ink);
    const uint64_t old = model_.found(sub_, id);
    const std::string result = value_of(n, written_bits(model_.flow(), n, old));
    const Text value = number(result, t_.present());
    if (landed_ && is_atomic(n.op)) {
      if (n.op != Op::atomic_add || n.b < 0)
        return phrase(tr("{0}: {1} = {2}, in one atomic operation."), ink, {thread, to, value});
      return phrase(tr("{0}: {1} = {2} + {3} = {4}, in one atomic operation."), ink,
                    {thread, to, number(value_of(n, old), t_.read),
                     number(value_of(node(n.b), node(n.b).bits), ink), value});
    }
    const Why w = made_of(id);
    std::vector<const Why*> from = terms(w);
    // alone, a register's value would explain itself: then what was added to it is said, too
    if (from.size() == 1 && from[0]->place.array < 0) from = terms(w, true);
    std::vector<Text> cells = cells_read(id);
    const auto code = [&](const std::string& words) { return Text{{words, ink, Font::mono}}; };
    Text formula = to + code(" = ");
    if (!landed_) {
      // before the barrier opens the sentence says what is read, not what comes of it
      formula += number("?", ink);
    } else if (const bool one_place = from.size() == 1 && from[0]->place.array >= 0;
               w.op == "copy" || (one_place && from[0]->value == result)) {
      formula += value;
      return one_place ? phrase(tr("{0}: {1}, copied from {2}."), ink, {thread, formula, cells[0]})
                       : phrase(tr("{0}: {1}."), ink, {thread, formula});
    } else if (w.op == "between") {
      formula += value;
    } else if (from.empty() || w.op == "constant") {
      if (w.decided_in)
        return phrase(tr("{0}: {1}, chosen by conditions on data, the last of them in line {2}."), ink,
                      {thread, formula + value, {{std::to_string(w.decided_in), ink}}});
      return phrase(tr("{0}: {1}, not computed from cells: a constant, an index or a count."), ink,
                    {thread, formula + value});
    } else if (from.size() == 1 && !one_place && from[0]->value == result) {
      formula += value;
    } else {
      const std::string op = sign(w.op);
      const bool call = is_call(w.op);
      if (call) formula += code(op + "(");
      for (size_t k = 0; k < from.size() && k < 6; ++k) {
        if (k) formula += code(call ? ", " : " " + op + " ");
        formula += number(from[k]->value, is_of_cell(*from[k]) ? t_.read : ink);
      }
      formula += code((from.size() > 6 ? " ..." : "") + std::string(call ? ")" : "") + " = ") + value;
    }
    if (cells.empty()) return phrase(tr("{0}: {1}."), ink, {thread, formula});
    if (cells.size() > most) {
      const size_t more = cells.size() - most;
      cells.resize(most);
      cells.push_back({{tr("{} more", more), ink}});
    }
    return phrase(tr("{0}: {1}, read from {2}."), ink, {thread, formula, listed(cells, ink)});
  }

  /// The cells that a written value was read from, each once.
  std::vector<Text> cells_read(int id) const {
    std::vector<Text> all;
    std::set<CellRef> known;
    for (const int k : reads_of(model_.flow(), id))
      if (const Node& n = node(k); known.insert(n.place).second)
        all.push_back(cell_named(cell_name(model_.trace(), n.launch, n.place), n.place, t_.read));
    return all;
  }
  /// The one cell whose value a term is, as it was read.
  static bool is_of_cell(const Why& term) {
    const Why* w = &term;
    while (w->place.array < 0 && w->from.size() == 1) w = &w->from[0];
    return w->place.array >= 0 && w->value == term.value;
  }

  Text what_sources_held(int made) const {
    const Why w = made_of(made);
    std::vector<Text> held;
    for (const Why& part : w.from)
      if (!part.word.empty() && part.word != "identity" && part.place.array >= 0)
        held.push_back(phrase(tr("{0} held {1}"), t_.ink2, {mono(part.cell), mono(part.word)}));
    if (held.empty()) return {};
    const auto& words = model_.run().report.words();
    const std::string now = size_t(made) < words.size() ? words[size_t(made)].text() : std::string();
    const Text all = listed(held, t_.ink2);
    return now.empty() || w.op == "copy" ? phrase(tr("{0}."), t_.ink2, {all})
                                         : phrase(tr("{0}; now {1} holds {2}."), t_.ink2,
                                                  {all, mono(name(*selection_.cell)), mono(now)});
  }
  std::string who_else_writes(bool atomic) const {
    if (!written() || written()->times < 2) return {};
    const int lost = model_.lost(*step_, *selection_.cell), times = written()->times;
    std::string words =
        lost     ? atomic ? tr("{} atomics queue for this cell in this step, {} of them lost.", times, lost)
                          : tr("{} writes reach this cell in this step, {} of them lost.", times, lost)
            : atomic ? tr("{} atomics queue for this cell in this step.", times)
                 : tr("{} writes reach this cell in this step.", times);
    if (!followed_by_others()) return words;
    const Node& last = node(written()->node);
    return words + " " +
           tr("The last, by thread {0}, leaves {1}.", last.thread % int(step_->works.size()),
              value_of(last, written_bits(model_.flow(), last)));
  }

  const RunQueries& model_;
  const Theme& t_;
  const BlockSteps& block_;
  const Step* step_;
  const WarpInstruction* sub_;
  const Selection selection_;
  const bool landed_;
  std::vector<int> stuck_;  ///< as stuck_lines says of the step
};

/// When and where: as little as is needed to tell it from here.
std::string place_words(const WhyRow& r, const BlockSteps& here) {
  std::string out;
  if (r.launch != here.launch) out = tr("launch {}", launch_number(here.run->trace, r.launch)) + " ";
  if (r.block != here.block) out += tr("block {}", r.block) + " ";
  return out + tr("step {}", step_number(r.interval));
}

Tree::TreeRow tree_row(const WhyRow& r, int number, const BlockSteps& here, const Theme& t) {
  const std::string head = r.cell.empty() ? r.value : r.cell + " = " + r.value;
  std::vector<std::string> more;
  if (r.above)
    more = {tr("as above")};
  else if (r.op == "constant" && r.cell.empty())
    more = {tr("constant, index or count")};
  else if (r.op == "given")
    more = {r.word.empty() ? tr("as it was") : tr("input {}", r.word)};
  else if (r.op == "between")
    more = {tr("between launches")};
  else if (r.cell.empty())
    more = {sign(r.op), place_words(r, here)};
  else
    more = {"t" + std::to_string(r.thread) + " " + sign(r.op), tr("line {}", r.line), place_words(r, here),
            r.word};
  Tree::TreeRow row{.depth = r.depth,
                    .words = {{head, r.op == "given" ? t.ink : t.read, Font::mono_bold}},
                    .opens = r.opens && r.writer >= 0,
                    .open = r.open};
  for (const std::string& words : more)
    if (!words.empty()) row.words.push_back({words, t.ink2});
  row.fold = {.what = HitRegion::button,
              .box = {},
              .a = r.writer,
              .b = number,
              .tip = r.open ? tr("Fold what it was made from.") : tr("Unfold what it was made from."),
              .name = "why:fold:" + std::to_string(number),
              .press = [writer = r.writer, number](LoadedState& s, float) {
                s = turn_why(std::move(s), writer);
                s.of<WatchState>().why_row = number;
              }};
  row.hit = {
      .what = HitRegion::button,
      .box = {},
      .a = r.writer,
      .b = number,
      .tip = r.op == "given" || r.thread < 0 ? head + tr(".")
             : r.op == "between"
                 ? tr("{}: written between launches. Click to go there.", head)
                 : tr("{0}: thread {1} of block {2}, line {3}, launch {4}, step {5}. Click to go there.",
                      head, r.thread, r.block, r.line, launch_number(here.run->trace, r.launch),
                      step_number(r.interval)),
      .name = "why:row:" + std::to_string(number),
      .press = [writer = r.writer](LoadedState& s, float) { s = to_write(std::move(s), writer); }};
  return row;
}

LayoutNode tree_of(const RunQueries& model, const Cursor& c, const Theme& t, int root,
                   const WatchState& look) {
  const std::vector<WhyRow> rows = why_rows(model.run(), root, look.why_levels, look.why_turned);
  Tree all{.size = t.px(t.size_code, 22),
           .leading = t.projector() ? 1.5f : 1.6f,
           .first = look.why_scroll,
           .focus = look.why_row};
  for (const WhyRow& r : rows) all.rows.push_back(tree_row(r, int(all.rows.size()), model.block(c), t));
  all.more = [count = rows.size(), tall = look.why_tall || t.printed || t.touch](int first, int end) {
    const std::string words = tr("rows {0} to {1} of {2}", first + 1, end, count);
    if (tall) return std::vector{words};
    return std::vector{words + "   " + tr("Alt+W: taller"), words};
  };
  return tree(std::move(all));
}

/// The title; what the keys do stands at its right where there is room for both.
LayoutNode head(const Explained& why, const Theme& t, bool unfolded, bool tall) {
  LineLook look = heading_look(t);
  look.size = t.px(t.size_label + 1, t.size_title);
  const LayoutNode title = line({why.title()}, look);
  if (why.root() < 0 || t.printed) return title;
  const bool shrinks = unfolded && tall;
  const LayoutNode keys = line({t.touch     ? (!unfolded ? tr("back to the inputs")
                                               : shrinks ? tr("smaller")
                                                         : tr("further"))
                                : !unfolded ? tr("W: back to the inputs")
                                : shrinks   ? tr("Alt+W: smaller")
                                            : tr("W: further")},
                               {.size = t.px(t.size_label - 1, 22), .colour = t.ink3});
  const LayoutNode both =
      row(t.px(12),
          {title, space(0).grows(),
           pressed(keys,
                   {.what = HitRegion::button,
                    .box = {},
                    .tip = tr("Unfolds the value's tree by one level, back to the inputs. Shift+W folds it."),
                    .name = shrinks ? "why:tall" : "why:unfold",
                    .press = [shrinks](LoadedState& s, float) {
                      s = shrinks ? tall_why(std::move(s)) : unfold_why(std::move(s), 1);
                    }})});
  return widest_that_fits({both, title});
}

/// Large type first, then smaller; then without the background, then without the idle threads; then in lines
/// that stand close, and with fewer cells.
LayoutNode told(const Explained& why, const Theme& t) {
  const Text sentence = why.sentence(), background = why.background(), idle = why.idle();
  const float most = t.px(t.size_label, 24), least = t.px(11, 22);
  std::vector<LayoutNode> ways;
  const auto add = [&](const std::vector<Text>& more, float until) {
    for (float scale = 1; scale >= until; scale -= 0.1f) {
      const TextLook small{.size = std::max(least, most * std::max(scale, 0.85f))};
      std::vector<LayoutNode> parts{text(sentence, {.size = std::max(least, t.why() * scale)})};
      for (const Text& words : more) {
        if (words.empty()) continue;
        if (t.projector()) parts.push_back(rule(t.line));
        parts.push_back(text(words, small));
      }
      ways.push_back(column(t.px(9, 7), std::move(parts)));
    }
  };
  if (!t.projector()) add({background, idle}, 0.6f);
  add({idle}, 0.6f);
  add({}, 0.6f);
  for (const size_t cells : {4, 1})
    ways.push_back(text(why.sentence(cells), {.size = least, .leading = 1.15f}));
  return highest_that_fits(std::move(ways));
}

/// The sentence, as large as the tree leaves it room, or none, and the tree.
LayoutNode told_above(const Explained& why, LayoutNode tree, const Theme& t) {
  const float least = t.px(11, 22);
  const auto sized = [&](float size) { return text(why.sentence(), {.size = size}); };
  LayoutNode sentence = sized(t.why()).gives(1);
  for (float size = t.why() * 0.9f; size > least; size -= t.why() * 0.1f) sentence.or_else(sized(size));
  sentence.or_else(sized(least));
  return column(t.close(), {std::move(sentence), std::move(tree).grows()});
}

}  // namespace

Picture why_panel(const RunQueries& model, const Cursor& c, const Theme& t, const Metrics& m, float width,
                  float height, const WatchState& look) {
  const Explained why(model, c, t);
  const bool unfolded = why.root() >= 0 && look.why_levels > 0;
  const LayoutNode body =
      unfolded ? told_above(why, tree_of(model, c, t, why.root(), look), t) : told(why, t);
  return picture_of(
      padded(column(t.px(6, 10), {head(why, t, unfolded, look.why_tall), LayoutNode(body).grows()}),
             margin(t), t.px(10)),
      t, m, width, height, false);
}

}  // namespace bscope
