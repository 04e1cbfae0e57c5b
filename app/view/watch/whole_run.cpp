#include "app/view/watch/whole_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/view/watch/array_view.hpp"
#include "app/view/watch/draw.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

class WholeRun {
 public:
  WholeRun(const WatchModel& model, const Cursor& c, const Theme& t, const Metrics& m, float w, float h,
           const WatchState& state, const Prediction* prediction)
      : model_(model),
        theme_(t),
        state_(state),
        prediction_(prediction),
        pen_(picture_, m),
        block_(model.block(c)),
        track_(model.track(c)),
        now_(*model.step(c)) {
    picture_.width = w;
    picture_.height = h;
    columns_ = columns(model, c, t, w);
    part_ = shown_part(model, c);
    shown_ = part_.array;
    pitch_ =
        columns_.rows > 1 ? (columns_.right() - columns_.left) / float(columns_.visible) : columns_.pitch;
    selected_ = model.selected(c);
    landed_ = c.phase >= 520.0f / 600 && !(prediction && prediction->hides());
    if (selected_) ancestors_ = &model.ancestors(model.holder(now_, *selected_), first_node());
  }

  Picture draw() {
    header();
    choose_rows();
    labels();
    const bool cells = pitch_ / theme_.scale >= 8;
    if (cells) columns_between();
    for (int r = first_; r < first_ + count_; ++r) {
      band(r);
      if (cells) links(r);
    }
    for (int r = first_; r < first_ + count_; ++r) {
      cells ? cells_of(r) : strip_of(r);
      if (cells) elsewhere(r);
    }
    return std::move(picture_);
  }

 private:
  float px(float v) const { return theme_.px(v); }
  const Step& step(int r) const { return *track_.steps[size_t(r)]; }
  bool past(int r) const { return r < track_.present; }
  bool present(int r) const { return r == track_.present; }
  bool values(int r) const { return past(r) || (present(r) && landed_); }
  float row_y(int r) const { return top_ + row_h_ * (float(r - first_) + 0.5f); }
  float x_of(int cell) const { return columns_.left + pitch_ * (float(cell - columns_.first) + 0.5f); }
  bool visible(int cell) const { return cell >= columns_.first && cell < columns_.first + columns_.visible; }
  std::string name(Place p) const { return model_.name(block_.launch, p); }

  void header() {
    if (theme_.projector()) {
      top_ = px(8);
      return;
    }
    const float size = px(theme_.size_title), small = px(theme_.size_label), y = px(18);
    float x = pen_.text({margin(theme_), y}, "Whole run", size, theme_.ink, Font::text_bold).right() + px(14);
    float right = picture_.width - margin(theme_);
    const std::string future = "future steps show structure, never answers";
    std::string where = "time runs down";
    const auto& launches = model_.trace().launches;
    const Launch& l = launches[size_t(block_.launch)];
    if (launches.size() > 1)
      where = l.name + " (launch " + std::to_string(block_.launch + 1) + " of " +
              std::to_string(launches.size()) + ")";
    if (l.grid > 1 && track_.by_block)
      where += ", a row a block: no barriers here";
    else if (l.grid > 1)
      where += ", block " + std::to_string(block_.block) + " of " + std::to_string(l.grid);
    if (selected_ && ancestors_ && !ancestors_->empty())
      where += "; blue: everything inside " + name(*selected_);
    const float w = pen_.width(where, small);
    if (x + w <= right)
      pen_.text({x, y}, where, small, theme_.ink2);
    else
      pen_.text({x, y}, pen_.fitted(where, right - x, small), small, theme_.ink2);
    if (x + w + px(24) + pen_.width(future, small) <= right)
      pen_.text({right, y}, future, small, theme_.ink3, Font::text, Align::right);
    top_ = px(32);
  }

  // As many rows as are readable; a long run shows those around the present.
  void choose_rows() {
    const int all = int(track_.steps.size());
    const float room = picture_.height - top_ - px(8), least = px(theme_.projector() ? 30 : 22);
    const int fit = std::max(3, int(room / least));
    if (all <= fit) {
      count_ = all;
    } else {
      count_ = std::max(3, fit - 1);  // one row's height says what is left out
      first_ = std::clamp(track_.present - count_ / 2, 0, all - count_);
      const float size = px(theme_.size_label);
      const std::string words = "steps " + std::to_string(first_ + 1) + " to " +
                                std::to_string(first_ + count_) + " of " + std::to_string(all);
      pen_.text({columns_.left, top_ + least / 2}, words, size, theme_.ink2);
      top_ += least;
    }
    row_h_ = std::min((picture_.height - top_ - px(8)) / float(count_), px(theme_.projector() ? 60 : 48));
    cell_h_ = std::min(row_h_ * (theme_.projector() ? 0.8f : 0.68f), px(theme_.projector() ? 34 : 24));
  }

