#include "app/tabs/watch/whole_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/draw/layout.hpp"
#include "app/run/titles.hpp"
#include "app/tabs/watch/array_view.hpp"
#include "app/tabs/watch/cell_values.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/relatives.hpp"
#include "app/tabs/watch/signs.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// A launch's heading, a step, or what lanes hand each other within a step.
struct RunRow {
  enum RowType : uint8_t { head, step, lanes } what = step;
  int launch = 0, block = 0, index = 0;  // of the step: interval of its block
  bool by_block = false;
  int exchange = -1;  // the first of a group: the same line and occurrence in all warps
};

class WholeRun {
 public:
  WholeRun(const RunQueries& model, const Cursor& c, const Theme& t, const Metrics& m, float w, float h,
           const WatchState& state, const Prediction* prediction, bool future)
      : future_(future),
        model_(model),
        theme_(t),
        state_(state),
        prediction_(prediction),
        pen_(picture_, m),
        block_(model.block(c)),
        track_(model.track(c)),
        now_(*model.step(c)) {
    picture_.width = w, picture_.height = h;
    columns_ = columns(model, c, t, w);
    part_ = shown_part(model, c);
    shown_ = part_.array;
    pitch_ =
        columns_.rows > 1 ? (columns_.right() - columns_.left) / float(columns_.visible) : columns_.pitch;
    selected_ = model.selected(c);
    landed_ = c.phase >= landing && !(prediction && prediction->hides());
    related_ = related(model, c, state.relatives);
    top_ = px(32);
    if (t.projector()) key(false);
    make_rows(true);
    if (int(rows_.size()) > rows_that_fit()) make_rows(false);
    if (!future_) {
      rows_.resize(size_t(std::min(present_last_ + 1, int(rows_.size()))));
      track_rows_.resize(size_t(track_.present) + 1);
    }
  }

  Picture drawn() {
    header();
    choose_rows();
    labels();
    const bool cells = pitch_ / theme_.scale >= 8;
    for (int r = first_; r < first_ + count_; ++r)
      if (in_present(r)) pen_.rect({0, row_y(r) - row_h_ / 2, picture_.width, row_h_}, theme_.selected);
    if (cells) columns_between();
    for (int r = first_; r < first_ + count_; ++r) {
      band(r);
      if (cells && rows_[size_t(r)].what == RunRow::step) links(r);
    }
    for (int r = first_; r < first_ + count_; ++r) {
      if (rows_[size_t(r)].what == RunRow::lanes) lanes_of(r);
      if (rows_[size_t(r)].what != RunRow::step) continue;
      cells ? cells_of(r) : strip_of(r);
      if (cells) elsewhere(r);
    }
    scroll_bar();
    return std::move(picture_);
  }

 private:
  float px(float v) const { return theme_.px(v); }
  const Step& step(int r) const {
    const RunRow& row = rows_[size_t(r)];
    return model_.block(row.launch, row.block).steps[size_t(row.index)];
  }
  bool past(int r) const { return r < present_; }
  bool present(int r) const { return r == present_; }
  /// The present step's row, or one of the rows within it.
  bool in_present(int r) const { return r >= present_first_ && r <= present_last_; }
  bool values(int r) const { return past(r) || (present(r) && landed_); }
  float row_y(int r) const { return top_ + row_h_ * (float(r - first_) + 0.5f); }
  float x_of(int cell) const { return columns_.left + pitch_ * (float(cell - columns_.first) + 0.5f); }
  bool visible(int cell) const { return cell >= columns_.first && cell < columns_.first + columns_.visible; }
  std::string name(CellRef p) const { return model_.name(block_.launch, p); }
  bool of_this_launch(int r) const { return rows_[size_t(r)].launch == block_.launch; }
  /// The cells that a row shows: in other launches those of the array that its block writes most.
  ArrayRange part_of(int r) const {
    const BlockSteps& b = model_.block(rows_[size_t(r)].launch, rows_[size_t(r)].block);
    if (of_this_launch(r)) return b.turns.contains(part_.array) ? step(r).after(part_.array) : part_;
    if (shown_ < first_shared && b.parts.contains(shown_)) return {shown_, part_.first, part_.size};
    return b.steps.empty() ? ArrayRange{} : step(r).after(b.main);
  }
  /// The column of a cell of the row's array: rows that take turns stand on the same columns.
  int column(int r, CellRef p, const ArrayRange& part) const {
    const BlockSteps& b = model_.block(rows_[size_t(r)].launch, rows_[size_t(r)].block);
    const auto turns = b.turns.find(p.array);
    return turns == b.turns.end() ? p.index - part.first : p.index % turns->second.row;
  }

