#include <algorithm>
#include <set>
#include <utility>

#include "app/draw/fitting.hpp"
#include "app/tabs/watch/array_parts.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

void draw_barriers(Scene& v, float left, float right, float open_y, float close_y) {
  if (v.sub) {
    // an instruction happens between two barriers: nothing opens
    for (float at : {open_y, close_y})
      v.pen.line({left - v.px(6), at}, {right + v.px(2), at}, v.theme.line, v.px(1));
    return;
  }
  const int k = v.step.interval->index;
  const bool opening = v.cursor.phase < 1 && v.landed;
  const float x0 = left - v.px(6), x1 = right + v.px(2), end = left - v.px(8),
              size = v.px(v.theme.projector() ? 22 : 12);
  const bool start = k == 0, exit = v.step.interval->line == 0;
  const std::string above = start ? tr("start") : tr("barrier {}", barrier_number(k - 1));
  const std::string below = exit      ? tr("end")
                            : opening ? tr("barrier {} opens", barrier_number(k))
                                      : tr("barrier {}", barrier_number(k));
  // a long number stands alone
  const auto words = [&](float y, std::string s, const std::string& number, Font f, Colour c) {
    if (v.pen.width(s, size, f) > end - v.px(2)) s = number;
    v.occupied.push_back(v.pen.text({end, y}, s, size, c, f, Align::right));
  };
  const Colour dim = mix(v.theme.barrier, v.theme.panel, 0.7f);
  if (start)
    v.pen.line({x0, open_y}, {x1, open_y}, v.theme.line, v.px(1));
  else
    v.pen.line({x0, open_y}, {x1, open_y}, dim, v.px(1.5f), v.px(6));
  words(open_y, above, std::to_string(k), Font::text, v.theme.ink2);
  if (exit)
    v.pen.line({x0, close_y}, {x1, close_y}, v.theme.line, v.px(1));
  else if (opening)
    v.pen.line({x0, close_y}, {x1, close_y}, v.theme.dark() ? v.theme.changed : v.theme.barrier, v.px(3));
  else
    v.pen.line({x0, close_y}, {x1, close_y}, v.theme.barrier, v.px(2), v.px(6));
  words(close_y, below, std::to_string(k + 1), Font::text_bold, v.theme.ink);
  const std::string what(
      tr("A barrier (__syncthreads) lets nobody past until every thread of the block has come."));
  if (!start)
    v.pen.hit({HitRegion::other, {x0, open_y - v.px(5), x1 - x0, v.px(10)}, k, 0, what, "barrier:before"});
  if (!exit)
    v.pen.hit(
        {HitRegion::other, {x0, close_y - v.px(5), x1 - x0, v.px(10)}, k + 1, 0, what, "barrier:after"});
}

/// What the picture's signs mean, where it has them and no legend stands beside it; in few words where there
/// is little room.
std::vector<std::string> signs(const Scene& v, const CellRow& row, const std::vector<Drawn>& shown,
                               bool family, bool briefly) {
  if (v.hides()) return {};
  std::vector<std::string> out;
  const auto add = [&](std::string s) { out.push_back(std::move(s)); };
  bool atomic = false, raced = false;
  const Drawn* many = nullptr;
  for (const Drawn& d : shown) {
    if (d.move->held) continue;
    atomic = atomic || is_atomic(v.model.flow().nodes[size_t(d.move->arrow.node)].op);
    if (d.times > 1 && (d.focus || !family) && (!many || d.focus)) many = &d;
  }
  for (const int cell : row.cells) raced = raced || (v.landed && v.raced({v.to.array, v.to.first + cell}));
  if (many && briefly)
    add(tr("{0}: {1} writes", pill_text(v, *many), many->times));
  else if (many)
    add(tr("{0}: {1} writes to the cell in this step", pill_text(v, *many), many->times));
  if (atomic)
    add(std::string(briefly ? tr("purple: atomic")
                            : tr("purple: atomic, nobody comes between its read and its write")));
  if (raced) add(std::string(briefly ? tr("red: race") : tr("red border: threads race for the cell")));
  const auto from_outside = [&](const Drawn& d) {
    const std::vector<Input> all = d.focus || !family ? inputs_of(v, row, d) : std::vector<Input>{};
    return std::any_of(all.begin(), all.end(),
                       [](const Input& in) { return in.cell < 0 && !in.in_register && !in.meanwhile; });
  };
  if (std::any_of(shown.begin(), shown.end(), from_outside))
    add(tr("ring: a value from outside this picture"));
  return out;
}

