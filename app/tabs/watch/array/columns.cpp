#include "app/tabs/watch/array/columns.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/draw/theme.hpp"
#include "app/run/cursor.hpp"
#include "app/run/run.hpp"
#include "app/tabs/watch/draw.hpp"
#include "engine/analysis/array_state.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/instructions.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/run_queries.hpp"

namespace bscope {
namespace {

struct LevelLimit {
  Zoom level;
  float least;
};
constexpr LevelLimit limits[] = {
    {Zoom::full, 44}, {Zoom::brief, 22}, {Zoom::colour, 8}, {Zoom::dense, 2}, {Zoom::strip, 0}};

/// So many cells, as the cursor's zoom shows them.
Columns columns_of(int size, const Cursor& c, const Theme& t, float width) {
  Columns out;
  out.size = size;
  const float zoom = std::max(1.0f, c.zoom);
  out.visible = std::clamp(int(std::ceil(float(size) / zoom)), std::min(size, 4), size);
  out.first = std::clamp(int(c.scroll), 0, size - out.visible);
  out.across = std::min(out.visible, wrap_at);
  out.rows = (out.visible + out.across - 1) / out.across;
  out.left = label_column(t);
  // few cells keep the width of sixteen, so that a small array does not become a row of posters
  const float room = width - out.left - margin(t);
  out.pitch = room / float(std::max(out.across, 8));
  return out;
}

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

ArrayRange shown_part(const RunQueries& model, const Cursor& c) {
  const BlockSteps& b = model.block(c);
  const auto chosen = b.parts.find(c.array);
  // a global array that was asked for is shown whole, other blocks' cells too
  if (chosen != b.parts.end() && c.array < first_shared)
    return {c.array, 0, model.array(b.launch, c.array).size};
  const auto it = chosen != b.parts.end() ? chosen : b.parts.find(b.main);
  if (it == b.parts.end()) return {};
  const Step* step = model.step(c);
  return step ? step->after(it->first) : it->second;
}

Columns columns(const RunQueries& model, const Cursor& c, const Theme& t, float width) {
  const BlockSteps& b = model.block(c);
  const ArrayRange shown = shown_part(model, c);
  int size = std::max(1, shown.size);
  // rows of other arrays that this block's steps show on the same columns, as long as these keep room for
  // values
  const int roomy = int((width - label_column(t) - margin(t)) / (limits[0].least * t.scale));
  if (c.array < 0)
    for (const Step& s : b.steps)
      for (int array : {s.from(), s.to()})
        if (const int cells = s.after(array).size; cells <= std::min(wrap_at, roomy))
          size = std::max(size, cells);
  return columns_of(size, c, t, width);
}

Columns array_columns(const RunQueries& model, const Cursor& c, const Theme& t, float width) {
  const Columns shared = columns(model, c, t, width);
  const Step* step = model.step(c);
  const WarpInstruction* sub = model.instruction(c);
  if (!step || (c.array >= 0 && shown_part(model, c).array == c.array)) return shared;
  int size = step->after(sub && sub->request ? sub->request->array : step->to()).size;
  if (!sub)
    if (const int before = step->after(step->from()).size; before <= wrap_at) size = std::max(size, before);
  return size > shared.size ? columns_of(size, c, t, width) : shared;
}

}  // namespace bscope