  // Whether a lane wrote the shown cells for the last time before it met the others. Then the meeting stands
  // below.
  bool comes_after(const Exchange& e, const Interval& interval) const {
    if (e.lanes.empty() || e.lanes[0].node < 0) return false;
    const auto& nodes = model_.flow().nodes;
    const Node& met = nodes[size_t(e.lanes[0].node)];
    int last = -1;
    for (int id : interval.nodes)
      if (const Node& n = nodes[size_t(id)];
          n.thread == met.thread && writes(n.op) && n.place.array == shown_)
        last = std::max(last, n.event);
    return last >= 0 && last < met.event;
  }
  // Returns the step's own row.
  int add_step(const Interval& interval, bool by_block, const std::vector<Exchange>* lanes) {
    std::vector<RunRow> after;
    const Exchange* last = nullptr;
    int first = 0;
    bool shown = false;
    for (int k = 0; lanes && k < int(lanes->size()); ++k) {
      const Exchange& e = (*lanes)[size_t(k)];
      if (e.interval != interval.index) continue;
      const bool same = last && last->line == e.line && last->occurrence == e.occurrence && last->op == e.op;
      last = &e;
      if (!same) first = k, shown = false;
      if (shown || !moves_something(e)) continue;
      shown = true;
      (comes_after(e, interval) ? after : rows_)
          .push_back({RunRow::lanes, interval.launch, interval.block, interval.index, by_block, first});
    }
    rows_.push_back({RunRow::step, interval.launch, interval.block, interval.index, by_block, -1});
    const int own = int(rows_.size()) - 1;
    rows_.insert(rows_.end(), after.begin(), after.end());
    return own;
  }

  // What the lanes of a block hand each other; null: that is not shown. Found by going through the launch, so
  // of other blocks than the cursor's only in runs that are small, and as long as there may be room.
  const std::vector<Exchange>* lanes_within(int launch, int block, bool others) const {
    const bool ours = launch == block_.launch && block == block_.block;
    constexpr size_t most_nodes = 100'000;
    if (ours ? track_.by_block && !others
             : !others || model_.flow().nodes.size() > most_nodes || int(rows_.size()) > rows_that_fit())
      return nullptr;
    return &model_.exchanges(launch, block);
  }

  // Launch after launch; in the cursor's own the steps of its block (or of all blocks), with what lanes hand
  // each other before the step's end. `others`: of all blocks and launches, not of the cursor's block alone.
  void make_rows(bool others) {
    rows_.clear();
    track_rows_.clear();
    const auto& launches = model_.trace().launches;
    for (int k = 0; k < int(launches.size()); ++k) {
      const Launch& l = launches[size_t(k)];
      if (launches.size() > 1)
        rows_.push_back({RunRow::head, k, std::min(block_.block, l.grid - 1), 0, false, -1});
      if (k == block_.launch) {
        for (size_t j = 0; j < track_.steps.size(); ++j) {
          const int before = int(rows_.size());
          const Interval& interval = *track_.steps[j]->interval;
          track_rows_.push_back(add_step(interval, track_.by_block, lanes_within(k, interval.block, others)));
          if (int(j) != track_.present) continue;
          present_ = track_rows_.back();
          present_first_ = before;
          present_last_ = int(rows_.size()) - 1;
        }
        continue;
      }
      const int block = std::min(block_.block, l.grid - 1);
      const int steps = int(model_.flow().of_block(k, block).size());
      if (l.grid > 1 && steps == 1) {
        for (int b = 0; b < std::min(l.grid, 64); ++b)
          if (const auto of = model_.flow().of_block(k, b); !of.empty())
            add_step(of[0], true, lanes_within(k, b, others));
      } else {
        const auto of = model_.flow().of_block(k, block);
        for (int i = 0; i < steps; ++i) add_step(of[size_t(i)], false, lanes_within(k, block, others));
      }
    }
  }

  void header() {
    if (theme_.projector()) return key(true);
    const LineLook small{.size = theme_.label(), .colour = theme_.ink2};
    const Launch& l = model_.trace().launches[size_t(block_.launch)];
    const std::string where = l.grid == 1       ? tr("time runs down")
                              : track_.by_block ? tr("a row a block: no barriers here")
                                                : tr("block {0} of {1}", block_.block, l.grid);
    const auto plan = [&](const std::string& words) {
      if (!selected_) return line({words}, small);
      return pressed(line({words}, small),
                     {.what = HitRegion::button,
                      .box = {},
                      .tip = tr("What lights up: the values that went into the selected cell, those that "
                                "it flows into, or both. Click to change."),
                      .name = "run:relatives",
                      .press = [](State& s, float) { s = next_relatives(std::move(s)); }});
    };
    // what has no room is left out whole, never cut
    const std::string lit = what_lights();
    LayoutNode now =
        lit.empty() ? plan(where) : plan(where + "; " + lit).or_else(plan(lit)).or_else(plan(where));
    draw(
        {pen_, theme_},
        row(px(14), {line({tr("Whole run")}, heading_look(theme_)), std::move(now).gives(1), space(0).grows(),
                     line({tr("future steps show structure, never answers")}, {theme_.label(), theme_.ink3})
                         .gives(2)}),
        {margin(theme_), px(8), picture_.width - 2 * margin(theme_), px(20)});
  }
  std::string what_lights() const { return selected_ ? words_of(related_, name(*selected_)) : std::string(); }

