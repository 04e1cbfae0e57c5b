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
  const std::string above = start ? say("start") : say("barrier {}", barrier_number(k - 1));
  const std::string below = exit      ? say("end")
                            : opening ? say("barrier {} opens", barrier_number(k))
                                      : say("barrier {}", barrier_number(k));
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
      say("A barrier (__syncthreads) lets nobody past until every thread of the block has come."));
  if (!start)
    v.pen.hit({Hit::other, {x0, open_y - v.px(5), x1 - x0, v.px(10)}, k, 0, what, "barrier:before"});
  if (!exit)
    v.pen.hit({Hit::other, {x0, close_y - v.px(5), x1 - x0, v.px(10)}, k + 1, 0, what, "barrier:after"});
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
    add(say("{0}: {1} writes", pill_text(v, *many), many->times));
  else if (many)
    add(say("{0}: {1} writes to the cell in this step", pill_text(v, *many), many->times));
  if (atomic)
    add(std::string(briefly ? say("purple: atomic")
                            : say("purple: atomic, nobody comes between its read and its write")));
  if (raced) add(std::string(briefly ? say("red: race") : say("red border: threads race for the cell")));
  const auto from_outside = [&](const Drawn& d) {
    const std::vector<Input> all = d.focus || !family ? inputs_of(v, row, d) : std::vector<Input>{};
    return std::any_of(all.begin(), all.end(),
                       [](const Input& in) { return in.cell < 0 && !in.in_register && !in.meanwhile; });
  };
  if (std::any_of(shown.begin(), shown.end(), from_outside))
    add(say("ring: a value from outside this picture"));
  return out;
}

/// Three points in each row, before column `k`: cells are left out there.
void left_out(Scene& v, const CellRow& row, size_t k, std::initializer_list<float> rows) {
  const float x = (row.x(k - 1) + row.x(k)) / 2, d = v.px(v.theme.projector() ? 4 : 3), apart = d * 1.9f;
  const float first = *rows.begin(), last = *(rows.end() - 1);
  for (const float y : rows)
    for (int i = -1; i <= 1; ++i) v.pen.disc({x + float(i) * apart, y}, d / 2, v.theme.ink2);
  const int from = row.cells[k - 1] + 1, to = row.cells[k] - 1;
  const Place a{v.to.array, v.to.first + from}, b{v.to.array, v.to.first + to};
  v.pen.hit({Hit::other,
             {x - 2 * apart, first - v.px(8), 4 * apart, last - first + v.px(16)},
             0,
             0,
             from == to ? say("{} lies between and is left out.", v.name(a))
                        : say("{} to {} lie between and are left out.", v.name(a), v.name(b)),
             "gap:" + std::to_string(from)});
}

}  // namespace

