// Every array that the block touches, small, one below the other: what this step reads and writes of each.
#include <algorithm>

#include "app/draw/chart.hpp"
#include "app/tabs/watch/array_parts.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// What the step does with an array, cell by cell of the part.
struct Use {
  std::vector<uint8_t> read, written;
  int reads = 0, writes = 0;  ///< cells
};
Use use_of(const Scene& v, const Part& p) {
  Use out;
  out.read.resize(size_t(p.size));
  out.written.resize(size_t(p.size));
  const auto& nodes = v.model.flow().nodes;
  const auto mark = [&](const std::vector<int>& ids) {
    for (const int id : ids) {
      const Node& n = nodes[size_t(id)];
      const int cell = n.place.index - p.first;
      if (n.place.array != p.array || cell < 0 || cell >= p.size) continue;
      if (reads(n.op) && !out.read[size_t(cell)]) out.read[size_t(cell)] = 1, ++out.reads;
      if (writes(n.op) && !out.written[size_t(cell)]) out.written[size_t(cell)] = 1, ++out.writes;
    }
  };
  mark(v.sub ? v.sub->nodes : v.step.interval->nodes);
  return out;
}

void draw_cells(Scene& v, const Part& p, const Content& c, const Use& use, const Box& box) {
  const float pitch = box.w / float(std::max(8, p.size)), gap = v.px(pitch >= v.px(44) ? 6 : 2);
  std::vector<int> cells(size_t(p.size));
  for (int k = 0; k < p.size; ++k) cells[size_t(k)] = k;
  const float room = pitch - gap - v.px(4);
  const CellStyle style = fit(v, c, p, cells, room, std::min(v.value_size(), box.h * 0.8f));
  for (int k = 0; k < p.size; ++k) {
    const int at = p.first + k;
    if (at >= c.state->size()) break;
    const bool changed = v.landed && use.written[size_t(k)], read = use.read[size_t(k)];
    const Box cell{box.x + pitch * float(k) + gap / 2, box.y, pitch - gap, box.h};
    const Colour fill = changed ? v.theme.changed : cell_fill(v, c, at);
    const Colour edge = read ? v.theme.read : changed && !v.theme.dark() ? v.theme.ink : v.theme.line;
    v.pen.rect(cell, fill, edge, v.px(read ? 2 : 1), v.px(4));
    if (c.state->is_known(at))
      v.pen.text(cell.centre(), cell_text(v, c, at, style, room), style.size,
                 changed ? v.theme.on(fill)
                 : read  ? v.theme.ink
                         : v.theme.ink2,
                 changed || read ? Font::mono_bold : Font::mono, Align::centre);
    v.cell_hit(cell, {p.array, at}, *c.state, "small:");
  }
}

void draw_strip(Scene& v, const Part& p, const ArrayState& s, const Use& use, const Box& box) {
  const int buckets = std::max(1, std::min(p.size, int(box.w)));
  const std::vector<float> most = largest_in_parts(s, p.first, p.size, buckets);
  const double largest = double(*std::max_element(most.begin(), most.end()));
  std::vector<Colour> colours;
  for (const float value : most) colours.push_back(shade(v.theme, double(value), largest));
  // what is written wins over what is read
  for (const auto& [marks, colour] : {std::pair{&use.read, mix(v.theme.read, v.theme.cell, 0.75f)},
                                      std::pair{&use.written, v.theme.changed}}) {
    if (marks == &use.written && !v.landed) continue;
    for (int k = 0; k < p.size; ++k)
      if ((*marks)[size_t(k)]) colours[size_t(int64_t(k) * buckets / p.size)] = colour;
  }
  v.pen.strip(box, std::move(colours));
  v.pen.rect(box, 0, v.theme.line, v.px(1));
}

}  // namespace