  // On the projector, where no legend stands beside: what the colours of these pictures mean, and what lights
  // up. Sets where the rows begin.
  void key(bool draw) {
    const float size = px(22), line = size * 1.3f, w = px(22), h = px(16), gap = px(8);
    const float left = margin(theme_), right = picture_.width - margin(theme_);
    float x = left, y = px(6) + line / 2;
    std::vector<Sign> signs{Sign::read, Sign::write, Sign::changed};
    if (std::any_of(now_.wrote.begin(), now_.wrote.end(), [&](const auto& w) {
          const Node& n = model_.flow().nodes[size_t(w.node)];
          return n.place.array == now_.to() && is_atomic(n.op);
        }))
      signs.push_back(Sign::atomic);
    for (const Sign s : signs) {
      const std::string words = word_for(s);
      if (draw) {
        draw_sign(pen_, theme_, s, {x, y - h / 2, w, h});
        pen_.text({x + w + gap, y}, words, size, theme_.ink2);
      }
      x += w + gap + pen_.width(words, size) + px(20);
    }
    const std::string lit = what_lights();
    if (!lit.empty() && x + pen_.width(lit, size) > right) x = left, y += line;
    if (draw && !lit.empty()) pen_.text({x, y}, pen_.fitted(lit, right - x, size), size, theme_.ink2);
    top_ = y + line / 2 + px(4);
  }

  // As many rows as are readable; a long run shows those around the present, or where it was scrolled to.
  float room_for_rows() const { return picture_.height - top_ - px(8); }
  int rows_that_fit() const { return std::max(3, int(room_for_rows() / px(theme_.projector() ? 29 : 22))); }
  void choose_rows() {
    const int all = int(rows_.size());
    const float room = room_for_rows();
    const int fit = rows_that_fit();
    count_ = std::min(all, fit);
    if (all > fit) {
      first_ = std::clamp(present_ - count_ / 2, 0, all - count_);
      if (state_.run_scroll_at == now_.flow_index)
        first_ = std::clamp(first_ + state_.run_scroll, 0, all - count_);
    }
    row_h_ = std::min(room / float(count_), px(theme_.projector() ? 60 : 48));
    cell_h_ = std::min(row_h_ * (theme_.projector() ? 0.82f : 0.68f), px(theme_.projector() ? 34 : 24));
  }

  // Which part of a long run is in view, at the right edge.
  void scroll_bar() {
    const int all = int(rows_.size());
    if (count_ >= all) return;
    const float w = px(4), x = picture_.width - px(8), h = row_h_ * float(count_);
    pen_.rect({x, top_, w, h}, mix(theme_.line, theme_.panel, 0.6f), 0, 1, w / 2);
    const float y = top_ + h * float(first_) / float(all), part = h * float(count_) / float(all);
    pen_.rect({x, y, w, std::max(part, px(10))}, theme_.ink3, 0, 1, w / 2);
    const float at = top_ + h * (float(present_) + 0.5f) / float(all);
    pen_.rect({x - px(2), at - px(1.5f), w + px(4), px(3)}, theme_.dark() ? theme_.changed : theme_.ink);
    pen_.hit(
        {HitRegion::other,
         {x - px(6), top_, px(14), h},
         0,
         0,
         tr("{} of {} rows; turn the wheel to see the others. The mark is the present step.", count_, all),
         "run:scroll"});
  }

  std::string label(int r, int style) const {
    const RunRow& row = rows_[size_t(r)];
    if (row.what == RunRow::head) return {};
    if (row.what == RunRow::lanes) return lanes_label(row, style);
    const Step& s = step(r);
    if (row.by_block) return tr("block {}", row.block);
    std::string phase = phase_name(model_, s);
    if (s.wrote.empty() && s.working) phase = tr("read");
    if (style >= 1 && spoken() == Language::en) phase = phase.substr(0, phase.find_first_of("- "));
    if (style >= 2 && phase == "down") phase = "dn";
    // of a long phase without strides: which of its steps
    if (!s.stride() && s.phase_count >= 4)
      return style >= 2 ? "#" + std::to_string(s.phase_number)
                        : phase + " #" + std::to_string(s.phase_number);
    if (!s.stride()) return phase;
    if (style >= 3) return tr("by {}", s.stride());
    return style == 0 ? tr("{}, stride {}", phase, s.stride()) : phase + " " + std::to_string(s.stride());
  }

