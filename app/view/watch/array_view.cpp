#include "app/view/watch/array_view.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/view/watch/draw.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

constexpr int wrap_at = 32, lens_cells = 10, most_travelling = 32, most_lanes = 3;

struct LevelLimit {
  Zoom level;
  float least;
};
constexpr LevelLimit limits[] = {
    {Zoom::full, 44}, {Zoom::brief, 22}, {Zoom::colour, 8}, {Zoom::dense, 2}, {Zoom::strip, 0}};

Point on_curve(const Point (&p)[4], float t) {
  const float u = 1 - t, a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
  return {a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
          a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

bool overlap(const Box& a, const Box& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

// One picture being made. Its methods draw from top to bottom; `y` is how far they have come.
class ArrayView {
 public:
  ArrayView(const WatchModel& model, const Cursor& c, const Theme& t, const Metrics& m, float w, float h,
            const Prediction* prediction)
      : model_(model),
        cursor_(c),
        theme_(t),
        pen_(picture_, m),
        block_(model.block(c)),
        step_(*model.step(c)),
        prediction_(prediction) {
    picture_.width = w;
    picture_.height = h;
    columns_ = columns(model, c, t, w);
    const Part shown = shown_part(model, c);
    const bool switched = c.array >= 0 && shown.array == c.array;
    to_ = switched ? shown : part(step_.to());
    from_ = switched ? shown : part(step_.from());
    before_ = model.before(step_, from_);
    // the row after shows what was there until the writes land
    was_ = model.before(step_, to_);
    after_ = model.after(step_, to_);
    threads_ = model.trace().launches[size_t(block_.launch)].block;
    followed_ = model.followed(c);
    selected_ = model.selected(c);
    landed_ = c.phase >= 520.0f / 600 && !hides();
    choose_moves();
  }

  Picture draw() {
    const Zoom level = columns_.rows > 1 ? Zoom::colour : zoom_level(columns_.pitch / theme_.scale);
    title();
    chips();
    const float rest = picture_.height - y_ - px(8);
    if (columns_.rows == 1 && level <= Zoom::brief) {
      std::vector<int> cells;
      for (int k = 0; k < columns_.visible; ++k) cells.push_back(columns_.first + k);
      rows(cells, columns_.left, columns_.pitch, y_, y_ + rest, true);
    } else {
      overview(rest);
    }
    return std::move(picture_);
  }

 private:
  float px(float v) const { return theme_.px(v); }
  bool hides() const { return prediction_ && prediction_->hides(); }
  float value_size() const { return px(theme_.size_value); }
  float label_size() const { return px(theme_.size_label); }
  float index_size() const { return px(theme_.size_index); }
  Part part(int array) const {
    const auto it = block_.parts.find(array);
    return it == block_.parts.end() ? Part{} : it->second;
  }
  std::string name(Place p) const { return model_.name(block_.launch, p); }
  std::string array_name(int array) const { return model_.array(block_.launch, array).name; }
  std::string value(uint64_t bits, uint8_t kind) const {
    ArrayState one{Kind(kind), {bits}, {1}};
    return value_text(one, 0);
  }
  // "data[16..31]" for a part, "sum[16]" for a whole array: the size, as it is declared.
  std::string part_name(const Part& p) const {
    const ArrayInfo& info = model_.array(block_.launch, p.array);
    if (p.size == info.size) return info.name + "[" + std::to_string(info.size) + "]";
    return info.name + "[" + std::to_string(p.first) + ".." + std::to_string(p.first + p.size - 1) + "]";
  }

  struct Drawn {
    const Move* move = nullptr;
    int to = -1;  // cell of the shown part; -1: its value goes nowhere that is shown
    bool focus = false;
    int times = 1;  // moves of other threads to the same cell that this one stands for
  };
  // The moves of a step that a picture draws, and what its captions count among them. Found once for a step
  // and a followed thread, not for each zoom and phase of it.
  struct Chosen {
    const Step* step = nullptr;
    Part from, to;
    int followed = -1;
    std::vector<Drawn> moves;
    std::vector<std::pair<const Move*, int>>
        elsewhere;  // the first move to each other array; how many there are
    int focus = 0, held = 0, writes = 0;
    bool registers = false;  // a value was read before the barrier
  };

  void choose_moves() {
    std::shared_ptr<const void>& kept = model_.kept("array view");
    const auto same = [](const Part& a, const Part& b) {
      return a.array == b.array && a.first == b.first && a.size == b.size;
    };
    if (auto old = std::static_pointer_cast<const Chosen>(kept);
        old && old->step == &step_ && old->followed == followed_ && same(old->from, from_) &&
        same(old->to, to_)) {
      chosen_ = std::move(old);
      return;
    }
    const auto made = std::make_shared<Chosen>();
    made->step = &step_;
    made->from = from_;
    made->to = to_;
    made->followed = followed_;
    std::vector<Drawn>& moves = made->moves;
    std::map<int, size_t> first_to_cell;
    for (const Move& m : step_.moves()) {
      Drawn d{&m, -1, m.arrow.thread % threads_ == followed_, 1};
      if (m.held) {
        if (m.arrow.to.array == to_.array)
          d.to = m.arrow.to.index - to_.first;
        else if (m.arrow.from[0].array == from_.array && from_.array == to_.array)
          d.to = m.arrow.from[0].index - from_.first;
        else
          continue;
      } else if (m.arrow.to.array != to_.array) {
        const auto known = std::find_if(made->elsewhere.begin(), made->elsewhere.end(), [&](const auto& e) {
          return e.first->arrow.to.array == m.arrow.to.array;
        });
        if (known == made->elsewhere.end())
          made->elsewhere.emplace_back(&m, 1);
        else
          ++known->second;
        continue;
      } else {
        d.to = m.arrow.to.index - to_.first;
        // Many threads on one cell (atomics, races): one pill stands for them, the followed one's if it is
        // among them.
        if (const auto* w = step_.writes_of(m.arrow.to); w && w->times > 2) {
          const auto [it, fresh] = first_to_cell.try_emplace(d.to, moves.size());
          if (!fresh) {
            Drawn& shown = moves[it->second];
            d.times = shown.times + 1;
            if (d.focus && !shown.focus)
              shown = d;
            else
              shown.times = d.times;
            continue;
          }
        }
      }
      if (d.to >= 0 && d.to < to_.size) moves.push_back(d);
    }
    for (const Drawn& d : moves) {
      made->focus += d.focus;
      made->held += d.move->held;
      made->writes += d.times > 1 ? d.times : 0;
      if (!made->registers)
        made->registers = std::any_of(d.move->arrow.from.begin(), d.move->arrow.from.end(),
                                      [&](Place p) { return !read_now(*d.move, p); });
    }
    chosen_ = made;
    kept = made;
  }

  void title() {
    if (theme_.projector()) {
      y_ = px(8);
      return;
    }
    const float size = px(theme_.size_title), y = px(18);
    // right: where we are
    float right = picture_.width - margin(theme_);
    if (step_.stride()) {
      const std::string words = "stride " + std::to_string(step_.stride());
      right = pen_.text({right, y}, words, label_size(), theme_.ink2, Font::mono, Align::right).x - px(12);
    }
    std::string phase = capital(phase_name(model_, step_));
    if (step_.phase_count > 1)
      phase += " " + std::to_string(step_.phase_number) + " of " + std::to_string(step_.phase_count);
    right = pen_.text({right, y}, phase, size, theme_.ink, Font::text_bold, Align::right).x - px(16);
    // left: what the cells are, and the other arrays to choose from
    float x = margin(theme_);
    const bool shared = to_.array >= first_shared;
    const std::string words = shared ? "Shared memory" : "Global memory";
    if (x + pen_.width(words, size, Font::text_bold) > right) return;
    x = pen_.text({x, y}, words, size, theme_.ink, Font::text_bold).right() + px(12);
    std::vector<int> arrays{to_.array};
    for (const auto& [id, unused] : block_.parts)
      if (id != to_.array) arrays.push_back(id);
    for (int id : arrays) {
      const std::string label = part_name(part(id));
      const float w = pen_.width(label, label_size(), Font::mono);
      if (x + w > right) break;
      const bool current = id == to_.array;
      const Box box = pen_.text({x, y}, label, label_size(), current ? theme_.ink : theme_.ink3, Font::mono);
      if (current && arrays.size() > 1)
        pen_.line({box.x, box.bottom() + px(1)}, {box.right(), box.bottom() + px(1)}, theme_.ink2, px(2));
      const std::string where = id >= first_shared ? "shared by the threads of a block" : "in global memory";
      pen_.hit({Hit::button, box, id, 0, "Show " + array_name(id) + ", " + where + ".",
                "array:" + array_name(id)});
      x += w + px(14);
    }
    y_ = px(32);
  }

  // Who works: a chip a thread, or a mark a thread where there are too many for words.
  void chips() {
    const float left = columns_.left, right = columns_.right();
    const float pitch = (right - left) / float(threads_);
    const float height = label_size() + px(theme_.projector() ? 10 : 13);
    const float size = label_size(), middle = y_ + height / 2;
    // On a projector the letters are large: words take the narrower font.
    const Font loud = theme_.projector() ? Font::text_bold : Font::mono_bold;
    const Font quiet = theme_.projector() ? Font::text : Font::mono;
    const float widest = pen_.width("t" + std::to_string(threads_ - 1) + " works", size, loud);
    const float short_width = pen_.width("t" + std::to_string(threads_ - 1), size, loud);
    const float chip_gap = px(6);
    if (threads_ <= wrap_at && pitch - chip_gap > short_width + px(6)) {
      const bool words = pitch - chip_gap > widest + px(8);
      pen_.text({margin(theme_), middle}, "threads", size, theme_.ink2);
      const float chip_pitch = std::min(pitch, widest + px(60));
      for (int k = 0; k < threads_; ++k) {
        const bool works = step_.works[size_t(k)];
        const Box box{left + float(k) * chip_pitch + chip_gap / 2, y_, chip_pitch - chip_gap, height};
        thread_box(box, works, k == followed_);
        const std::string label = "t" + std::to_string(k) + (words ? works ? " works" : " idle" : "");
        pen_.text(box.centre(), label, size, works ? theme_.on(theme_.thread) : theme_.ink2,
                  works ? loud : quiet, Align::centre);
        thread_hit(box, k);
      }
    } else {
      const std::string some = std::to_string(step_.working), of = some + "/" + std::to_string(threads_);
      const float label_room = left - margin(theme_) - px(6);
      std::string count = some;
      for (const std::string& words : {of + " threads", of + " work", of, some + " work"})
        if (pen_.width(words, size) <= label_room) {
          count = words;
          break;
        }
      pen_.text({margin(theme_), middle}, pen_.fitted(count, label_room, size), size, theme_.ink2);
      if (pitch >= px(5)) {
        const float gap = px(pitch >= px(10) ? 2 : 1);
        for (int k = 0; k < threads_; ++k) {
          const Box box{left + float(k) * pitch + gap / 2, y_, pitch - gap, height};
          thread_box(box, step_.works[size_t(k)], k == followed_);
          thread_hit(box, k);
        }
      } else {
        std::vector<Colour> marks;
        for (int k = 0; k < threads_; ++k)
          marks.push_back(step_.works[size_t(k)] ? theme_.thread : mix(theme_.idle, theme_.panel, 0.35f));
        pen_.strip({left, y_, right - left, height}, std::move(marks));
        pen_.rect({left, y_, right - left, height}, 0, theme_.line, px(1));
        // one region a warp: its first thread
        const int warps = (threads_ + warp_size - 1) / warp_size;
        for (int w = 0; w < warps; ++w) {
          const int lanes = std::min(warp_size, threads_ - w * warp_size);
          thread_hit({left + float(w * warp_size) * pitch, y_, pitch * float(lanes), height}, w * warp_size);
        }
        if (followed_ >= 0) {
          const float x = left + (float(followed_) + 0.5f) * pitch;
          pen_.polygon({{x, y_ + height}, {x - px(5), y_ + height + px(6)}, {x + px(5), y_ + height + px(6)}},
                       theme_.ink);
        }
      }
    }
    y_ += height + px(theme_.projector() ? 8 : 9);
  }

  void thread_box(const Box& box, bool works, bool followed) {
    const float radius = std::min(px(4), box.w / 4);
    if (works) {
      const float lit = ease_out(progress(cursor_.phase, 0, 80));
      pen_.rect(box, mix(theme_.thread, theme_.cell, 0.35f + 0.65f * lit), 0, 1, radius);
    } else {
      pen_.hatch(box, mix(theme_.idle, theme_.panel, theme_.dark() ? 0.28f : 0.3f), px(7), px(1));
      pen_.rect(box, 0, mix(theme_.idle, theme_.panel, 0.6f), px(1), radius);
    }
    if (followed) {
      const float out = px(1);
      pen_.rect({box.x - out, box.y - out, box.w + 2 * out, box.h + 2 * out}, 0, theme_.ink, px(2),
                radius + out);
    }
  }
  void thread_hit(const Box& box, int k) {
    const bool works = step_.works[size_t(k)];
    pen_.hit({Hit::thread, box, k, 0,
              "Thread " + std::to_string(k) +
                  (works ? " reads or writes in this step." : " touches no cell in this step.") +
                  " Click to follow it.",
              "thread:" + std::to_string(k)});
  }

  struct Style {
    float size = 0;
    bool brief = false;
  };
  // The largest size from `most` down to the smallest type at which every text fits; texts that even then do
  // not fit are left out by the caller.
  Style fit(const ArrayState& s, const Part& p, const std::vector<int>& cells, float room, float most) const {
    const auto widest = [&](bool shortened) {
      float w = 0;
      for (int cell : cells) {
        const int at = p.first + cell;
        if (cell >= p.size || at >= s.size() || !s.is_known(at)) continue;
        w = std::max(w, pen_.width(shortened ? brief(s, at) : value_text(s, at), most, Font::mono_bold));
      }
      return w / most;  // of an em: measured large, since fonts on screen round small widths up
    };
    const float whole = widest(false);
    if (whole * index_size() <= room) return {whole > 0 ? std::min(most, room / whole) : most, false};
    const float shortened = widest(true);
    return {std::clamp(shortened > 0 ? room / shortened : most, index_size(), most), true};
  }
  std::string cell_text(const ArrayState& s, int at, Style style, float room) const {
    std::string words = style.brief ? brief(s, at) : value_text(s, at);
    // Fonts on screen round small widths up: a little of the margin may go into that.
    if (pen_.width(words, style.size, Font::mono_bold) > room * 1.05f) words.clear();
    return words;
  }

  // Cells before, the moves, cells after. `cells` (of the part) stand in columns from `left`.
  void rows(const std::vector<int>& cells, float left, float pitch, float top, float bottom, bool whole) {
    const bool roomy = pitch / theme_.scale >= 44;
    const float gap = px(roomy ? 6 : 2), cell_w = pitch - gap, room = cell_w - px(roomy ? 6 : 3);
    const auto x_of = [&](size_t column) { return left + pitch * (float(column) + 0.5f); };
    std::map<int, size_t> column_of;
    for (size_t k = 0; k < cells.size(); ++k) column_of[cells[k]] = k;
    const float right = left + pitch * float(cells.size());

    std::vector<Drawn> shown;
    bool adds = false, copies = false;
    for (const Drawn& d : chosen_->moves) {
      if (cells.empty() || d.to < cells.front() || d.to > cells.back() || !column_of.contains(d.to)) continue;
      if (!cursor_.arrows && !d.focus) continue;
      shown.push_back(d);
      (d.move->copy() ? copies : adds) = true;
    }
    // lanes: copies below adds; a second value for the same cell below the first
    std::map<int, int> in_column;
    std::vector<int> lane(shown.size());
    int lanes = 1;
    for (size_t k = 0; k < shown.size(); ++k) {
      const int base = adds && shown[k].move->copy() ? 1 : 0;
      int& taken = in_column[shown[k].to];
      lane[k] = std::max(base, taken);
      taken = lane[k] + 1;
      lanes = std::max(lanes, taken);
    }
    lanes = std::min(lanes, most_lanes);

    // vertical budget
    const std::string caption = captions(int(shown.size()), whole);
    const bool with_holds = whole && holds_wanted();
    const float index_h = index_size() * 1.2f + px(4);
    const float holds_h = with_holds ? label_size() * 1.3f + px(14) : 0;
    const float caption_h = caption.empty() ? 0 : label_size() * 1.3f + px(2);
    const float before_h = whole ? std::clamp(cell_w * 0.85f, px(theme_.projector() ? 34 : 24), px(42))
                                 : px(theme_.projector() ? 32 : 28);
    const float after_h = !roomy  ? before_h + px(4)
                          : whole ? std::max(before_h * 1.3f, px(theme_.projector() ? 60 : 50))
                                  : px(theme_.projector() ? 44 : 46);
    const float barrier_gap = px(theme_.projector() ? 12 : 10);
    const float fixed = before_h + barrier_gap * 2 + after_h + index_h + holds_h + caption_h;
    const float zone = std::max(px(40), bottom - top - fixed - px(2));
    const float pill_h = std::min(label_size() + px(theme_.projector() ? 12 : 9), zone * 0.5f);

    const float before_y = top;
    const float open_y = before_y + before_h + barrier_gap;
    const float close_y = open_y + zone;
    const float after_y = close_y + barrier_gap;
    const float index_y = after_y + after_h + index_h / 2 + px(1);

    // faint guides: one x per cell
    for (size_t k = 0; k < cells.size() && roomy; ++k)
      pen_.line({x_of(k), before_y + before_h}, {x_of(k), after_y}, mix(theme_.line, theme_.panel, 0.8f),
                px(1), px(3));

    occupied_.clear();
    barriers(left, right, open_y, close_y);

    tight_ = false;
    tight_ = !pills_fit(shown, lane, column_of, x_of);
    const bool family = shown.size() > 16 || !pills_fit(shown, lane, column_of, x_of);
    std::set<int> sources, focus_sources;
    for (const Drawn& d : shown)
      for (Place p : d.move->arrow.from)
        if (p.array == from_.array && read_now(*d.move, p)) {
          sources.insert(p.index - from_.first);
          if (d.focus) focus_sources.insert(p.index - from_.first);
        }
    const std::set<int>& lit = family ? focus_sources : sources;

    label_at(before_y + before_h / 2, from_.array != to_.array ? array_name(from_.array) : "before",
             from_.array != to_.array ? Font::mono : Font::text, theme_.ink2);
    cells_row(*before_, from_, cells, x_of, before_y, cell_w, before_h, room, lit);

    if (!shown.empty()) {
      std::vector<float> lane_y;
      const float step = std::min(px(42), zone / float(lanes + 1) * 1.15f);
      const float centre = open_y + zone * (lanes > 1 ? 0.5f : theme_.projector() ? 0.5f : 0.46f);
      for (int k = 0; k < lanes; ++k) lane_y.push_back(centre + (float(k) - float(lanes - 1) / 2) * step);
      arrows_between(shown, lane, lane_y, column_of, x_of, pitch, before_y + before_h, open_y, close_y,
                     after_y, pill_h, family);
    }

    label_at(after_y + after_h / 2, from_.array != to_.array ? array_name(to_.array) : "after",
             from_.array != to_.array ? Font::mono_bold : Font::text_bold, theme_.ink);
    after_row(cells, x_of, after_y, cell_w, after_h, room, roomy);
    indices(cells, x_of, index_y, pitch);
    float y = index_y + index_h / 2;
    if (with_holds) {
      holds(column_of, x_of, left, right, y, cell_w);
      y += holds_h;
    }
    if (!caption.empty())
      pen_.text({left, y + caption_h / 2},
                pen_.fitted(caption, picture_.width - margin(theme_) - left, label_size()), label_size(),
                selected_ && raced(*selected_) ? theme_.race : theme_.ink2);
  }

  // Do two threads race for the cell, and does this step write it?
  bool raced(Place p) const {
    if (!step_.writes_of(p)) return false;
    if (model_.lost(step_, p) > 0) return true;
    for (const Hazard& h : model_.flow().hazards)
      if (h.place == p && h.launch == block_.launch && (h.block == block_.block || !p.shared())) return true;
    return false;
  }

  // A value loaded before the barrier arrives in a register, not from the cell.
  bool read_now(const Move& m, Place p) const {
    for (size_t k = 0; k < m.arrow.from.size() && k < m.arrow.loads.size(); ++k)
      if (m.arrow.from[k] == p) {
        const Node& n = model_.flow().nodes[size_t(m.arrow.loads[k])];
        return n.launch == step_.interval->launch && n.interval == step_.interval->index;
      }
    return true;
  }

  void label_at(float y, const std::string& words, Font font, Colour colour) {
    const float room = columns_.left - margin(theme_) - px(4);
    pen_.text({margin(theme_), y}, pen_.fitted(words, room, label_size(), font), label_size(), colour, font);
  }

  void barriers(float left, float right, float open_y, float close_y) {
    const int k = step_.interval->index;
    const bool opening = cursor_.phase < 1 && landed_;
    const float x0 = left - px(6), x1 = right + px(2), end = left - px(8),
                size = px(theme_.projector() ? 22 : 12);
    const bool start = k == 0, exit = step_.interval->line == 0;
    const std::string above = start ? "start" : "barrier " + std::to_string(k);
    const std::string below = exit ? "end" : "barrier " + std::to_string(k + 1) + (opening ? " opens" : "");
    // a long number stands alone
    const auto words = [&](float y, std::string s, Font f, Colour c) {
      if (pen_.width(s, size, f) > end - px(2)) s = s.substr(s.find(' ') + 1);
      occupied_.push_back(pen_.text({end, y}, s, size, c, f, Align::right));
    };
    const Colour dim = mix(theme_.barrier, theme_.panel, 0.7f);
    if (start)
      pen_.line({x0, open_y}, {x1, open_y}, theme_.line, px(1));
    else
      pen_.line({x0, open_y}, {x1, open_y}, dim, px(1.5f), px(6));
    words(open_y, above, Font::text, theme_.ink2);
    if (exit)
      pen_.line({x0, close_y}, {x1, close_y}, theme_.line, px(1));
    else if (opening)
      pen_.line({x0, close_y}, {x1, close_y}, theme_.dark() ? theme_.changed : theme_.barrier, px(3));
    else
      pen_.line({x0, close_y}, {x1, close_y}, theme_.barrier, px(2), px(6));
    words(close_y, below, Font::text_bold, theme_.ink);
    const std::string what =
        "A barrier (__syncthreads) lets nobody past until every thread of the block has come.";
    if (!start) pen_.hit({Hit::other, {x0, open_y - px(5), x1 - x0, px(10)}, k, 0, what, "barrier:before"});
    if (!exit)
      pen_.hit({Hit::other, {x0, close_y - px(5), x1 - x0, px(10)}, k + 1, 0, what, "barrier:after"});
  }

  template <class X>
  void cells_row(const ArrayState& s, const Part& p, const std::vector<int>& cells, const X& x_of, float y,
                 float w, float h, float room, const std::set<int>& lit) {
    const Style style = fit(s, p, cells, room, value_size());
    for (size_t k = 0; k < cells.size(); ++k) {
      const int at = p.first + cells[k];
      if (cells[k] >= p.size || at >= s.size()) continue;
      const Box box{x_of(k) - w / 2, y, w, h};
      const bool source = lit.contains(cells[k]);
      pen_.rect(box, theme_.cell, source ? theme_.read : theme_.line, px(source ? 2 : 1), px(4));
      if (s.is_known(at)) {
        const std::string words = cell_text(s, at, style, room);
        pen_.text(box.centre(), words, style.size, source ? theme_.ink : theme_.ink3,
                  source ? Font::mono_bold : Font::mono, Align::centre);
      }
      cell_hit(box, {p.array, at}, s, "before:");
    }
  }

  void cell_hit(const Box& box, Place p, const ArrayState& s, const char* row) {
    std::string tip = name(p);
    if (p.index < s.size())
      tip += s.is_known(p.index) ? " = " + value_text(s, p.index) : ": never written yet";
    if (raced(p)) tip += "; threads race for it: nothing orders their accesses";
    pen_.hit({Hit::cell, box, p.array, p.index, tip + ".", row + name(p)});
  }

  template <class X>
  void after_row(const std::vector<int>& cells, const X& x_of, float y, float w, float h, float room,
                 bool roomy) {
    const ArrayState& s = landed_ ? *after_ : *was_;
    std::vector<int> still, changed;
    for (int cell : cells)
      (landed_ && step_.writes_of({to_.array, to_.first + cell}) ? changed : still).push_back(cell);
    const Style quiet = fit(s, to_, still, room, value_size());
    const Style loud = fit(s, to_, changed, room, roomy ? px(theme_.size_changed) : value_size());
    for (size_t k = 0; k < cells.size(); ++k) {
      const int at = to_.first + cells[k];
      if (cells[k] >= to_.size || at >= s.size()) continue;
      const Place place{to_.array, at};
      const bool now = landed_ && step_.writes_of(place);
      const Box box{x_of(k) - w / 2, y, w, h};
      const int guessed = prediction_ ? prediction_->box_of(place) : -1;
      if (hides() && step_.writes_of(place)) {
        guess_box(box, guessed, room);
      } else if (now) {
        pen_.rect(box, theme_.changed, theme_.dark() ? 0 : theme_.ink, px(1.5f), px(4));
        const Colour ink = theme_.on(theme_.changed);
        std::string ghost;
        const float ghost_size = index_size();
        if (guessed >= 0) {
          verdict(box, guessed, w, roomy);
        } else if (roomy && !theme_.projector() && was_->is_known(at)) {
          ghost = "was " + value_text(*was_, at);
          if (pen_.width(ghost, ghost_size) > w - px(2)) ghost.clear();
        }
        const bool struck = guessed >= 0 && roomy && !is_right(model_.run(), *prediction_, guessed) &&
                            !prediction_->guesses[size_t(guessed)].empty();
        const float half = ghost.empty() ? 0 : ghost_size * 0.62f;
        if (!ghost.empty())
          pen_.text({box.centre().x, y + px(4) + half}, ghost, ghost_size, ink, Font::text, Align::centre);
        if (raced(place)) {
          const float out = px(2);
          pen_.rect({box.x - out, box.y - out, box.w + 2 * out, box.h + 2 * out}, 0, theme_.race, px(3),
                    px(5));
        }
        if (s.is_known(at)) {
          const float size = struck ? std::min(loud.size, h * 0.48f) : loud.size;
          const float y_text = struck ? box.y + h * 0.71f : box.centre().y + half + (half > 0 ? px(1) : 0);
          pen_.text({box.centre().x, y_text}, cell_text(s, at, loud, room), size, ink, Font::mono_bold,
                    Align::centre);
        }
      } else {
        // written by another block meanwhile: not our change, but not the old value either
        const bool foreign = landed_ && !place.shared() && s.is_known(at) &&
                             (!was_->is_known(at) || was_->bits_of(at) != s.bits_of(at));
        pen_.rect(box, theme_.cell, foreign ? theme_.write : theme_.line, px(1), px(4));
        if (s.is_known(at))
          pen_.text(box.centre(), cell_text(s, at, quiet, room), quiet.size, theme_.ink3, Font::mono,
                    Align::centre);
      }
      if (selected_ == place && cursor_.cell) {
        const float out = px(3);
        pen_.rect({box.x - out, box.y - out, box.w + 2 * out, box.h + 2 * out}, 0, theme_.ink, px(2), px(6));
      }
      cell_hit(box, place, s, "after:");
    }
  }

  // A cell that is asked for (or one of a sample's others, number -1): its guess, never its value.
  void guess_box(const Box& box, int number, float room) {
    if (number < 0) {
      pen_.hatch(box, mix(theme_.idle, theme_.panel, 0.35f), px(7), px(1));
      pen_.rect(box, 0, theme_.line, px(1), px(4));
      return;
    }
    const bool focus = number == prediction_->box;
    const std::string& guess = prediction_->guesses[size_t(number)];
    pen_.rect(box, theme_.window, theme_.ink2, px(2), px(4));
    if (focus) {
      const float out = px(1.5f);
      const Box around{box.x - out, box.y - out, box.w + 2 * out, box.h + 2 * out};
      if (!theme_.dark()) pen_.rect(around, 0, theme_.ink, px(5), px(5));
      pen_.rect(around, 0, theme_.changed, px(3), px(5));
    }
    const float most = std::min(px(theme_.size_changed), box.h * 0.62f);
    float size = most, w = pen_.width(guess, size, Font::mono_bold);
    if (w > room - px(4)) size = std::max(index_size() * 0.9f, most * (room - px(4)) / w);
    std::string words = guess;
    while (words.size() > 1 && pen_.width(words, size, Font::mono_bold) > room - px(2)) words.erase(0, 1);
    w = pen_.width(words, size, Font::mono_bold);
    if (!words.empty())
      pen_.text(box.centre(), words, size, theme_.ink, Font::mono_bold, Align::centre);
    else if (!focus)
      pen_.text(box.centre(), "?", size, theme_.ink2, Font::mono, Align::centre);
    if (focus) {
      const float x = std::min(box.centre().x + w / 2 + px(2), box.right() - px(3));
      pen_.rect({x, box.centre().y - size * 0.5f, px(2), size}, theme_.ink);
    }
  }

  // A revealed answer's guess: right ones framed in the threads' colour, wrong ones struck above it.
  void verdict(const Box& box, int number, float w, bool roomy) {
    const bool right = is_right(model_.run(), *prediction_, number);
    const float out = px(2.5f);
    pen_.rect({box.x - out, box.y - out, box.w + 2 * out, box.h + 2 * out}, 0,
              right ? theme_.thread : theme_.race, px(3), px(6));
    const std::string& guess = prediction_->guesses[size_t(number)];
    if (right || guess.empty() || !roomy) return;
    const float size = std::min(theme_.projector() ? px(22) : label_size(), box.h * 0.34f);
    const std::string words = pen_.fitted(guess, w - px(8), size, Font::mono_bold);
    const Colour ink = theme_.on(theme_.changed);
    const Box at =
        pen_.text({box.centre().x, box.y + box.h * 0.23f}, words, size, ink, Font::mono_bold, Align::centre);
    pen_.line({at.x - px(3), at.centre().y}, {at.right() + px(3), at.centre().y}, ink, px(2));
  }

  template <class X>
  void indices(const std::vector<int>& cells, const X& x_of, float y, float pitch) {
    // every index where there is room; else every second, fourth, eighth
    const std::string longest = std::to_string(to_.first + (cells.empty() ? 0 : cells.back()));
    const float need = pen_.width(longest, index_size(), Font::mono_bold) + px(4);
    int every = 1;
    while (float(every) * pitch < need && every < int(cells.size())) every *= 2;
    if (every == 2) every = 4;
    for (size_t k = 0; k < cells.size(); ++k) {
      if (cells[k] % every || cells[k] >= to_.size) continue;
      const int at = to_.first + cells[k];
      const bool now = step_.writes_of({to_.array, at});
      pen_.text({x_of(k), y}, std::to_string(at), index_size(), now ? theme_.ink : theme_.ink3,
                now ? Font::mono_bold : Font::mono, Align::centre);
    }
  }

  // Do pills side by side in their lanes leave each other room?
  template <class X>
  bool pills_fit(const std::vector<Drawn>& shown, const std::vector<int>& lane,
                 const std::map<int, size_t>& column_of, const X& x_of) const {
    std::vector<std::pair<int, Box>> spans;
    for (size_t k = 0; k < shown.size(); ++k) {
      const float w = pill_width(shown[k]);
      spans.push_back(
          {std::min(lane[k], most_lanes - 1), {x_of(column_of.at(shown[k].to)) - w / 2, 0, w, 1}});
    }
    std::sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : a.second.x < b.second.x;
    });
    for (size_t k = 1; k < spans.size(); ++k)
      if (spans[k].first == spans[k - 1].first && spans[k].second.x < spans[k - 1].second.right() + px(1))
        return false;
    return true;
  }
  std::string pill_text(const Drawn& d) const {
    std::string thread = "t" + std::to_string(d.move->arrow.thread % threads_);
    if (d.move->held) return thread;
    return (d.times > 1 ? std::to_string(d.times) + "x" : thread) + (tight_ ? "" : " ") +
           sign(d.move->arrow.op);
  }
  float pill_width(const Drawn& d) const {
    return pen_.width(pill_text(d), label_size(), Font::mono_bold) + px(tight_ ? 8 : 12);
  }

  // The node of a move's store or atomic: what happened there.
  const Node& node(const Move& m) const { return model_.flow().nodes[size_t(m.arrow.node)]; }
  std::string value_written(const Move& m) const {
    const Node& n = node(m);
    return value(written_bits(model_.flow(), n), n.kind);
  }
  // Did this step itself write what the load saw?
  bool made_here(const Node& load) const {
    if (load.a < 0) return false;
    const Node& store = model_.flow().nodes[size_t(load.a)];
    return store.launch == step_.interval->launch && store.interval == step_.interval->index;
  }
  std::string value_read(const Move& m, size_t k) const {
    if (k >= m.arrow.loads.size()) return {};
    const Node& n = model_.flow().nodes[size_t(m.arrow.loads[k])];
    if (hides() && made_here(n)) return "?";
    return value(n.bits, n.kind);
  }

  struct Tag {
    Point at;
    std::string words;
    Colour colour;
  };

  template <class X>
  void arrows_between(const std::vector<Drawn>& shown, const std::vector<int>& lane,
                      const std::vector<float>& lane_y, const std::map<int, size_t>& column_of, const X& x_of,
                      float pitch, float before_bottom, float open_y, float close_y, float after_top,
                      float pill_h, bool family) {
    const int every = shown.size() > 256 ? int(shown.size()) : shown.size() > 32 ? 8 : 1;
    const float reading = ease_in_out(progress(cursor_.phase, 60, 280));
    const float writing = ease_out(progress(cursor_.phase, 340, 420));
    const bool started = cursor_.phase * 600 >= 60, moving = cursor_.phase < 1;
    struct Line {
      Point p[4];
      bool curved, focus;
      std::string value;
    };
    std::vector<Line> reads;
    std::vector<std::pair<Box, const Drawn*>> pills;
    int travelling = 0;

    const auto strength = [&](const Drawn& d) {
      return d.focus ? 1.0f : followed_ < 0 ? 1.0f : family ? 0.35f : 0.55f;
    };
    // families first, so that the followed thread's arrows lie on top
    std::vector<size_t> order;
    for (size_t k = 0; k < shown.size(); ++k)
      if (shown[k].focus || k % size_t(every) == 0) order.push_back(k);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return shown[a].focus < shown[b].focus; });

    // Pills take their places before anything is written beside them. One that would cover another is a dot.
    std::map<size_t, Box> places;
    std::set<size_t> dots;
    for (size_t k : order) {
      const Drawn& d = shown[k];
      const float x = x_of(column_of.at(d.to)),
                  y = lane_y[size_t(std::min<int>(lane[k], int(lane_y.size()) - 1))];
      const auto place = [&](float w, float h) {
        // a pill at the edge of a narrow column leans inwards
        const float px0 = std::clamp(x - w / 2, columns_.left - px(8), picture_.width - w - px(4));
        return Box{px0, y - h / 2, w, h};
      };
      const Box pill = place(pill_width(d), pill_h);
      const bool covers = std::any_of(pills.begin(), pills.end(),
                                      [&](const auto& other) { return overlap(other.first, pill); });
      if ((family && !d.focus) || covers) {
        dots.insert(k);
        places[k] = place(px(5), px(5));
        continue;
      }
      places[k] = pill;
      pills.push_back({pill, &d});
      occupied_.push_back(pill);
    }
    for (size_t k : order) {
      const Drawn& d = shown[k];
      const bool dot = dots.contains(k);
      const Box pill = places[k];
      const float x = x_of(column_of.at(d.to)), y = pill.centre().y;
      const float thick = dot ? px(1) : px(2);
      const Colour read = mix(theme_.read, theme_.panel, strength(d));
      const Colour write = mix(theme_.write, theme_.panel, strength(d));
      for (size_t s = 0; s < d.move->arrow.from.size() && started; ++s) {
        const Place from = d.move->arrow.from[s];
        const std::string words = dot ? "" : value_read(*d.move, s);
        const int cell = from.index - from_.first;
        const auto at = from.array == from_.array ? column_of.find(cell) : column_of.end();
        if (!read_now(*d.move, from)) {
          if (!dot) kept_in_register(pill, words, read);
          continue;
        }
        if (at == column_of.end()) {
          // from an array or a cell that is not in this picture: it comes from above
          if (from.array == to_.array && from == d.move->arrow.to) continue;
          pen_.line({x, open_y + px(4)}, {x, pill.y - px(1)}, read, thick);
          if (!dot) pen_.arrow_head({x, pill.y}, {0, 1}, px(8), read);
          if (!dot)
            reads.push_back({{{x, open_y}, {x, open_y}, {x, pill.y}, {x, pill.y}}, false, d.focus, words});
          continue;
        }
        const float sx = x_of(at->second);
        const bool down = std::fabs(sx - x) < 1;
        if (down) {
          pen_.line({x, before_bottom}, {x, pill.y - px(dot ? 0 : 6)}, read, thick);
          if (!dot) pen_.arrow_head({x, pill.y}, {0, 1}, px(9), read);
          reads.push_back(
              {{{x, before_bottom}, {x, before_bottom}, {x, pill.y}, {x, pill.y}}, false, d.focus, words});
        } else if (dot) {
          pen_.line({sx, before_bottom}, {x, y}, read, thick);
        } else {
          const bool leftwards = sx > x;
          // a copy leaves beside the add that goes straight down from the same cell
          const float start = leftwards ? sx - std::min(px(11), pitch * 0.24f) : sx;
          const float end = leftwards ? pill.right() : pill.x;
          const float span = end - start;
          const Point p[4] = {{start, before_bottom}, {start, y}, {start + span * 0.3f, y}, {end, y}};
          pen_.curve(p[0], p[1], p[2], {end - (leftwards ? -px(6) : px(6)), y}, read, thick);
          pen_.arrow_head({end, y}, {leftwards ? -1.0f : 1.0f, 0}, px(9), read);
          reads.push_back({{p[0], p[1], p[2], p[3]}, true, d.focus, words});
        }
      }
      // the write: straight down, through the barrier
      if (!d.move->held && (writing > 0 || !moving)) {
        const float from_y = pill.bottom();
        const float tip = moving && !landed_ ? from_y + (close_y - px(4) - from_y) * writing : after_top;
        pen_.line({x, from_y}, {x, tip - (dot || (moving && !landed_) ? 0 : px(6))}, write, thick);
        if (!dot && !(moving && !landed_)) pen_.arrow_head({x, tip}, {0, 1}, px(9), write);
        if (!dot && moving && !landed_ && travelling < most_travelling) {
          ++travelling;
          carried({x, tip - label_size() * 0.7f}, value_written(*d.move), theme_.write);
        }
      }
      if (dot) pen_.rect(pill, mix(theme_.thread, theme_.panel, 0.6f), 0, 1, px(2.5f));
    }
    for (const auto& [box, d] : pills) draw_pill(box, *d);

    // values ride on the arrows: travelling copies while the phase runs, tags when it has landed
    if (moving && reading < 1) {
      for (const Line& l : reads)
        if (!l.value.empty() && travelling++ < most_travelling)
          carried(on_curve(l.p, reading), l.value, theme_.read);
    } else if (!family || chosen_->moves.size() <= 32) {
      // the followed thread's tags find room first
      for (const bool focus : {true, false})
        for (const Line& l : reads)
          if (l.focus == focus && (focus || !family)) tag(l.p, l.curved, l.value, focus, open_y, close_y);
    }
  }

  void kept_in_register(const Box& pill, const std::string& words, Colour colour) {
    if (words.empty()) return;
    const float size = label_size(), w = pen_.width(words, size, Font::mono_bold) + px(8), h = size + px(5);
    const Box places[] = {{pill.centre().x - w - px(5), pill.y - h - px(6), w, h},
                          {pill.x - w - px(7), pill.centre().y - h / 2, w, h},
                          {pill.right() + px(7), pill.centre().y - h / 2, w, h}};
    for (const Box& box : places) {
      if (!free(box)) continue;
      pen_.rect(box, theme_.panel, colour, px(1.5f), px(4));
      pen_.text(box.centre(), words, size, theme_.read, Font::mono_bold, Align::centre);
      occupied_.push_back(box);
      return;
    }
  }

  bool free(const Box& box) const {
    if (box.x < columns_.left - px(20) || box.right() > picture_.width - px(2)) return false;
    return std::none_of(occupied_.begin(), occupied_.end(), [&](const Box& o) { return overlap(o, box); });
  }

  void carried(Point at, const std::string& words, Colour fill) {
    const float size = label_size(), w = pen_.width(words, size, Font::mono_bold) + px(8), h = size + px(6);
    const Box box{std::clamp(at.x - w / 2, 0.0f, picture_.width - w), at.y - h / 2, w, h};
    pen_.rect(box, fill, 0, 1, px(4));
    pen_.text(box.centre(), words, size, theme_.on(fill), Font::mono_bold, Align::centre);
  }

  void tag(const Point (&p)[4], bool curved, const std::string& words, bool focus, float open_y,
           float close_y) {
    if (words.empty()) return;
    const float size = label_size() + px(theme_.projector() ? 0 : 1), h = size * 1.2f;
    const float w = pen_.width(words, size, Font::mono_bold);
    const Colour colour = focus || followed_ < 0 ? theme_.read : mix(theme_.read, theme_.panel, 0.8f);
    std::vector<Point> places;
    if (curved) {
      if (std::fabs(p[3].x - p[0].x) > w + px(40))
        for (float t : {0.62f, 0.5f, 0.75f}) places.push_back(on_curve(p, t));
      // short arrows: beside the part that goes down
      else
        places.push_back({p[0].x - w / 2 - px(7), (open_y + p[3].y) / 2 - px(2)});
    } else {
      const float y = std::max((open_y + p[3].y) / 2 - px(2), open_y + h * 0.55f);
      places = {{p[0].x - w / 2 - px(7), y}, {p[0].x + w / 2 + px(7), y}};
    }
    for (Point at : places) {
      const Box box{at.x - w / 2 - px(2), at.y - h / 2, w + px(4), h};
      if (!free(box) || box.y < open_y + px(1) || box.bottom() > close_y) continue;
      if (curved && std::fabs(p[3].x - p[0].x) > w + px(40))
        pen_.rect({box.x - px(2), box.y, box.w + px(4), box.h}, theme_.panel);
      pen_.text(at, words, size, colour, Font::mono_bold, Align::centre);
      occupied_.push_back(box);
      return;
    }
  }

  void draw_pill(const Box& box, const Drawn& d) {
    const bool atomic = !d.move->held && is_atomic(node(*d.move).op);
    const Colour fill = atomic ? theme_.atomic : theme_.thread;
    const float radius = box.h / 2;
    if (d.move->held)
      pen_.rect(box, theme_.panel, fill, px(2), radius);
    else
      pen_.rect(box, fill, 0, 1, radius);
    const float lit = progress(cursor_.phase, 280, 340);
    if (d.focus && cursor_.phase < 1 && lit > 0 && lit < 1) {
      const float out = px(4) * lit;
      pen_.rect({box.x - out, box.y - out, box.w + 2 * out, box.h + 2 * out}, 0, fill, px(1.5f),
                radius + out);
    }
    pen_.text(box.centre(), pill_text(d), label_size(), d.move->held ? fill : theme_.on(fill),
              Font::mono_bold, Align::centre);
    const int rank = d.move->arrow.thread % threads_;
    std::string tip =
        "Thread " + std::to_string(rank) + ", line " + std::to_string(d.move->arrow.line) + ": ";
    if (d.move->held)
      tip += "reads " + name(d.move->arrow.from[0]) + " into a register.";
    else
      tip += d.move->arrow.op + " into " + name(d.move->arrow.to) + ".";
    if (d.times > 1) tip += " " + std::to_string(d.times) + " threads write this cell in this step.";
    pen_.hit({Hit::thread, box, rank, 0, tip,
              "pill:" + std::to_string(rank) + (d.move->held ? ":read" : ":" + std::to_string(d.to))});
  }

  // What the picture leaves out is said in words.
  std::string captions(int shown, bool whole) const {
    if (hides())
      return std::string(
          say("Type a value, Tab moves to the next box, Enter reveals. Unchanged cells stay filled in."));
    std::string out;
    const auto add = [&](const std::string& s) { out += (out.empty() ? "" : "; ") + s; };
    const int focus = chosen_->focus, held = chosen_->held, writes = chosen_->writes;
    const int all = int(chosen_->moves.size());
    if (all > 16 && focus && focus < all)
      add(std::to_string(all - focus) + " more like it");
    else if (!whole && shown < all && focus)
      add(std::to_string(all - shown) + " more outside the lens");
    if (chosen_->registers) add("boxed values were read before the barrier and kept in registers");
    if (all > 0 && held == all) add("only reads here: the values wait in registers for the barrier");
    if (writes > 0 && selected_)
      if (const auto* w = step_.writes_of(*selected_); w && w->times > 1) {
        const bool atomic = is_atomic(model_.flow().nodes[size_t(w->node)].op);
        const int lost = model_.lost(step_, *selected_);
        add(std::to_string(w->times) + (atomic ? " atomics queue for " : " writes to ") + name(*selected_) +
            (lost ? ", " + std::to_string(lost) + " of them lost" : ""));
      }
    for (const auto& [m, same] : chosen_->elsewhere) {
      add("also " + name(m->arrow.to) + " = " + value_written(*m) +
          (same > 1 ? " and " + std::to_string(same - 1) + " more there" : ""));
    }
    return out;
  }

  // Only where the analysis knows what the cells are sums of.
  bool holds_wanted() const {
    if (hides()) return false;
    const auto& words = model_.run().report.words();
    for (const auto& [key, w] : step_.written())
      if (int(key >> 32) == to_.array && size_t(w.node) < words.size() && words[size_t(w.node)].known)
        return true;
    return false;
  }

  // What changed cells now are sums of, bracketed over the inputs they cover.
  template <class X>
  void holds(const std::map<int, size_t>& column_of, const X& x_of, float left, float right, float y,
             float cell_w) {
    if (!landed_) return;
    struct Bracket {
      int cell, first, last;
      std::string full, words;
    };
    const auto& words = model_.run().report.words();
    const std::optional<int> input = input_offset();
    const int input_first = input.value_or(0);
    std::vector<Bracket> brackets;
    const auto bracket = [&](int cell) -> std::optional<Bracket> {
      const auto* w = step_.writes_of({to_.array, to_.first + cell});
      if (!w || size_t(w->node) >= words.size() || !words[size_t(w->node)].known) return {};
      const Word& word = words[size_t(w->node)];
      const std::string text = word.text(), name_of_cell = name({to_.array, to_.first + cell});
      if (word.runs.empty())
        return Bracket{cell, cell, cell, name_of_cell + " now holds the identity", "identity"};
      Bracket b{cell, word.runs[0].first - input_first, word.runs[0].second - input_first,
                name_of_cell + " now holds " + text, text};
      // inputs of other blocks, or a word in several runs, have no columns here: the bracket marks the cell
      if (!input || word.runs.size() > 1 || !column_of.contains(b.first) || !column_of.contains(b.last))
        b.first = b.last = cell;
      return b;
    };
    for (const auto& [cell, column] : column_of)
      if (auto b = bracket(cell)) brackets.push_back(*b);
    std::sort(brackets.begin(), brackets.end(),
              [](const Bracket& a, const Bracket& b) { return a.first < b.first; });
    const float size = label_size(), text_y = y + px(12) + size * 0.65f;
    const auto width_of = [&](const Bracket& b) {
      return x_of(column_of.at(b.last)) - x_of(column_of.at(b.first)) + cell_w;
    };
    bool disjoint = true;
    for (size_t k = 0; k < brackets.size(); ++k) {
      if (k && brackets[k].first <= brackets[k - 1].last) disjoint = false;
      if (pen_.width(brackets[k].words, size, Font::mono) > width_of(brackets[k])) disjoint = false;
    }
    if (!disjoint || brackets.empty()) {
      brackets.clear();
      if (selected_ && selected_->array == to_.array && column_of.contains(selected_->index - to_.first))
        if (auto b = bracket(selected_->index - to_.first)) brackets.push_back(*b);
    }
    if (brackets.empty()) return;
    label_at(text_y, "holds", Font::text, theme_.ink2);
    for (const Bracket& b : brackets) {
      const float x0 = x_of(column_of.at(b.first)) - cell_w / 2, x1 = x_of(column_of.at(b.last)) + cell_w / 2;
      const float line_y = y + px(9);
      pen_.line({x0, y + px(3)}, {x0, line_y}, theme_.ink2, px(1.5f));
      pen_.line({x0, line_y}, {x1, line_y}, theme_.ink2, px(1.5f));
      pen_.line({x1, y + px(3)}, {x1, line_y}, theme_.ink2, px(1.5f));
      const bool alone = brackets.size() == 1;
      const float room = alone ? right - left : x1 - x0;
      const std::string& text = pen_.width(b.full, size, Font::mono) <= room ? b.full : b.words;
      const std::string fitted = pen_.fitted(text, room, size, Font::mono);
      const float w = pen_.width(fitted, size, Font::mono);
      const float x = std::clamp((x0 + x1) / 2, left + w / 2, std::max(left + w / 2, right - w / 2));
      pen_.text({x, text_y}, fitted, size, theme_.ink, Font::mono, Align::centre);
    }
  }

  // The number of the input element that stands over the part's first cell: a block's tile starts where its
  // part of the input does. A block that does not read the input has no columns for it.
  std::optional<int> input_offset() const {
    const auto it = block_.parts.find(model_.trace().input);
    return it == block_.parts.end() ? std::nullopt : std::optional(it->second.first);
  }

  // Above 32 cells: all cells as rows of 32 or as a strip, and a lens on ten of them with the moves.
  void overview(float rest) {
    const float top = y_, left = columns_.left, right = columns_.right(), width = right - left;
    const ArrayState& s = landed_ ? *after_ : *was_;
    const int lines = (columns_.visible + wrap_at - 1) / wrap_at;
    const float index_h = index_size() * 1.2f + px(4);
    // what the lens needs: both rows, the moves between, indices and a caption
    const float lens_h = px(theme_.projector() ? 32 + 44 + 24 + 48 + 14 : 28 + 46 + 20 + 52 + 14) + index_h +
                         label_size() * 1.3f;
    const float most = std::max(px(20), rest - lens_h - (theme_.projector() ? 0 : index_h) - px(4));
    const float pitch_h = std::min(px(lines <= 2 ? 24 : 18), most / float(lines));
    const float cell_w = width / wrap_at;
    const bool values = lines <= 4 && pitch_h >= index_size() * 1.25f;
    const bool wrapped = columns_.visible > wrap_at && pitch_h >= px(1.7f);
    float y = top;
    const double largest = double(largest_in_parts(s, to_.first + columns_.first, columns_.visible, 1)[0]);
    float grid_h = 0;
    Box focus_box{left, y, cell_w, pitch_h};
    const int focus_cell = selected_ && selected_->array == to_.array ? selected_->index - to_.first : -1;
    if (wrapped) {
      grid_h = pitch_h * float(lines);
      label_at(y + std::min(grid_h, label_size() * 1.4f) / 2, landed_ ? "after" : "before", Font::text_bold,
               theme_.ink);
      wrapped_cells(s, y, cell_w, pitch_h, lines, largest, values);
      const int k = focus_cell - columns_.first;
      if (k >= 0 && k < columns_.visible) focus_box = wrapped_box(k, y, cell_w, pitch_h);
      y += grid_h;
      if (!theme_.projector()) {
        bank_labels(y + index_h / 2, cell_w);
        y += index_h;
      }
    } else {
      grid_h = std::clamp(rest * 0.14f, px(20), px(30));
      label_at(y + grid_h / 2, landed_ ? "after" : "before", Font::text_bold, theme_.ink);
      strip_cells(s, {left, y, width, grid_h}, largest);
      const int k = focus_cell - columns_.first;
      if (k >= 0 && k < columns_.visible) {
        const float w = std::max(px(6), width / float(columns_.visible));
        focus_box = {
            std::clamp(left + (float(k) + 0.5f) / float(columns_.visible) * width - w / 2, left, right - w),
            y, w, grid_h};
      }
      y += grid_h;
      const std::string ends[2] = {std::to_string(to_.first + columns_.first),
                                   std::to_string(to_.first + columns_.first + columns_.visible - 1)};
      pen_.text({left, y + index_h / 2}, ends[0], index_size(), theme_.ink3, Font::mono);
      pen_.text({right, y + index_h / 2}, ends[1], index_size(), theme_.ink3, Font::mono, Align::right);
      pen_.text({(left + right) / 2, y + index_h / 2},
                "each column: the largest of its cells; changed ones win", index_size(), theme_.ink3,
                Font::text, Align::centre);
      y += index_h;
    }
    const std::vector<int> cells = lens();
    if (cells.empty()) return;
    // the lens hangs below the place it magnifies
    const float lens_top = y + px(14),
                pitch = std::min(width / float(cells.size()), px(theme_.projector() ? 90 : 76));
    const float lens_w = pitch * float(cells.size());
    if (focus_cell >= 0) {
      pen_.rect(focus_box, 0, theme_.ink, px(2), px(2));
      pen_.line({focus_box.x, y}, {left, lens_top - px(3)}, mix(theme_.ink3, theme_.panel, 0.6f), px(1));
      pen_.line({focus_box.right(), y}, {left + lens_w, lens_top - px(3)},
                mix(theme_.ink3, theme_.panel, 0.6f), px(1));
    }
    rows(cells, left, pitch, lens_top, top + rest, false);
  }

  void bank_labels(float y, float cell_w) {
    for (int k = 0; k < wrap_at; k += 4)
      pen_.text({columns_.left + (float(k) + 0.5f) * cell_w, y}, std::to_string(k), index_size(), theme_.ink3,
                Font::mono, Align::centre);
    label_at(y, to_.array >= first_shared ? "column" : "mod 32", Font::text, theme_.ink3);
  }

  Box wrapped_box(int k, float top, float w, float h) const {
    const int row = k / wrap_at, column = k % wrap_at;
    return {columns_.left + float(column) * w, top + float(row) * h, w, h};
  }

  void wrapped_cells(const ArrayState& s, float top, float cell_w, float h, int rows, double largest,
                     bool values) {
    const bool gaps = h >= px(8);
    const float gap = gaps ? px(2) : 0;
    std::vector<int> cells;
    Style style;
    if (values) {
      for (int k = 0; k < columns_.visible; ++k) cells.push_back(columns_.first + k);
      style = fit(s, to_, cells, cell_w - gap - px(3), std::min(value_size(), h * 0.8f));
      values = style.size <= h / 1.1f;
    }
    std::vector<Colour> colours;
    const int tips = rows * wrap_at <= 2048 ? 1 : 0;
    for (int k = 0; k < rows * wrap_at; ++k) {
      const int cell = columns_.first + k, at = to_.first + cell;
      const bool exists = k < columns_.visible && cell < to_.size && at < s.size();
      const bool changed = exists && landed_ && step_.writes_of({to_.array, at});
      const bool known = exists && s.is_known(at);
      const Colour fill = !exists   ? 0
                          : changed ? theme_.changed
                          : values  ? theme_.cell
                                    : shade(theme_, known ? s.value(at) : 0, largest);
      const Box whole = wrapped_box(k, top, cell_w, h);
      const Box box{whole.x + gap / 2, whole.y + gap / 2, cell_w - gap, h - gap};
      if (gaps) {
        if (!exists) continue;
        pen_.rect(box, fill, values ? theme_.line : 0, px(1), px(2));
        if (values && known)
          pen_.text(box.centre(), cell_text(s, at, style, cell_w - gap - px(1)), style.size,
                    changed ? theme_.on(theme_.changed) : theme_.ink2, changed ? Font::mono_bold : Font::mono,
                    Align::centre);
      } else {
        colours.push_back(fill);
      }
      if (exists && tips) cell_hit(box, {to_.array, at}, s, "after:");
    }
    if (!gaps) pen_.strip({columns_.left, top, cell_w * wrap_at, h * float(rows)}, std::move(colours), rows);
  }

  void strip_cells(const ArrayState& s, Box box, double largest) {
    const int buckets = std::max(1, std::min(columns_.visible, int(box.w)));
    const auto bucket_of = [&](int k) { return int(int64_t(k) * buckets / columns_.visible); };
    const std::vector<float> most =
        largest_in_parts(s, to_.first + columns_.first, columns_.visible, buckets);
    std::vector<int> changed(size_t(buckets), -1);
    std::vector<Colour> colours(static_cast<size_t>(buckets));
    for (size_t b = 0; b < colours.size(); ++b) colours[b] = shade(theme_, double(most[b]), largest);
    if (landed_)
      for (const auto& [key, w] : step_.written_in(to_.array, to_.first + columns_.first, columns_.visible)) {
        const int k = int(uint32_t(key)) - to_.first - columns_.first;
        colours[size_t(bucket_of(k))] = theme_.changed;
        changed[size_t(bucket_of(k))] = int(uint32_t(key));
      }
    pen_.strip(box, std::move(colours));
    pen_.rect(box, 0, theme_.line, px(1));
    // regions for the mouse: the changed cell, or the middle one
    constexpr int regions = 128;
    const int count = std::min(regions, buckets);
    for (int r = 0; r < count; ++r) {
      const int b0 = r * buckets / count, b1 = (r + 1) * buckets / count;
      int at = to_.first + columns_.first + int((int64_t(b0) + b1) * columns_.visible / buckets / 2);
      for (int b = b0; b < b1; ++b)
        if (changed[size_t(b)] >= 0) at = changed[size_t(b)];
      const float w = box.w / float(buckets);
      cell_hit({box.x + float(b0) * w, box.y, float(b1 - b0) * w, box.h}, {to_.array, at}, s, "after:");
    }
  }

  // Ten cells: those of the followed thread's moves first, then their neighbours.
  std::vector<int> lens() const {
    std::set<int> cells;
    if (hides() && prediction_->array == to_.array) {  // those that are asked for and no others
      for (int cell : prediction_->cells) cells.insert(cell - to_.first);
      return {cells.begin(), cells.end()};
    }
    if (prediction_ && prediction_->array == to_.array)
      for (int cell : prediction_->cells) cells.insert(cell - to_.first);
    const int size = std::max(to_.size, from_.size);
    const auto add = [&](int cell) {
      if (cell >= 0 && cell < size && int(cells.size()) < lens_cells) cells.insert(cell);
    };
    if (selected_ && selected_->array == to_.array) add(selected_->index - to_.first);
    for (const Drawn& d : chosen_->moves) {
      if (!d.focus) continue;
      add(d.to);
      for (Place p : d.move->arrow.from)
        if (p.array == from_.array) add(p.index - from_.first);
    }
    if (cells.empty()) add(columns_.first);
    const std::set<int> wanted = cells;
    for (int reach = 1; int(cells.size()) < std::min(lens_cells, size) && reach < size; ++reach)
      for (int cell : wanted) {
        add(cell - reach);
        add(cell + reach);
      }
    return {cells.begin(), cells.end()};
  }

  const WatchModel& model_;
  const Cursor& cursor_;
  const Theme& theme_;
  Picture picture_;
  Pen pen_;
  const BlockSteps& block_;
  const Step& step_;
  Columns columns_;
  Part to_, from_;
  StatePtr before_, was_, after_;
  int threads_ = 1, followed_ = -1;
  std::optional<Place> selected_;
  bool landed_ = true;
  const Prediction* prediction_ = nullptr;
  bool tight_ = false;  // pills without their blank, where columns are narrow
  std::shared_ptr<const Chosen> chosen_;
  std::vector<Box> occupied_;
  float y_ = 0;
};

}  // namespace