void draw_rows(Scene& v, std::vector<int> cells_of_part, float left, float pitch, float top, float bottom,
               bool whole) {
  // a lens has its own size of cells
  const Zoom level = whole ? v.level : zoom_level(pitch / v.theme.scale);
  const CellRow row = cell_row(v, std::move(cells_of_part), left, pitch, level == Zoom::full);
  const std::vector<int>& cells = row.cells;
  std::vector<Drawn> shown;
  for (const Drawn& d : v.chosen->moves) {
    if (cells.empty() || d.to < cells.front() || d.to > cells.back() || !row.has(d.to)) continue;
    if (!v.cursor.arrows && !d.focus) continue;
    shown.push_back(d);
  }
  const std::vector<Seat> seat = seats(v, row, shown, whole);
  int lanes = 1;
  for (const Seat& s : seat) lanes = std::max(lanes, s.lane + 1);
  lanes = std::min(lanes, most_lanes);

  // vertical budget
  const bool with_holds = whole && holds_wanted(v);
  const float index_h = v.index_size() * 1.2f + v.px(4);
  const float holds_h = with_holds ? v.label_size() * 1.3f + v.px(14) : 0;
  const float caption_room = v.picture.width - margin(v.theme) - left, caption_line = v.label_size() * 1.3f;
  const std::vector<std::string> told = captions(v, row, wanted_marks(v));
  const auto lines_of = [&](const std::vector<std::string>& clauses) {
    return in_lines(v.pen, joined(clauses, say("; ")), caption_room, v.label_size());
  };
  std::vector<std::string> below = told, caption = lines_of(below);
  float caption_h = caption.empty() ? 0 : caption_line * float(caption.size()) + v.px(2);
  const float before_h = whole ? std::clamp(row.cell_w * 0.85f, v.px(v.theme.projector() ? 34 : 24), v.px(42))
                               : v.px(v.theme.projector() ? 32 : 28);
  float after_h = !row.roomy ? before_h + v.px(4)
                  : whole    ? std::max(before_h * 1.3f, v.px(v.theme.projector() ? 60 : 50))
                             : v.px(v.theme.projector() ? 44 : 46);
  const float barrier_gap = v.px(v.theme.projector() ? 12 : 10);
  const float fixed = before_h + barrier_gap * 2 + after_h + index_h + holds_h + caption_h;
  float zone = bottom - top - fixed - v.px(2);
  const float least = v.px(v.theme.projector() ? 52 : 40);
  // what the signs mean, in as many words as leave the arrows their room
  const float spare = std::max(0.0f, after_h - before_h * 0.9f);
  const auto fit_below = [&] {
    caption = lines_of(below);
    const float now = caption.empty() ? 0 : caption_line * float(caption.size()) + v.px(2);
    zone += caption_h - now;
    caption_h = now;
  };
  for (const bool briefly : {false, true}) {
    const std::vector<std::string> meant = signs(v, row, shown, shown.size() > 16, briefly);
    if (meant.empty()) break;
    below = told;
    below.insert(briefly ? below.begin() : below.end(), meant.begin(), meant.end());
    fit_below();
    if (zone >= least * 1.2f) break;
  }
  // what has no room even with lower cells is left out whole, from the end
  while (!v.sub && caption.size() > 1 && below.size() > 1 && zone + spare < v.px(40)) {
    below.pop_back();
    fit_below();
  }
  if (!v.sub && zone + spare < v.px(38)) {
    below.clear();
    fit_below();
  }
  // where there is little room (below a sub-step's strip) the caption goes first, then the height of cells
  if (v.sub && zone < least) {
    zone += std::exchange(caption_h, 0.0f);
    caption.clear();
  }
  if (zone < least) {
    const float less = std::clamp(least - zone, 0.0f, spare);
    after_h -= less;
    zone += less;
  }
  zone = std::max(v.px(40), zone);
  const float pill_h = std::min(v.label_size() + v.px(v.theme.projector() ? 12 : 9), zone * 0.5f);

  const float before_y = top;
  const float open_y = before_y + before_h + barrier_gap;
  const float close_y = open_y + zone;
  const float after_y = close_y + barrier_gap;
  const float index_y = after_y + after_h + index_h / 2 + v.px(1);

  // faint guides: one x per cell
  for (size_t k = 0; k < cells.size() && row.roomy; ++k)
    v.pen.line({row.x(k), before_y + before_h}, {row.x(k), after_y}, mix(v.theme.line, v.theme.panel, 0.8f),
               v.px(1), v.px(3));

  // cells that the lens leaves out between two of its columns
  for (size_t k = 1; k < cells.size(); ++k)
    if (cells[k] != cells[k - 1] + 1)
      left_out(v, row, k, {before_y + before_h / 2, after_y + after_h / 2, index_y});

  v.occupied.clear();
  draw_barriers(v, left, row.right(), open_y, close_y);

  v.tight = false;
  v.tight = !pills_fit(v, row, shown, seat);
  const bool family = shown.size() > 16 || !pills_fit(v, row, shown, seat);
  std::set<int> sources, focus_sources;
  bool aslant = false;     // does an arrow come from another column?
  bool picked_up = false;  // or a value from another pill?
  for (const Drawn& d : shown)
    for (size_t k = 0; k < d.move->arrow.from.size(); ++k) {
      const Place p = d.move->arrow.from[k];
      if (p.array != v.from.array || !read_now(v, *d.move, p)) continue;
      // what was made meanwhile is not what the row before shows
      if (d.times == 1 && k < d.move->arrow.loads.size() && !written_meanwhile(v, *d.move, k).empty()) {
        picked_up = picked_up || row.has(p.index - v.from.first);
        continue;
      }
      const int cell = p.index - v.from.first;
      aslant = aslant || (cell != d.to && row.has(cell));
      sources.insert(cell);
      if (d.focus) focus_sources.insert(cell);
    }
  const std::set<int>& lit = family ? focus_sources : sources;

  v.label_at(before_y + before_h / 2, v.one_row() ? say("before") : v.row_name(v.from),
             v.one_row() ? Font::text : Font::mono, v.theme.ink2);
  draw_before(v, row, before_y, before_h, {lit.begin(), lit.end()});

  if (!shown.empty()) {
    ArrowZone arrows{before_y + before_h, open_y, close_y, after_y, pill_h, {}};
    const float step = std::min(v.px(42), zone / float(lanes + 1) * 1.15f);
    // pills stand lower where arrows need room to come from above
    const float lower = aslant ? 0.6f : v.theme.projector() ? 0.5f : 0.46f;
    const float centre = open_y + zone * (picked_up ? 0.42f : lanes > 1 ? 0.5f : lower);
    for (int k = 0; k < lanes; ++k)
      arrows.lane_y.push_back(centre + (float(k) - float(lanes - 1) / 2) * step);
    draw_arrows(v, row, shown, seat, arrows, family);
  }

  v.label_at(after_y + after_h / 2, v.one_row() ? say("after") : v.row_name(v.to),
             v.one_row() ? Font::text_bold : Font::mono_bold, v.theme.ink);
  draw_after(v, row, after_y, after_h);
  draw_indices(v, row, index_y);
  float y = index_y + index_h / 2;
  if (with_holds) {
    draw_holds(v, row, y);
    y += holds_h;
  }
  // of marks that found no room nothing is said
  if (const std::vector<std::string> drawn = captions(v, row, v.marks); drawn != told) {
    const auto whole_of_it = std::search(below.begin(), below.end(), told.begin(), told.end());
    if (!told.empty() && whole_of_it != below.end()) {
      const auto at = below.erase(whole_of_it, whole_of_it + std::ptrdiff_t(told.size()));
      below.insert(at, drawn.begin(), drawn.end());
    } else {
      std::erase_if(below, [&](const std::string& clause) {
        return std::ranges::count(told, clause) && !std::ranges::count(drawn, clause);
      });
    }
    const size_t lines = caption.size();
    caption = lines_of(below);
    caption.resize(std::min(caption.size(), lines));
  }
  if (!caption.empty())
    for (const std::string& line : caption) {
      v.pen.text({left, y + v.px(1) + caption_line / 2}, line, v.label_size(),
                 v.selected && v.raced(*v.selected) ? v.theme.race : v.theme.ink2);
      y += caption_line;
    }
}
}  // namespace bscope