  // How far lanes reach: the one distance between giver and taker, 0: mixed.
  int reach(const RunRow& row) const {
    int reach = 0;
    for_group(row, [&](const Exchange& e) {
      for (const auto& l : e.lanes)
        if (l.from >= 0 && l.from != l.lane)
          reach = reach == 0 || reach == std::abs(l.from - l.lane) ? std::abs(l.from - l.lane) : -1;
    });
    return std::max(0, reach);
  }
  template <class F>
  void for_group(const RunRow& row, const F& f) const {
    const auto& all = model_.exchanges(row.launch, row.block);
    const Exchange& first = all[size_t(row.exchange)];
    for (size_t k = size_t(row.exchange); k < all.size(); ++k) {
      const Exchange& e = all[k];
      if (e.interval == first.interval && e.line == first.line && e.occurrence == first.occurrence &&
          e.op == first.op)
        f(e);
    }
  }
  std::string lanes_label(const RunRow& row, int style) const {
    const Exchange& e = model_.exchanges(row.launch, row.block)[size_t(row.exchange)];
    const std::string what(e.op == Op::shuffle  ? tr("shuffle")
                           : e.op == Op::reduce ? style >= 1 ? tr("sum") : tr("sum of lanes")
                                                : tr("vote"));
    const int by = reach(row);
    if (e.op != Op::shuffle || !by) return what;
    return style >= 2 ? tr("by {}", by) : what + " " + std::to_string(by);
  }

  void labels() {
    const float size = px(theme_.size_label), x = margin(theme_) + px(9), room = columns_.left - x - px(8);
    int style = 0;
    for (; style < 3; ++style) {
      bool fits = true;
      for (int r = first_; r < first_ + count_; ++r)
        if (pen_.width(label(r, style), size, present(r) ? Font::text_bold : Font::text) > room) fits = false;
      if (fits) break;
    }
    label_style_ = style;
  }

  // A launch's name over its rows.
  void heading(int r) {
    const RunRow& row = rows_[size_t(r)];
    const Launch& l = model_.trace().launches[size_t(row.launch)];
    const LineLook title{.size = theme_.label(), .colour = theme_.ink, .font = Font::text_bold, .cut = true};
    const bool between = is_between_launches(l);
    const std::string number = tr("Launch {}", launch_number(row.launch));
    draw({pen_, theme_},
         bscope::row(
             px(10),
             {line({capitalised(numbered(l, number, ": "))}, title),
              line({between      ? ""
                    : l.grid > 1 ? tr("{} blocks of {} threads", l.grid, l.block)
                                 : tr_count(l.block, "one block of {} thread", "one block of {} threads")},
                   {theme_.label(), theme_.ink3})
                  .gives(1),
              rule(theme_.line).grows()}),
         {margin(theme_), row_y(r) - row_h_ / 2, picture_.width - 2 * margin(theme_), row_h_});
    const Interval* first = model_.flow().of_block(row.launch, row.block).data();
    pen_.hit({HitRegion::step,
              {0, row_y(r) - row_h_ / 2, picture_.width, row_h_},
              first ? int(first - model_.flow().intervals.data()) : 0,
              0,
              between ? tr("What changed memory between launches. Click to go to it.")
                      : tr("Launch {}: the kernel is started anew, after all blocks of the one before have "
                           "ended. Click to go to its first step.",
                           launch_number(row.launch)),
              "run:launch:" + std::to_string(row.launch)});
  }

  void band(int r) {
    const RunRow& row = rows_[size_t(r)];
    if (row.what == RunRow::head) return heading(r);
    const Step& s = step(r);
    const float y = row_y(r), size = px(theme_.size_label), x = margin(theme_);
    if (in_present(r))
      pen_.rect({0, y - row_h_ / 2, px(5), row_h_}, theme_.changed, theme_.dark() ? 0 : theme_.ink, px(1));
    const float bar_h = std::min(row_h_ - px(6), size * 1.2f);
    const Colour bar = theme_.dark() ? theme_.phase(s.interval->phase)
                                     : mix(theme_.ink3, theme_.phase(s.interval->phase), 0.45f);
    if (row.what == RunRow::step) pen_.rect({x, y - bar_h / 2, px(4), bar_h}, bar);
    const Font font = present(r) ? Font::text_bold : Font::text;
    pen_.text({x + px(9), y}, pen_.fitted(label(r, label_style_), columns_.left - x - px(13), size, font),
              size, present(r) ? theme_.ink : theme_.ink2, font);
    const std::string tip =
        row.what == RunRow::lanes
            ? std::string(
                  tr("A shuffle hands a value from lane to lane of a warp, without memory and without a "
                     "barrier. Click to go to its step."))
        : row.by_block
            ? tr("What block {} does. Click to go there.", row.block)
            : tr("Step {}: what happens between two barriers. Click to go there.", step_number(row.index));
    const bool here = of_this_launch(r) && !row.by_block;
    pen_.hit({here ? HitRegion::interval : HitRegion::step,
              {0, y - row_h_ / 2, columns_.left - px(4), row_h_},
              here ? row.index : s.flow_index,
              0,
              tip,
              (row.what == RunRow::lanes ? "run:lanes:" : "run:step:") + std::to_string(r)});
  }