void draw_arrays(Scene& v, float bottom) {
  v.y += v.px(v.theme.projector() ? 0 : 5);
  std::vector<Part> parts;
  for (const auto& [id, part] : v.block.parts) {
    if (part.size <= 0) continue;
    const ArrayInfo& info = v.model.array(v.block.launch, id);
    if (info.rows == 1) parts.push_back(part);
    for (int k = 0; info.rows > 1 && k < info.rows; ++k)
      parts.push_back({id, info.row_size() * k, info.row_size()});
  }
  const float size = v.label_size(), title_h = size * 1.45f;
  const float left = margin(v.theme), right = v.picture.width - margin(v.theme);
  const float caption_y = bottom - size * 0.6f, room = caption_y - size - v.y;
  const int all = int(parts.size()),
            fit_below = std::max(1, int(room / (title_h + v.px(v.theme.projector() ? 34 : 20))));
  // more than there is room for one below the other stand in columns; more still: those that this step
  // touches
  const int columns = std::clamp((all + fit_below - 1) / fit_below, 1, v.theme.projector() ? 2 : 3);
  if (all > fit_below * columns)
    std::stable_partition(parts.begin(), parts.end(), [&](const Part& p) {
      const Use use = use_of(v, p);
      return use.reads + use.writes > 0;
    });
  const int shown = std::min(fit_below * columns, all), rows = (shown + columns - 1) / columns;
  const float pitch = std::min(room / float(std::max(1, rows)), title_h + v.px(64));
  const float gap = v.px(24), wide = (right - left - gap * float(columns - 1)) / float(columns);
  for (int k = 0; k < shown; ++k) {
    const Part& p = parts[size_t(k)];
    const Use use = use_of(v, p);
    const float y = v.y + pitch * float(k % rows);
    const float begin = left + (wide + gap) * float(k / rows), end = begin + wide;
    const std::string name = v.array_name(p.array);
    const bool rowed = v.model.array(v.block.launch, p.array).rows > 1;
    const bool main = p.array == v.to.array;
    float x = v.pen
                  .text({begin, y + title_h / 2}, v.part_name(p), size, main ? v.theme.ink : v.theme.ink2,
                        main ? Font::mono_bold : Font::mono)
                  .right() +
              v.px(10);
    const std::string where(p.array >= first_shared ? say("shared") : say("global"));
    if (x + v.pen.width(where, size) <= end)
      x = v.pen.text({x, y + title_h / 2}, where, size, v.theme.ink3).right() + v.px(16);
    std::string does;
    if (use.reads) does = say_count(use.reads, "{} cell read", "{} cells read");
    if (use.writes)
      does += (does.empty() ? "" : say(", ")) + say_count(use.writes, "{} cell written", "{} cells written");
    if (!does.empty() && x + v.pen.width(does, size) <= end)
      v.pen.text({end, y + title_h / 2}, does, size, v.theme.ink2, Font::text, Align::right);
    press(v.pen, v.theme,
          {.what = Hit::button,
           .box = {begin, y, wide, title_h},
           .a = p.array,
           .tip = p.array >= first_shared ? say("Show {}, shared by the threads of a block.", name)
                                          : say("Show {}, in global memory.", name),
           .name = "array:" + (rowed && p.first > 0 ? v.part_name(p) : name),
           .press = shows_array(p.array)});
    const StatePtr state = v.sub      ? v.model.after(*v.sub, p)
                           : v.landed ? v.model.after(v.step, p)
                                      : v.model.before(v.step, p);
    const auto words = !v.state.words || v.sub ? nullptr
                       : v.landed              ? v.model.words_after(v.step, p)
                                               : v.model.words_before(v.step, p);
    const float h = std::min(pitch - title_h - v.px(8), v.px(44));
    const Box box{begin, y + title_h, wide, h};
    if (p.size <= wrap_at && h * 0.8f >= v.index_size() &&
        zoom_level(box.w / float(std::max(8, p.size)) / v.theme.scale) <= Zoom::brief)
      draw_cells(v, p, {state.get(), words.get()}, use, box);
    else
      draw_strip(v, p, *state, use, box);
  }
  const int more = all - shown;
  const std::string what =
      say("yellow: written in this step, blue: read") +
      (more > 0 ? say("; ") + say_count(more, "{} more array", "{} more arrays") : std::string());
  v.pen.text({left, caption_y}, v.pen.fitted(what, right - left, size), size, v.theme.ink2);
}

}  // namespace bscope