/// Three points in each row, before column `k`: cells are left out there.
void left_out(Scene& v, const CellRow& row, size_t k, std::initializer_list<float> rows) {
  const float x = (row.x(k - 1) + row.x(k)) / 2, d = v.px(v.theme.projector() ? 4 : 3), apart = d * 1.9f;
  const float first = *rows.begin(), last = *(rows.end() - 1);
  for (const float y : rows)
    for (int i = -1; i <= 1; ++i) v.pen.disc({x + float(i) * apart, y}, d / 2, v.theme.ink2);
  const int from = row.cells[k - 1] + 1, to = row.cells[k] - 1;
  const CellRef a{v.to.array, v.to.first + from}, b{v.to.array, v.to.first + to};
  v.pen.hit({HitRegion::other,
             {x - 2 * apart, first - v.px(8), 4 * apart, last - first + v.px(16)},
             0,
             0,
             from == to ? tr("{} lies between and is left out.", v.name(a))
                        : tr("{} to {} lie between and are left out.", v.name(a), v.name(b)),
             "gap:" + std::to_string(from)});
}

/// The rows before and after with the moves between them: first what stands where, then the drawing.
class ArrayRows {
 public:
  ArrayRows(Scene& scene, std::vector<int> cells, float left, float pitch, bool whole)
      : v(scene),
        t(scene.theme),
        whole_(whole),
        // a lens has its own size of cells
        row_(cell_row(v, std::move(cells), left, pitch,
                      (whole ? v.level : zoom_level(pitch / t.scale)) == Zoom::full)) {
    for (const Drawn& d : v.chosen->moves)
      if (row_.has(d.to) && (v.cursor.arrows || d.focus)) shown_.push_back(d);
    seats_ = seats(v, row_, shown_, whole);
    for (const Seat& s : seats_) lanes_ = std::clamp(s.lane + 1, lanes_, most_lanes);
    told_ = captions(v, row_, wanted_marks(v));
  }

  void drawn(float top, float bottom) {
    share_out(top, bottom);
    guides();
    v.occupied.clear();
    draw_barriers(v, row_.left, row_.right(), open_y_, close_y_);
    moves();
    label(after_y_ + after_h_ / 2, v.to, tr("after"), true);
    draw_after(v, row_, after_y_, after_h_);
    draw_indices(v, row_, after_y_ + after_h_ + index_h() / 2 + v.px(1));
    const float y = after_y_ + after_h_ + index_h() + v.px(1);
    if (holds_h_ > 0) draw_holds(v, row_, y);
    caption(y + holds_h_);
  }

 private:
  float index_h() const { return v.index_size() * 1.2f + v.px(4); }
  float caption_line() const { return v.label_size() * 1.3f; }
  float caption_h() const { return caption_.empty() ? 0 : caption_line() * float(caption_.size()) + v.px(2); }
  std::vector<std::string> lines_of(const std::vector<std::string>& clauses) const {
    return in_lines(v.pen, joined(clauses, tr("; ")), v.picture.width - margin(t) - row_.left,
                    v.label_size());
  }
  /// Room for the arrows where these are the words below.
  float zone_with(std::vector<std::string> clauses) {
    below_ = std::move(clauses);
    caption_ = lines_of(below_);
    return free_ - caption_h();
  }

  void share_out(float top, float bottom) {
    holds_h_ = whole_ && holds_wanted(v) ? v.label_size() * 1.3f + v.px(14) : 0;
    before_y_ = top;
    before_h_ = whole_ ? std::clamp(row_.cell_w * 0.85f, t.px(24, 34), v.px(42)) : t.px(28, 32);
    after_h_ = !row_.roomy ? before_h_ + v.px(4)
               : whole_    ? std::max(before_h_ * 1.3f, t.px(50, 60))
                           : t.px(46, 44);
    const float barrier_gap = t.px(10, 12), least = t.px(40, 52);
    free_ = bottom - top - before_h_ - after_h_ - barrier_gap * 2 - index_h() - holds_h_ - v.px(2);
    const float spare = std::max(0.0f, after_h_ - before_h_ * 0.9f);
    float zone = zone_with(told_);
    // what the signs mean, in as many words as leave the arrows their room
    for (const bool briefly : {false, true}) {
      const std::vector<std::string> meant = signs(v, row_, shown_, shown_.size() > 16, briefly);
      if (meant.empty()) break;
      std::vector<std::string> all = told_;
      all.insert(briefly ? all.begin() : all.end(), meant.begin(), meant.end());
      zone = zone_with(std::move(all));
      if (zone >= least * 1.2f) break;
    }
    // what has no room even with lower cells is left out whole, from the end
    while (!v.sub && caption_.size() > 1 && below_.size() > 1 && zone + spare < v.px(40))
      zone = zone_with({below_.begin(), below_.end() - 1});
    if (!v.sub && zone + spare < v.px(38)) zone = zone_with({});
    // where there is little room (below a sub-step's bar) the caption goes first, then the height of cells
    if (v.sub && zone < least) zone += caption_h(), caption_.clear();
    if (zone < least) {
      const float less = std::clamp(least - zone, 0.0f, spare);
      after_h_ -= less, zone += less;
    }
    open_y_ = before_y_ + before_h_ + barrier_gap;
    close_y_ = open_y_ + std::max(v.px(40), zone);
    after_y_ = close_y_ + barrier_gap;
  }