  /// What a lane holds after the exchange, as its box says it.
  std::string lane_value(const Exchange& e, const Exchange::Lane& l) const {
    const int made = combined(model_.flow(), l);
    if (made < 0) return value_text(e.result_kind, l.taken);
    const Node& n = model_.flow().nodes[size_t(made)];
    return value_text(Kind(n.kind), n.bits);
  }
  /// Whether the row above shows what the lane gives. Else it brings another value of its own.
  bool shown_above(int r, const Exchange& e, int lane) const {
    const Exchange::Lane* giver = e.of(lane);
    if (!giver || !giver->gave) return true;
    const RunRow& row = rows_[size_t(r)];
    bool shown = false;
    if (r > first_ && rows_[size_t(r) - 1].what == RunRow::lanes && rows_[size_t(r) - 1].index == row.index &&
        rows_[size_t(r) - 1].block == row.block)
      for_group(rows_[size_t(r) - 1], [&](const Exchange& above) {
        if (const Exchange::Lane* l = above.warp == e.warp ? above.of(lane) : nullptr)
          shown = lane_value(above, *l) == value_text(e.kind, giver->given);
      });
    return shown;
  }

  // From lane to lane: who gave to whom, and what came of it.
  void lanes_of(int r) {
    const RunRow& row = rows_[size_t(r)];
    const int threads = model_.trace().launches[size_t(row.launch)].block;
    const float left = columns_.left, width = pitch_ * float(columns_.visible), each = width / float(threads);
    const auto lane_x = [&](int rank) { return left + each * (float(rank) + 0.5f); };
    const bool known = r < present_first_ || (in_present(r) && landed_);
    const float y0 = row_y(r) - row_h_ / 2 + px(2), y = row_y(r);
    const bool boxes = each / theme_.scale >= 20;
    const Colour quiet = mix(theme_.ink3, theme_.panel, 0.6f);
    const float box_h = boxes ? std::min(cell_h_, row_h_ * (theme_.projector() ? 0.76f : 0.6f)) : px(4),
                box_y = y + row_h_ / 2 - box_h - px(2);
    for_group(row, [&](const Exchange& e) {
      for (const auto& l : e.lanes) {
        const int to = e.warp * warp_size + l.lane;
        if (l.from < 0 || l.from == l.lane) continue;
        const int from = e.warp * warp_size + l.from;
        pen_.line({lane_x(from), y0}, {lane_x(to), box_y},
                  known ? mix(theme_.thread, theme_.panel, threads > 16 ? 0.55f : 0.8f) : quiet,
                  px(each / theme_.scale >= 8 ? 1.2f : 0.8f));
        // a line begins at a point where the row above does not show what is given
        if (known && boxes && !shown_above(r, e, l.from)) {
          const float d = px(4);
          pen_.rect({lane_x(from) - d / 2, y0 - d / 2, d, d}, theme_.thread, 0, 1, d / 2);
        }
      }
    });
    const float w =
        boxes ? std::min(each - px(3), px(theme_.projector() ? 48 : 38)) : std::max(px(2), each * 0.5f);
    const auto all_values = [&](bool) {
      std::vector<std::string> out;
      if (known && boxes)
        for_group(row, [&](const Exchange& e) {
          for (const auto& l : e.lanes) out.push_back(lane_value(e, l));
        });
      return out;
    };
    const CellStyle style = fit(pen_, theme_, all_values, w - px(3.5f), largest_value(box_h));
    for_group(row, [&](const Exchange& e) {
      for (const auto& l : e.lanes) {
        const int rank = e.warp * warp_size + l.lane;
        const Box box{lane_x(rank) - w / 2, box_y, w, box_h};
        pen_.rect(box,
                  known && boxes ? theme_.cell
                  : known        ? theme_.thread
                                 : theme_.panel,
                  known ? mix(theme_.thread, theme_.panel, 0.7f) : quiet, px(1), px(boxes ? 3 : 1));
        const std::string value = lane_value(e, l);
        if (known && boxes)
          pen_.text(box.centre(), style.words(pen_, value), style.size, theme_.ink2, Font::mono,
                    Align::centre);
        if (boxes)
          pen_.hit({HitRegion::thread, box, rank, 0,
                    !known             ? tr("Lane {} takes part.", l.lane)
                    : l.from < 0       ? tr("Lane {} gets {}, made from all lanes.", l.lane, value)
                    : l.from == l.lane ? tr("Lane {} keeps its own value: {}.", l.lane, value)
                                       : tr("Lane {} takes from lane {}: {}.", l.lane, l.from, value),
                    "run:lane:" + std::to_string(r) + ":" + std::to_string(rank)});
      }
    });
  }

