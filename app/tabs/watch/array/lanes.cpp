#include "app/tabs/watch/array/lanes.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/fitting.hpp"
#include "app/draw/theme.hpp"
#include "app/tabs/watch/array/captions.hpp"
#include "app/tabs/watch/array/exchanges.hpp"
#include "app/tabs/watch/array/labels.hpp"
#include "app/tabs/watch/array/lanes_layout.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/array/warp.hpp"
#include "app/tabs/watch/cell_values.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/exchanges.hpp"
#include "engine/analysis/lane_rows.hpp"

namespace bscope {
namespace {

/// Where a row is in the step's motion.
struct RowMoment {
  bool reached = false;  ///< the exchanges up to it have happened
  bool newest = false;   ///< the last of them made it
  bool last = false;     ///< and no other follows
};
RowMoment moment_of(const LaneRows::LaneRow& row, const WarpLanes& w) {
  // exchanges that have happened by then
  const int number = row.made_by >= 0 ? row.made_by + 1 : std::max(0, row.gives_to);
  const bool newest = row.made_by >= 0 && number == w.happened;
  return {number <= w.happened, newest, newest && number == w.count()};
}

void hit_lane(Pen& pen, const StepView& v, const WarpLanes& w, size_t number, int lane, const Box& box,
              bool reached) {
  const LaneRows::LaneRow& row = w.held.rows[number];
  const int rank = w.warp * warp_size + lane;
  std::string tip = tr("Lane {} of warp {}, thread {}.", lane, w.warp, v.thread_name(rank));
  if (reached && row.made_by >= 0)
    if (const Exchange::ExchangeLane* l = w.exchange(row.made_by).of(lane))
      tip += " " + lane_sentence(v, w, row.made_by, *l);
  const std::string name = row.made_by < 0 && number > 0 ? "brings:" + std::to_string(row.gives_to)
                                                         : "lane:" + std::to_string(row.made_by + 1);
  pen.hit({HitRegion::thread, box, rank, 0, tip, name + ":" + std::to_string(lane)});
}

/// A register. `given`: its value goes to another lane below.
void draw_register(Pen& pen, const Theme& t, const LaneRows::LaneValue& value, const RowMoment& moment,
                   bool given, bool followed, const CellStyle& style, const Box& box) {
  const bool fresh = moment.newest && value.fresh;
  const Colour fill = fresh ? t.changed : t.cell;
  const Colour edge = followed ? t.ink : fresh ? (t.dark() ? 0 : t.ink) : given ? t.read : t.line;
  pen.rect(box, fill, followed ? 0 : edge, t.px(1), t.px(4));
  if (followed) pen.rect(grown(box, t.px(1.5f)), 0, edge, t.px(2.5f), t.px(5));  // its digits stay free
  if (!value.known || !moment.reached) return;
  pen.text(box.centre(), style.words(pen, lane_words(value, style.brief)), style.size,
           fresh                  ? t.on(fill)
           : given || value.fresh ? t.ink
                                  : t.ink3,
           fresh || given ? Font::mono_bold : Font::mono, Align::centre);
}

/// The k-th row in view. Whether a dot stands for one of its values.
bool draw_row_of_registers(Pen& pen, const Theme& t, const StepView& v, const WarpLanes& w,
                           const LanesLayout& at, size_t k) {
  const size_t number = at.first + k;
  const LaneRows::LaneRow& row = w.held.rows[number];
  const RowMoment moment = moment_of(row, w);
  const float y = at.row_y[k], room = at.cell_w - (at.pitch >= t.px(44) ? t.px(6) : t.px(4, 3));
  draw_label(pen, t, y + at.cell_h / 2,
             number == 0       ? tr("before")
             : moment.last     ? tr("after")
             : row.made_by < 0 ? tr("other values")
                               : std::string(),
             moment.newest ? Font::text_bold : Font::text, moment.newest ? t.ink : t.ink2);
  const auto values = [&](bool briefly) {
    std::vector<std::string> out;
    for (const LaneRows::LaneValue& l : row.lanes)
      if (l.known) out.push_back(lane_words(l, briefly));
    return out;
  };
  const CellStyle style = fit(pen, t, values, room, std::min(t.value(), at.cell_h * 0.8f));
  for (int lane = 0; lane < w.lanes; ++lane) {
    const Box box{at.x_of(lane) - at.cell_w / 2, y, at.cell_w, at.cell_h};
    const bool given = moment.reached && !moment.newest && row.gives_to >= 0 && w.gives(row.gives_to, lane);
    draw_register(pen, t, row.lanes[size_t(lane)], moment, given, lane == w.followed, style, box);
    hit_lane(pen, v, w, number, lane, box, moment.reached);
  }
  return moment.reached && std::ranges::any_of(row.lanes, [&](const LaneRows::LaneValue& l) {
           return l.known && !style.has_room(pen, lane_words(l, style.brief));
         });
}

void draw_lane_numbers(Pen& pen, const Theme& t, const WarpLanes& w, const LanesLayout& at, float y) {
  const float size = t.small(), need = pen.width("31", size, Font::mono) + t.px(4);
  draw_label(pen, t, y, tr("lane"), Font::text, t.ink3);
  const int every = label_stride(at.pitch, need, w.lanes);
  for (int lane = 0; lane < w.lanes; lane += every) {
    const bool followed = lane == w.followed;
    pen.text({at.x_of(lane), y}, std::to_string(lane), size, followed ? t.ink : t.ink3,
             followed ? Font::mono_bold : Font::mono, Align::centre);
  }
}

/// What is out of view, what is left out, where the results go, and what dots mean. What has no room is left
/// out whole: first what is left out anyway, then how to go on.
std::string words_below(const Pen& pen, const Theme& t, const StepView& v, const WarpLanes& w,
                        const LanesLayout& at, bool dots, float room) {
  std::vector<std::string> parts;
  const bool more = at.exchanges < w.count();
  if (more)
    parts.push_back(tr("exchanges {} to {} of {}; press , or . to see the others", at.first_exchange + 1,
                       at.first_exchange + at.exchanges, w.exchanges.size()));
  if (w.idle > 0)
    parts.push_back(tr_count(w.idle, "{} shuffle that reaches beyond the warp is left out",
                             "{} shuffles that reach beyond the warp are left out"));
  if (std::string stores = stores_of_lanes(v, w); !stores.empty()) parts.push_back(std::move(stores));
  if (dots) parts.push_back(tr("dot: a longer number"));
  const auto wide = [&] { return pen.width(joined(parts, tr("; ")), t.label()) > room; };
  if (w.idle > 0 && wide()) parts.erase(parts.begin() + more);
  if (more && wide())
    parts[0] = tr("exchanges {} to {} of {}", at.first_exchange + 1, at.first_exchange + at.exchanges,
                  w.exchanges.size());
  while (parts.size() > 1 && wide()) parts.erase(parts.begin());
  return joined(parts, tr("; "));
}

void draw_foot(Pen& pen, const Theme& t, const StepView& v, const WarpLanes& w, const LanesLayout& at,
               bool dots) {
  const float size = t.label(), room = at.width - margin(t) - at.left;
  float y = at.row_y.back() + at.cell_h + t.small() * 0.6f + t.px(4);
  draw_lane_numbers(pen, t, w, at, y);
  const std::string words = words_below(pen, t, v, w, at, dots, room);
  y += t.small() * 0.6f + t.px(2) + size * 0.65f;
  if (!words.empty())
    name_in(pen, {at.left, y - size * 0.6f, room, size * 1.2f}, words, size,
            t.projector() ? size : size * 0.8f, t.ink2);
}

}  // namespace

void draw_lanes(Pen& pen, const Theme& t, const ArrayGrid& grid, const StepView& v, const WarpLanes& w,
                float y) {
  const LanesLayout at = lanes_layout(t, grid, w, y + t.px(v.threads > warp_size ? 0 : 5));
  bool dots = false;
  for (size_t k = 0; k < at.rows(); ++k) {
    if (k > 0 && w.held.rows[at.first + k].made_by >= 0) draw_exchange(pen, t, v, w, at, k);
    dots = draw_row_of_registers(pen, t, v, w, at, k) || dots;
  }
  draw_foot(pen, t, v, w, at, dots);
}

}  // namespace bscope