Zoom zoom_level(float width, std::optional<Zoom> before) {
  if (before) {
    float least = 0, most = 1e9f;
    for (size_t k = 0; k < std::size(limits); ++k)
      if (limits[k].level == *before) {
        least = limits[k].least;
        if (k) most = limits[k - 1].least;
      }
    if (width >= least * 0.9f && width < most * 1.1f) return *before;
  }
  for (const LevelLimit& l : limits)
    if (width >= l.least) return l.level;
  return Zoom::strip;
}

Part shown_part(const WatchModel& model, const Cursor& c) {
  const BlockSteps& b = model.block(c);
  const auto chosen = b.parts.find(c.array);
  // a global array that was asked for is shown whole, other blocks' cells too
  if (chosen != b.parts.end() && c.array < first_shared)
    return {c.array, 0, model.array(b.launch, c.array).size};
  const auto it = chosen != b.parts.end() ? chosen : b.parts.find(b.main);
  return it == b.parts.end() ? Part{} : it->second;
}

Columns columns(const WatchModel& model, const Cursor& c, const Theme& t, float width) {
  const BlockSteps& b = model.block(c);
  const Part shown = shown_part(model, c);
  int size = std::max(1, shown.size);
  // rows of other arrays that this block's steps show on the same columns
  if (c.array < 0)
    for (const Step& s : b.steps)
      for (int array : {s.from(), s.to()})
        if (const auto it = b.parts.find(array); it != b.parts.end())
          if (it->second.size <= wrap_at) size = std::max(size, it->second.size);
  Columns out;
  const float zoom = std::max(1.0f, c.zoom);
  out.visible = std::clamp(int(std::ceil(float(size) / zoom)), std::min(size, 4), size);
  out.first = std::clamp(int(c.scroll), 0, size - out.visible);
  out.across = std::min(out.visible, wrap_at);
  out.rows = (out.visible + out.across - 1) / out.across;
  out.left = label_column(t);
  // few cells keep the width of sixteen, so that a small array does not become a row of posters
  const float room = width - out.left - margin(t);
  out.pitch = room / float(std::max(out.across, 8));
  out.gap = t.px(out.pitch >= t.px(44) ? 6 : 2);
  return out;
}

Picture array_view(const WatchModel& model, const Cursor& c, const Theme& t, const Metrics& m, float width,
                   float height, const Prediction* prediction) {
  const BlockSteps& b = model.block(c);
  if (b.steps.empty() || b.main < 0) {
    Picture empty;
    empty.width = width;
    empty.height = height;
    Pen pen(empty, m);
    pen.text({width / 2, height / 2}, pen.fitted("This block touches no memory.", width, t.px(t.size_title)),
             t.px(t.size_title), t.ink2, Font::text, Align::centre);
    return empty;
  }
  return ArrayView(model, c, t, m, width, height, prediction).draw();
}

}  // namespace bscope