  // A cell's column carries its value down from the row that wrote it, within a launch.
  void columns_between() {
    for (int r = first_; r < first_ + count_;) {
      int end = r;
      while (end < first_ + count_ && rows_[size_t(end)].what != RunRow::head) ++end;
      if (end - r > 1) {
        const ArrayRange part = part_of(r);
        for (int k = 0; k < columns_.visible; ++k)
          if (columns_.first + k < part.size)
            pen_.line({x_of(columns_.first + k), row_y(r)}, {x_of(columns_.first + k), row_y(end - 1)},
                      mix(theme_.line, theme_.panel, theme_.dark() ? 0.75f : 0.6f), px(1));
      }
      r = end + 1;
    }
  }

  // Whether a node is among the ancestors of the selected cell, in a row that has happened.
  bool lit(int r, int node) const {
    if ((past(r) || present(r)) && related_.went_in(node)) return true;
    // where a value goes is structure, which the future shows
    return related_.flows_into(node);
  }

  CellRef place(int node) const { return model_.flow().nodes[size_t(node)].place; }

  // The row that wrote what a load saw; -1: a row that is not shown, or none.
  int written_in(int load) const {
    const auto& nodes = model_.flow().nodes;
    const int store = nodes[size_t(load)].a;
    if (store < 0) return -1;
    const Node& n = nodes[size_t(store)];
    if (n.launch != block_.launch) return -1;
    const int block = n.thread / model_.trace().launches[size_t(n.launch)].block;
    const int k = track_.by_block ? block - track_.first_block : block == block_.block ? n.interval : -1;
    return k >= 0 && k < int(track_rows_.size()) ? track_rows_[size_t(k)] : -1;
  }
  // The step's row above this one in its launch; -1: it is the first, or not in view.
  int row_above(int r) const {
    for (int k = r - 1; k >= first_; --k) {
      if (rows_[size_t(k)].what == RunRow::head) return -1;
      if (rows_[size_t(k)].what == RunRow::step) return k;
    }
    return -1;
  }

  void links(int r) {
    const Step& s = step(r);
    const ArrayRange part = part_of(r);
    const int above = row_above(r);
    const bool ours = of_this_launch(r);
    const size_t moves = s.wrote.size() + s.held().size();
    const size_t every = moves > 256 ? moves : moves > 64 ? 8 : 1;
    const float thin = px(1);
    std::vector<size_t> drawn;
    for (size_t k = 0; k < s.wrote.size(); ++k)
      if (k % every == 0 || lit(r, s.wrote[k].node)) drawn.push_back(k);
    // quiet lines first
    for (const bool bright : {false, true})
      for (const size_t k : drawn) {
        const CellRef written = place(s.wrote[k].node);
        if (written.array != part.array) continue;
        const int to = written.index - part.first;
        const bool lights = lit(r, s.wrote[k].node);
        if (lights != bright || !visible(to)) continue;
        for (size_t j = k ? s.wrote[k - 1].end : 0; j < s.wrote[k].end; ++j) {
          const CellRef p = place(s.loads[j]);
          if (p.array != part.array) continue;
          const int from = column(r, p, part);
          if (!visible(from)) continue;
          const float y1 = row_y(r) - cell_h_ / 2,
                      y0 = above >= 0 ? row_y(above) + cell_h_ / 2 : y1 - row_h_ * 0.3f;
          if (from == to) {
            // its own former value: down the column from where it was written
            if (!lights) continue;
            const int origin = ours ? written_in(s.loads[j]) : -1;
            if (origin >= 0 && origin < r)
              pen_.line({x_of(to), row_y(std::max(origin, first_)) + cell_h_ / 2}, {x_of(to), y1},
                        theme_.read, px(1.5f));
            continue;
          }
          if (above < 0) continue;
          if (lights) {
            const int origin = ours ? written_in(s.loads[j]) : -1;
            if (origin >= 0 && origin < above)
              pen_.line({x_of(from), row_y(std::max(origin, first_)) + cell_h_ / 2}, {x_of(from), y0},
                        theme_.read, px(1.5f));
          }
          const float side = from < to ? -0.3f : 0.3f;
          const float half = std::min(px(18), pitch_ * 0.4f);
          const Point end{x_of(to) + side * half, y1};
          pen_.line({x_of(from), y0}, end, lights ? theme_.read : mix(theme_.ink3, theme_.panel, 0.5f),
                    lights ? px(1.5f) : thin);
        }
      }
  }