  void label(float y, const ArrayRange& p, const std::string& when, bool loud) const {
    const bool one = v.one_row();
    v.label_at(y, one ? when : v.row_name(p),
               one    ? loud ? Font::text_bold : Font::text
               : loud ? Font::mono_bold
                      : Font::mono,
               loud ? t.ink : t.ink2);
  }

  /// One x per cell, and where the lens leaves out cells between two of its columns.
  void guides() {
    for (size_t k = 0; k < row_.cells.size() && row_.roomy; ++k)
      v.pen.line({row_.x(k), before_y_ + before_h_}, {row_.x(k), after_y_}, mix(t.line, t.panel, 0.8f),
                 v.px(1), v.px(3));
    for (size_t k = 1; k < row_.cells.size(); ++k)
      if (row_.cells[k] != row_.cells[k - 1] + 1)
        left_out(v, row_, k,
                 {before_y_ + before_h_ / 2, after_y_ + after_h_ / 2,
                  after_y_ + after_h_ + index_h() / 2 + v.px(1)});
  }

  /// The row before, and the arrows that leave it.
  void moves() {
    v.tight = false;
    v.tight = !pills_fit(v, row_, shown_, seats_);
    const bool family = shown_.size() > 16 || !pills_fit(v, row_, shown_, seats_);
    std::set<int> lit;
    bool aslant = false;     // whether an arrow comes from another column
    bool picked_up = false;  // or a value from another pill
    for (const Drawn& d : shown_)
      for (size_t k = 0; k < d.move->arrow.from.size(); ++k) {
        const CellRef p = d.move->arrow.from[k];
        if (p.array != v.from.array || !read_now(v, *d.move, p)) continue;
        const int cell = p.index - v.from.first;
        // what was made meanwhile is not what the row before shows
        if (d.times == 1 && k < d.move->arrow.loads.size() && !written_meanwhile(v, *d.move, k).empty()) {
          picked_up = picked_up || row_.has(cell);
          continue;
        }
        aslant = aslant || (cell != d.to && row_.has(cell));
        if (!family || d.focus) lit.insert(cell);
      }
    label(before_y_ + before_h_ / 2, v.from, tr("before"), false);
    draw_before(v, row_, before_y_, before_h_, {lit.begin(), lit.end()});
    if (shown_.empty()) return;
    const float zone = close_y_ - open_y_, apart = std::min(v.px(42), zone / float(lanes_ + 1) * 1.15f);
    // pills stand lower where arrows need room to come from above
    const float share = picked_up ? 0.42f : lanes_ > 1 ? 0.5f : aslant ? 0.6f : t.projector() ? 0.5f : 0.46f;
    ArrowZone arrows{before_y_ + before_h_,
                     open_y_,
                     close_y_,
                     after_y_,
                     std::min(v.label_size() + t.px(9, 12), zone * 0.5f),
                     {}};
    for (int k = 0; k < lanes_; ++k)
      arrows.lane_y.push_back(open_y_ + zone * share + (float(k) - float(lanes_ - 1) / 2) * apart);
    draw_arrows(v, row_, shown_, seats_, arrows, family);
  }

  void caption(float y) {
    // of marks that found no room nothing is said
    if (const std::vector<std::string> drawn = captions(v, row_, v.marks); drawn != told_) {
      const auto at = std::ranges::search(below_, told_).begin();
      if (!told_.empty() && at != below_.end())
        below_.insert(below_.erase(at, at + std::ptrdiff_t(told_.size())), drawn.begin(), drawn.end());
      else
        std::erase_if(below_, [&](const std::string& clause) {
          return std::ranges::count(told_, clause) && !std::ranges::count(drawn, clause);
        });
      const size_t lines = caption_.size();
      caption_ = lines_of(below_);
      caption_.resize(std::min(caption_.size(), lines));
    }
    y += v.px(1) + caption_line() / 2;
    for (const std::string& line : caption_) {
      v.pen.text({row_.left, y}, line, v.label_size(), v.selected && v.raced(*v.selected) ? t.race : t.ink2);
      y += caption_line();
    }
  }

  Scene& v;
  const Theme& t;
  bool whole_;
  CellRow row_;
  std::vector<Drawn> shown_;
  std::vector<Seat> seats_;
  int lanes_ = 1;
  std::vector<std::string> told_, below_, caption_;  ///< clauses; those that are said; their lines
  float before_y_ = 0, before_h_ = 0, open_y_ = 0, close_y_ = 0, after_y_ = 0, after_h_ = 0, holds_h_ = 0;
  float free_ = 0;  ///< what the arrows and the caption share
};

}  // namespace

void draw_rows(Scene& v, std::vector<int> cells, float left, float pitch, float top, float bottom,
               bool whole) {
  ArrayRows(v, std::move(cells), left, pitch, whole).drawn(top, bottom);
}

}  // namespace bscope