  std::string label(int r, int style) const {
    const Step& s = step(r);
    if (track_.by_block) return "block " + std::to_string(s.interval->block);
    std::string phase = phase_name(model_, s);
    if (s.wrote.empty() && s.working) phase = "read";
    if (style >= 1) phase = phase.substr(0, phase.find_first_of("- "));
    if (style >= 2 && phase == "down") phase = "dn";
    if (!s.stride()) return phase;
    if (style >= 3) return "by " + std::to_string(s.stride());
    return phase + (style == 0 ? ", stride " : " ") + std::to_string(s.stride());
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

  void band(int r) {
    const Step& s = step(r);
    const float y = row_y(r), size = px(theme_.size_label), x = margin(theme_);
    if (present(r)) {
      pen_.rect({0, y - row_h_ / 2, picture_.width, row_h_}, theme_.selected);
      pen_.rect({0, y - row_h_ / 2, px(5), row_h_}, theme_.changed, theme_.dark() ? 0 : theme_.ink, px(1));
    }
    const float bar_h = std::min(row_h_ - px(6), size * 1.2f);
    const Colour bar = theme_.dark() ? theme_.phase(s.interval->phase)
                                     : mix(theme_.ink3, theme_.phase(s.interval->phase), 0.45f);
    pen_.rect({x, y - bar_h / 2, px(4), bar_h}, bar);
    const Font font = present(r) ? Font::text_bold : Font::text;
    pen_.text({x + px(9), y}, pen_.fitted(label(r, label_style_), columns_.left - x - px(13), size, font),
              size, present(r) ? theme_.ink : theme_.ink2, font);
    pen_.hit(
        {Hit::interval,
         {0, y - row_h_ / 2, columns_.left - px(4), row_h_},
         r,
         0,
         track_.by_block
             ? "What block " + std::to_string(s.interval->block) + " does. Click to go there."
             : "Step " + std::to_string(r + 1) + ": what happens between two barriers. Click to go there.",
         "run:step:" + std::to_string(r)});
  }

  // A cell's column carries its value down from the row that wrote it.
  void columns_between() {
    const float first = row_y(first_), last = row_y(first_ + count_ - 1);
    if (first == last) return;
    for (int k = 0; k < columns_.visible; ++k) {
      const int cell = columns_.first + k;
      if (cell >= part_.size) continue;
      pen_.line({x_of(cell), first}, {x_of(cell), last},
                mix(theme_.line, theme_.panel, theme_.dark() ? 0.75f : 0.6f), px(1));
    }
  }

  /// The first node of the steps that are shown side by side.
  int first_node() const {
    int first = std::numeric_limits<int>::max();
    for (const Step* s : track_.steps)
      if (!s->interval->nodes.empty()) first = std::min(first, s->interval->nodes.front());
    return first;
  }
  bool inside(int node) const {
    return ancestors_ && std::binary_search(ancestors_->begin(), ancestors_->end(), node);
  }
  // Is a node among the ancestors of the selected cell, in a row that has happened?
  bool lit(int r, int node) const { return (past(r) || present(r)) && inside(node); }

  Place place(int node) const { return model_.flow().nodes[size_t(node)].place; }

  // The row that wrote what a load saw; -1: a row that is not shown, or none.
  int written_in(int load) const {
    const auto& nodes = model_.flow().nodes;
    const int store = nodes[size_t(load)].a;
    if (store < 0) return -1;
    const Node& n = nodes[size_t(store)];
    if (n.launch != block_.launch) return -1;
    const int block = n.thread / model_.trace().launches[size_t(n.launch)].block;
    if (track_.by_block) return block - track_.first_block;
    return block == block_.block ? n.interval : -1;
  }

  void links(int r) {
    const Step& s = step(r);
    const size_t moves = s.wrote.size() + s.held().size();
    const size_t every = moves > 256 ? moves : moves > 64 ? 8 : 1;
    const float thin = px(1);
    std::vector<size_t> drawn;
    for (size_t k = 0; k < s.wrote.size(); ++k)
      if (k % every == 0 || lit(r, s.wrote[k].node)) drawn.push_back(k);
    // quiet lines first
    for (const bool bright : {false, true})
      for (const size_t k : drawn) {
        const Place written = place(s.wrote[k].node);
        if (written.array != shown_) continue;
        const int to = written.index - part_.first;
        const bool lights = lit(r, s.wrote[k].node);
        if (lights != bright || !visible(to)) continue;
        for (size_t j = k ? s.wrote[k - 1].end : 0; j < s.wrote[k].end; ++j) {
          const Place p = place(s.loads[j]);
          if (p.array != shown_) continue;
          const int from = p.index - part_.first;
          if (!visible(from)) continue;
          const float y1 = row_y(r) - cell_h_ / 2,
                      y0 = r > first_ ? row_y(r - 1) + cell_h_ / 2 : y1 - row_h_ * 0.3f;
          if (from == to) {
            // its own former value: down the column from where it was written
            if (!lights) continue;
            const int origin = written_in(s.loads[j]);
            if (origin >= 0 && origin < r)
              pen_.line({x_of(to), row_y(std::max(origin, first_)) + cell_h_ / 2}, {x_of(to), y1},
                        theme_.read, px(1.5f));
            continue;
          }
          if (r == first_) continue;
          if (lights) {
            const int origin = written_in(s.loads[j]);
            if (origin >= 0 && origin < r - 1)
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
    constexpr int all = std::numeric_limits<int>::max();
    if (!s.written_in(shown_, 0, all).empty()) return;
    std::map<int, int> counts;
    for (const auto& [key, w] : s.written()) ++counts[int(key >> 32)];
    if (counts.empty() && s.working) {
      // a step that only reads: a point at each cell it reads
      for (int load : s.held())
        if (const Place p = place(load); p.array == shown_ && visible(p.index - part_.first)) {
          const float d = px(theme_.projector() ? 7 : 5);
          pen_.rect({x_of(p.index - part_.first) - d / 2, row_y(r) - d / 2, d, d},
                    past(r) || present(r) ? theme_.read : theme_.ink3, 0, 1, d / 2);
        }
      return;
    }
    std::string words;
    for (auto [array, n] : counts)
      words += (words.empty() ? "writes " : ", ") + std::to_string(n) +
               (n == 1 ? " cell of " : " cells of ") + model_.array(block_.launch, array).name;
    if (counts.empty()) words = "no memory touched";
    const float size = px(theme_.size_label), x = columns_.left + px(6),
                room = picture_.width - margin(theme_) - x;
    words = pen_.fitted(words, room, size);
    const Colour back = present(r) ? theme_.selected : theme_.panel;
    pen_.rect({x - px(4), row_y(r) - size * 0.6f, pen_.width(words, size) + px(8), size * 1.2f}, back);
    pen_.text({x, row_y(r)}, words, size, present(r) ? theme_.ink2 : theme_.ink3);
  }

  void cells_of(int r) {
    const Step& s = step(r);
    const float widest = model_.array(block_.launch, shown_).kind >= Kind::affine ? 2 : 1;  // 120y+139
    const float y = row_y(r), w = std::min(pitch_ - px(pitch_ / theme_.scale >= 22 ? 6 : 2),
                                           px(theme_.projector() ? 48 : 38) * widest);
    const StatePtr state = values(r) ? model_.after(s, part_) : nullptr;
    // narrow cells show how large their values are by lightness
    const bool text = pitch_ / theme_.scale >= 22;
    double largest = 0;
    if (state && !text)
      for (int k = 0; k < columns_.visible; ++k) {
        const int at = part_.first + columns_.first + k;
        if (at < state->size() && state->is_known(at))
          largest = std::max(largest, std::fabs(state->value(at)));
      }
    const float most = std::min(px(theme_.projector() ? theme_.size_value : 14.5f),
                                cell_h_ * (theme_.projector() ? 0.94f : 0.86f));
    const float least = std::min(most, px(theme_.projector() ? 20 : 10));
    for (int k = 0; k < columns_.visible; ++k) {
      const int cell = columns_.first + k, at = part_.first + cell;
      const Place p{shown_, at};
      const auto* written = cell < part_.size ? s.writes_of(p) : nullptr;
      if (!written) continue;
      const bool blue = lit(r, written->node);
      const bool now = present(r) && landed_;
      if (present(r) && prediction_ && prediction_->hides())
        if (const int number = prediction_->box_of(p); number >= 0) {
          guess_box({x_of(cell) - w / 2, y - cell_h_ / 2, w, cell_h_}, number, p, text);
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
        std::string words = value_text(*state, at);
        const Font font = now || blue ? Font::mono_bold : Font::mono;
        float size = most;
        const auto too_wide = [&] { return pen_.width(words, size, font) > box_w - px(3); };
        if (too_wide()) size = std::max(least, most * (box_w - px(3)) / pen_.width(words, most, font));
        if (too_wide()) words = brief(*state, at);
        if (text && !too_wide())
          pen_.text(box.centre(), words, size,
                    now    ? theme_.on(theme_.changed)
                    : blue ? theme_.ink
                           : theme_.ink2,
                    font, Align::centre);
        pen_.hit({Hit::cell, box, shown_, at,
                  name(p) + " = " + value_text(*state, at) + " after step " + std::to_string(r + 1) + ".",
                  "run:" + std::to_string(r) + ":" + std::to_string(at)});
      }
    }
  }

  // A cell that is asked for: the guess, or a question mark.
  void guess_box(const Box& box, int number, Place p, bool text) {
    const bool focus = number == prediction_->box;
    pen_.rect(box, theme_.window, theme_.ink2, px(1.5f), px(3));
    if (focus) {
      if (!theme_.dark()) pen_.rect(box, 0, theme_.ink, px(4), px(3));
      pen_.rect(box, 0, theme_.changed, px(2.5f), px(3));
    }
    const std::string& guess = prediction_->guesses[size_t(number)];
    if (text) {
      const float most = std::min(px(theme_.projector() ? theme_.size_value : 14.5f), cell_h_ * 0.86f);
      const std::string words = guess.empty() ? "?" : guess;
      const Font font = guess.empty() ? Font::mono : Font::mono_bold;
      const float wide = pen_.width(words, most, font);
      const float size = std::max(std::min(most, px(theme_.projector() ? 20 : 10)),
                                  std::min(most, most * (box.w - px(4)) / wide));
      if (pen_.width(words, size, font) <= box.w - px(2))
        pen_.text(box.centre(), words, size, theme_.ink, font, Align::centre);
    }
    pen_.hit({Hit::cell, box, p.array, p.index, say("What will {} hold? Type a value.", name(p)),
              "run:guess:" + std::to_string(p.index)});
  }

  // Too many cells for boxes: a strip a row, changed cells in the present's colour, the future's structure
  // grey.
  void strip_of(int r) {
    const Step& s = step(r);
    const float width = pitch_ * float(columns_.visible);
    const int buckets = std::max(1, std::min(columns_.visible, int(width / std::max(1.0f, theme_.scale))));
    const float h = std::min(row_h_ * 0.72f, px(22));
    const Box box{columns_.left, row_y(r) - h / 2, width, h};
    std::vector<Colour> colours(static_cast<size_t>(buckets), theme_.cell);
    if (values(r)) {
      const StatePtr state = model_.after(s, part_);
      const std::vector<float> most =
          largest_in_parts(*state, part_.first + columns_.first, columns_.visible, buckets);
      const double largest = double(*std::max_element(most.begin(), most.end()));
      for (size_t b = 0; b < colours.size(); ++b) colours[b] = shade(theme_, double(most[b]), largest);
    }
    const Colour mark = present(r) && landed_ ? theme_.changed
                        : values(r)           ? theme_.ink2
                                              : mix(theme_.ink3, theme_.panel, 0.55f);
    const int first = part_.first + columns_.first;
    // cells come in order, so buckets do too: no division for each of 1e5 cells
    size_t bucket = 0;
    const auto end_of = [&](size_t b) { return (int64_t(b + 1) * columns_.visible + buckets - 1) / buckets; };
    int64_t end = end_of(0);
    for (const auto& [key, w] : s.written_in(shown_, first, columns_.visible)) {
      const int k = int(uint32_t(key)) - first;
      while (k >= end) end = end_of(++bucket);
      colours[bucket] = lit(r, w.node) ? theme_.read : mark;
    }
    pen_.strip(box, std::move(colours));
    pen_.rect(box, 0, theme_.line, px(1));
    pen_.hit({track_.by_block ? Hit::step : Hit::interval, box, track_.by_block ? s.flow_index : r, 0,
              std::to_string(s.written().size()) + " cells written in step " + std::to_string(r + 1) + ".",
              "run:strip:" + std::to_string(r)});
  }

  const WatchModel& model_;
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
  Part part_;
  float pitch_ = 0;
  std::optional<Place> selected_;
  const std::vector<int>* ancestors_ = nullptr;
  bool landed_ = true;
  float top_ = 0, row_h_ = 0, cell_h_ = 0;
  int first_ = 0, count_ = 0, label_style_ = 0;
};

}  // namespace

Picture whole_run(const WatchModel& model, const Cursor& c, const Theme& t, const Metrics& m, float width,
                  float height, const WatchState& state, const Prediction* prediction) {
  const BlockSteps& b = model.block(c);
  if (!b.steps.empty() && b.main >= 0)
    return WholeRun(model, c, t, m, width, height, state, prediction).draw();
  Picture empty;
  empty.width = width;
  empty.height = height;
  return empty;
}

}  // namespace bscope