  // A step that writes other arrays only says which.
  void elsewhere(int r) {
    const Step& s = step(r);
    const ArrayRange part = part_of(r);
    constexpr int all = std::numeric_limits<int>::max();
    if (!s.written_in(part.array, 0, all).empty()) return;
    std::map<int, int> counts;
    for (const auto& [key, w] : s.written()) ++counts[int(key >> 32)];
    if (counts.empty() && s.working) {
      // a step that only reads: a point at each cell it reads, blue where that went into the selected one
      for (int load : s.held())
        if (const CellRef p = place(load); p.array == part.array && visible(column(r, p, part))) {
          const float d = px(theme_.projector() ? 7 : 5);
          pen_.rect({x_of(column(r, p, part)) - d / 2, row_y(r) - d / 2, d, d},
                    lit(r, load)            ? theme_.read
                    : past(r) || present(r) ? theme_.ink2
                                            : theme_.ink3,
                    0, 1, d / 2);
        }
      return;
    }
    std::string each;
    int cells = 0;
    for (const auto& [array, n] : counts) {
      const std::string& array_name = model_.array(rows_[size_t(r)].launch, array).name;
      each += (each.empty() ? "" : "; ") + (n == 1 ? tr("writes {} cell of {}", n, array_name)
                                                   : tr("writes {} cells of {}", n, array_name));
      cells += n;
    }
    if (counts.empty()) each = tr("no memory touched");
    const float size = theme_.label(), x = columns_.left + px(6);
    const std::string words =
        spelled(pen_, {each, tr("writes {} cells of {} arrays", cells, counts.size()), tr("{} cells", cells)},
                picture_.width - margin(theme_) - x, size, Font::text, true);
    const Colour back = present(r) ? theme_.selected : theme_.panel;
    pen_.rect({x - px(4), row_y(r) - size * 0.6f, pen_.width(words, size) + px(8), size * 1.2f}, back);
    pen_.text({x, row_y(r)}, words, size, present(r) ? theme_.ink2 : theme_.ink3);
  }

  /// The largest letters of values in boxes of that height.
  float largest_value(float box_h) const {
    return std::min(theme_.projector() ? theme_.value() : px(14.5f),
                    box_h * (theme_.projector() ? 0.94f : 0.86f));
  }

  void cells_of(int r) {
    const Step& s = step(r);
    const ArrayRange part = part_of(r);
    if (part.array < 0) return;
    const float widest =
        model_.array(rows_[size_t(r)].launch, part.array).kind >= Kind::affine ? 2 : 1;  // 120y+139
    const float y = row_y(r), w = std::min(pitch_ - px(pitch_ / theme_.scale >= 44 ? 6 : 3),
                                           px(theme_.projector() ? 48 : 38) * widest);
    const StatePtr state = values(r) ? model_.after(s, part) : nullptr;
    // narrow cells show how large their values are by lightness
    const bool text = pitch_ / theme_.scale >= 22;
    double largest = 0;
    if (state && !text)
      for (int k = 0; k < columns_.visible; ++k) {
        const int at = part.first + columns_.first + k;
        if (at < state->size() && state->is_known(at))
          largest = std::max(largest, std::fabs(state->value(at)));
      }
    // one size for the row, in which all its values fit
    const auto written_values = [&](bool briefly) {
      std::vector<std::string> out;
      for (int k = 0; state && text && k < columns_.visible; ++k) {
        const int cell = columns_.first + k, at = part.first + cell;
        if (cell < part.size && s.writes_of({part.array, at}) && state->is_known(at))
          out.push_back(briefly ? brief(*state, at) : value_text(*state, at));
      }
      return out;
    };
    const CellStyle style = fit(pen_, theme_, written_values, w - px(3.5f), largest_value(cell_h_));
    for (int k = 0; k < columns_.visible; ++k) {
      const int cell = columns_.first + k, at = part.first + cell;
      const CellRef p{part.array, at};
      const auto* written = cell < part.size ? s.writes_of(p) : nullptr;
      if (!written) continue;
      const bool blue = lit(r, written->node);
      const bool now = present(r) && landed_;
      if (present(r) && prediction_ && prediction_->hides())
        if (const int number = prediction_->box_of(p); number >= 0) {
          const Box box{x_of(cell) - w / 2, y - cell_h_ / 2, w, cell_h_};
          draw_guess(pen_, theme_, *prediction_, number, box, text ? largest_value(cell_h_) : 0);
          pen_.hit({HitRegion::cell, box, p.array, p.index, tr("What will {} hold? Type a value.", name(p)),
                    "run:guess:" + std::to_string(p.index)});
          continue;
        }
      // no answers in the future: small empty boxes
      const float box_w = state ? w : std::min(w, px(theme_.projector() ? 26 : 20));
      const float box_h = state ? cell_h_ : std::min(cell_h_, px(theme_.projector() ? 18 : 11));
      const Box box{x_of(cell) - box_w / 2, y - box_h / 2, box_w, box_h};
      const Colour fill = now          ? theme_.changed
                          : state      ? text ? theme_.cell : shade(theme_, state->value(at), largest)
                               : present(r) ? theme_.selected
                                       : theme_.panel;
      const Colour edge = now     ? theme_.dark() ? theme_.changed : theme_.ink
                          : blue  ? theme_.read
                          : state ? theme_.line
                                  : mix(theme_.ink3, theme_.panel, 0.7f);
      pen_.rect(box, fill, edge, px(blue && !now ? 1.6f : 1), px(3));
      if (state && state->is_known(at)) {
        if (text)
          pen_.text(box.centre(), style.words(pen_, style.brief ? brief(*state, at) : value_text(*state, at)),
                    style.size,
                    now    ? theme_.on(theme_.changed)
                    : blue ? theme_.ink
                           : theme_.ink2,
                    now || blue ? Font::mono_bold : Font::mono, Align::centre);
        const RunRow& row = rows_[size_t(r)];
        pen_.hit({of_this_launch(r) ? HitRegion::cell : HitRegion::step, box,
                  of_this_launch(r) ? p.array : s.flow_index, at,
                  tr("{} = {} after step {}.", model_.name(row.launch, p), value_text(*state, at),
                     step_number(row.index)),
                  "run:" + std::to_string(r) + ":" + std::to_string(at)});
      }
    }
  }

  // Too many cells for boxes: a strip a row, changed cells in the present's colour, the future's structure
  // grey.
  void strip_of(int r) {
    const Step& s = step(r);
    const ArrayRange part = part_of(r);
    if (part.array < 0) return;
    const float width = pitch_ * float(columns_.visible), h = std::min(row_h_ * 0.72f, px(22));
    const Box box{columns_.left, row_y(r) - h / 2, width, h};
    const auto columns = size_t(std::clamp(int(width / std::max(1.0f, theme_.scale)), 1, columns_.visible));
    const int first = part.first + columns_.first;
    std::vector<Colour> colours(columns, theme_.cell);
    if (values(r)) {
      const int cells = std::min(columns_.visible, std::max(1, part.size - columns_.first));
      const float wide = float(columns) * float(cells) / float(columns_.visible);
      std::ranges::copy(grey_cells(theme_, *model_.after(s, part), first, cells, wide).colours,
                        colours.begin());
    }
    // the present's changes fill the row, the past's underline it, the future's are structure only
    const bool now = present(r) && landed_, under = values(r) && !now;
    const Colour mark = now ? theme_.changed : under ? theme_.ink2 : mix(theme_.ink3, theme_.panel, 0.55f);
    CellStrip marks{columns_.visible, std::vector<Colour>(columns, under ? theme_.panel : 0)};
    marks.mark(s.written(), {part.array, first}, mark);
    for (const std::vector<int>* nodes : {related_.up, related_.down})
      for (size_t k = 0; nodes && k < nodes->size(); ++k)
        if (const CellRef p = place((*nodes)[k]);
            p.array == part.array && p.index >= first && p.index < first + columns_.visible)
          if (const auto* w = s.writes_of(p); w && w->node == (*nodes)[k] && lit(r, w->node))
            marks.mark(p.index - first, theme_.read);
    for (size_t k = 0; k < columns && !under; ++k)
      if (marks.colours[k]) colours[k] = marks.colours[k];
    pen_.strip(box, std::move(colours));
    if (under) {
      const float mark_h = std::max(px(2), h * 0.2f);
      pen_.strip({box.x, box.bottom() - mark_h, box.w, mark_h}, std::move(marks.colours));
    }
    pen_.rect(box, 0, theme_.line, px(1));
    const bool here = of_this_launch(r) && !rows_[size_t(r)].by_block;
    pen_.hit({here ? HitRegion::interval : HitRegion::step, box, here ? rows_[size_t(r)].index : s.flow_index,
              0,
              tr_count(s.written().size(), "{} cell written in this step.", "{} cells written in this step."),
              "run:strip:" + std::to_string(r)});
  }

  const bool future_;
  const RunQueries& model_;
  const Theme& theme_;
  const WatchState& state_;
  const Prediction* prediction_;
  Picture picture_;
  Pen pen_;
  const BlockSteps& block_;
  const Track track_;
  const Step& now_;
  Columns columns_;
  int shown_ = -1;
  ArrayRange part_;
  float pitch_ = 0;
  std::optional<CellRef> selected_;
  Related related_;
  std::vector<RunRow> rows_;
  std::vector<int> track_rows_;  // of each step of the track, its row
  int present_ = 0, present_first_ = 0, present_last_ = 0;
  bool landed_ = true;
  float top_ = 0, row_h_ = 0, cell_h_ = 0;
  int first_ = 0, count_ = 0, label_style_ = 0;
};

}  // namespace

Picture whole_run(const RunQueries& model, const Cursor& c, const Theme& t, const Metrics& m, float width,
                  float height, const WatchState& state, const Prediction* prediction, bool future) {
  const BlockSteps& b = model.block(c);
  if (b.steps.empty() || b.main < 0) return {width, height, {}, {}};
  return WholeRun(model, c, t, m, width, height, state, prediction, future).drawn();
}

}  // namespace bscope
