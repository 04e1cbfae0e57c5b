#include "app/tabs/memory/picture.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "app/draw/cells.hpp"
#include "app/draw/charts.hpp"
#include "app/draw/layout.hpp"
#include "app/draw/text.hpp"
#include "app/draw/theme.hpp"
#include "app/draw/upright.hpp"
#include "app/parts/requests.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/engine_copies.hpp"
#include "engine/analysis/request_choice.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/touched_lines.hpp"
#include "engine/trace/cell_ref.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

/// Bytes asked for and bytes moved, as two bars on one scale.
LayoutNode moved_bars(const RequestSheet& s, int asked, int moved, int most, Colour own) {
  const Theme& t = s.t;
  Table bars{.gap = t.gap(), .least_row = t.label() * 1.7f};
  bars.heads = {LayoutNode{}, space(0).grows(), LayoutNode{}};
  for (LayoutNode& f : bars.heads) f.drawn = nullptr;
  const auto bar = [&](const std::string& name, int bytes) {
    bars.rows.push_back(
        {line({name}, s.label(t.ink2)),
         tally({.parts = {{std::min(asked, bytes), own}, {bytes - std::min(asked, bytes), t.conflict}},
                .most = most,
                .blocks = false}),
         line({tr("{} bytes", grouped(bytes))}, s.label(t.ink, Align::right, Font::mono_bold))});
  };
  bar(tr("asked"), asked);
  bar(tr("moved"), moved);
  return table(std::move(bars));
}

/// The sectors of the lines that are touched; unrequested ones are empty.
LayoutNode sector_row(const RequestSheet& s, const std::vector<TouchedLine>& lines,
                      const CellColumns& columns, Colour own) {
  Cells row{
      .columns = columns, .tallest = 20, .wide = true, .rows = {{.words = {tr("sectors")}}}, .lined = true};
  for (const TouchedLine& line : lines) {
    const int at = int(row.cells.size());
    row.groups.push_back({at, at + sectors_of_line});
    for (const auto& sector : line.sectors)
      row.cells.push_back(sector.lanes.empty() ? Cells::GridCell{.edge = s.t.line}
                                               : Cells::GridCell{.fill = own});
  }
  return cells(std::move(row));
}

/// Below each sector its eight words: asked for, or moved for nothing. The whole column says what it is.
LayoutNode bytes_of_sectors(const RequestSheet& s, const std::vector<TouchedLine>& lines,
                            const CellColumns& columns, Colour own, const std::string& prefix) {
  constexpr int words = 8;
  Cells bytes{
      .columns = columns, .tallest = 24, .lowest = 1, .wide = true, .rows = {{{tr("bytes")}, words / 2}}};
  bytes.cells.resize(size_t(columns.count * words));
  for (size_t k = 0; k < lines.size(); ++k) {
    bytes.groups.push_back(
        {int(k) * sectors_of_line, int(k + 1) * sectors_of_line, grouped(lines[k].line * line_bytes)});
    for (int i = 0; i < sectors_of_line; ++i) {
      const auto& sector = lines[k].sectors[i];
      const int at = int(k) * sectors_of_line + i;
      for (int b = 0; b < words && !sector.lanes.empty(); ++b) {
        // a word asked for whole or not at all is one piece, else each of its bytes
        const uint32_t wanted = sector.asked >> (4 * b) & 0xf;
        const int pieces = wanted == 0 || wanted == 0xf ? 1 : 4;
        for (int p = 0; p < pieces; ++p)
          bytes.cells[size_t(b * columns.count + at)].parts.push_back(
              wanted >> p & 1 ? own : mix(s.t.conflict, s.t.panel, 0.45f));
      }
      const uint32_t number = lines[k].line * sectors_of_line + uint32_t(i);
      bytes.hits.push_back(
          {.what = HitRegion::other,
           .box = {},
           .tip = sector.lanes.empty()
                      ? tr("Sector {}: no lane asks for it, so it is not moved.", number)
                      : tr("Sector {} (bytes {} to {}): {} of its 32 bytes are asked for, by {} lanes.",
                           number, number * sector_bytes, number * sector_bytes + sector_bytes - 1,
                           std::popcount(sector.asked), sector.lanes.size()),
           .name = prefix + "sector " + std::to_string(number)});
    }
  }
  return cells(std::move(bytes));
}

LayoutNode lanes_to_sectors(const RequestSheet& s, const Looked& of, const WarpAccess& q,
                            const std::string& name, const std::string& prefix, int most_bytes) {
  const Theme& t = s.t;
  const std::vector<TouchedLine> lines = touched_lines(q);
  const int n = int(lines.size()), asked = asked_bytes(lines), moved = q.sectors * sector_bytes;
  const Colour own = role(t, q.op);
  const CellColumns lanes{.names = {tr("lanes"), tr("sectors"), tr("bytes")}};
  // lines side by side, few of them in the middle; those that are not neighbours in memory stand apart
  CellColumns sectors{.count = n * sectors_of_line, .widest = 64, .names = lanes.names, .centred = true};
  sectors.before.assign(size_t(sectors.count), 0);
  std::map<uint32_t, int> place;
  for (int k = 0; k < n; ++k) {
    const uint32_t number = lines[size_t(k)].line;
    place[number] = k * sectors_of_line;
    const bool neighbour = k && number == lines[size_t(k - 1)].line + 1;
    if (k) sectors.before[size_t(k * sectors_of_line)] = n > 40 ? 1 : neighbour ? 4 : n > 12 ? 5 : 16;
  }
  std::vector<LaneLink> falls;
  for (const auto& lane : q.lanes) {
    const uint32_t end = lane.address + uint32_t(std::max(1, lane.bytes));
    for (uint32_t b = lane.address / sector_bytes; b * sector_bytes < end; ++b) {
      const uint32_t from = std::max(lane.address, b * sector_bytes),
                     to = std::min(end, (b + 1) * sector_bytes);
      const float within = (float(from + to) / 2 - float(b * sector_bytes)) / sector_bytes;
      falls.push_back(
          {lane.lane, float(place.at(b / sectors_of_line) + int(b % sectors_of_line)) + within, own});
    }
  }
  const int percent = moved ? int(std::lround(100.0 * asked / moved)) : 100;
  return panel(column(
      t.close(),
      {heading(s, name, source_line(*of.run, q), q.sectors, q.sectors == 1 ? tr("sector") : tr("sectors"),
               s.verdict(q)),
       column(0, {lane_row(s, of, q, lanes, prefix), falling(s, q, falls, lanes, sectors),
                  sector_row(s, lines, sectors, own)})
           .grows(),
       bytes_of_sectors(s, lines, sectors, own, prefix),
       moved_bars(s, asked, moved, most_bytes, own).gives(2),
       line({n == 1 ? tr("sectors: {} in one line of 128 bytes, {} at best; {}% of what comes is asked for",
                         q.sectors, q.ideal_sectors, percent)
                    : tr("sectors: {} in {} lines of 128 bytes, {} at best; {}% of what comes is asked for",
                         q.sectors, n, q.ideal_sectors, percent),
             tr("sectors: {}, {} at best; {}% asked for", q.sectors, q.ideal_sectors, percent)},
            s.label(t.ink))}));
}

/// A bulk copy: one thread requests it, no thread waits, whole sectors come.
LayoutNode copy_form(const RequestSheet& s) {
  const Theme& t = s.t;
  const EngineCopy& c = *s.copy;
  const float size = t.px(17, 26);
  const auto part = [&](const std::string& what, const std::string& does, Colour colour) {
    return panel(column(t.close(), {line({what}, {size, t.ink, Font::text_bold, Align::centre, true}),
                                    line({does}, {t.label(), t.ink2, Font::text, Align::centre, true})}),
                 colour);
  };
  const LayoutNode tells = c.from.shared() ? part(tr("bulk group"), tr("await_bulk waits for it"), t.write)
                                           : part(tr("mbarrier"), tr("tells who waits"), t.write);
  // the cells, from and to
  const auto memory = [&](CellRef p, Colour colour) {
    const ArrayInfo& a = s.run().trace.array(s.run().trace.launches[size_t(c.launch)], p.array);
    Cells row{.columns = {.count = std::max(1, c.sectors), .widest = 1e6f}, .tallest = 24, .wide = true};
    row.cells.assign(size_t(row.columns.count), {.fill = colour});
    LineLook look = s.label(t.ink);
    look.cut = true;
    return column(t.close(),
                  {line({(p.shared() ? tr("shared memory") : tr("global memory")) + "  " + a.name + "[" +
                         std::to_string(p.index) + ".." + std::to_string(p.index + c.cells - 1) + "]"},
                        look),
                   cells(std::move(row))});
  };
  return panel(column(
      t.apart(),
      {heading(s, tr("Bulk copy by the copy engine"), "", c.sectors,
               c.sectors == 1 ? tr("sector") : tr("sectors"), t.dark() ? t.thread : t.ink),
       // who asks, who works, what moves
       shares(t.close(), {{1, part(tr("thread {}", c.thread), tr("asks once, in line {}", c.line), t.thread)},
                          {0.12f, arrow(t.ink2)},
                          {1, part(tr("copy engine"), tr("{} bytes", grouped(c.bytes)), t.barrier)},
                          {0.12f, arrow(t.ink2)},
                          {1, tells}}),
       memory(c.from, t.read), memory(c.to, t.write), space(0).grows(),
       line({tr("No lane holds these bytes in a register, and no warp stalls: threads wait at the "
                "mbarrier only when they need them."),
             tr("No register holds them; no warp stalls.")},
            s.label(t.ink))}));
}

void explain(const RequestSheet& s, const WarpAccess& q, const std::string& name, Text& out) {
  const Theme& t = s.t;
  const auto lines = touched_lines(q);
  const bool wasteful = q.sectors > q.ideal_sectors;
  const int asked = asked_bytes(lines), moved = q.sectors * sector_bytes;
  const auto piece = [&](std::string_view words, Colour colour, Font f = Font::text) {
    out.push_back({std::string(words), colour, f});
  };
  if (!name.empty()) piece(name + " ", t.ink, Font::text_bold);
  long step = 0;
  bool even = q.lanes.size() > 1;
  if (even) {
    step = (long(q.lanes[1].address) - long(q.lanes[0].address)) / (q.lanes[1].lane - q.lanes[0].lane);
    for (const auto& lane : q.lanes)
      even = even && long(lane.address) - long(q.lanes[0].address) == step * (lane.lane - q.lanes[0].lane);
  }
  if (even && step == q.lanes[0].bytes)
    piece(tr("Neighbouring lanes ask for neighbouring bytes: coalesced. "), t.ink);
  else if (even && step == 0)
    piece(tr("All lanes ask for the same bytes: one sector serves them all. "), t.ink);
  else if (even)
    piece(tr("Neighbouring lanes ask for bytes that lie {} apart. ", std::labs(step)), t.ink);
  else if (q.lanes.size() > 1)
    piece(tr("The lanes' addresses follow no even step. "), t.ink);
  piece(tr("Memory hands out whole sectors of 32 bytes: "), t.ink);
  piece(moved == asked ? tr("{} bytes move, all of them asked for. ", grouped(moved))
                       : tr("{} bytes move where {} are asked for. ", grouped(moved), grouped(asked)),
        s.verdict(q), Font::text_bold);
  if (wasteful && even && step > q.lanes[0].bytes && s.scene.shows_future)  // a lesson asks for it
    piece(tr("The fix: let neighbouring lanes take neighbouring elements. "), t.ink);
  else if (wasteful && even && step == q.lanes[0].bytes)
    piece(tr("They begin in the middle of a sector; aligned to 32 bytes, {} would do. ", q.ideal_sectors),
          t.ink);
  if (is_atomic(q.op))
    piece(tr("Atomics are done in the L2 cache, one after the other on each word. "), t.ink);
}

Text reason(const RequestSheet& s) {
  Text out;
  if (s.copy) {
    out.push_back(
        {s.copy->sectors == 1
             ? tr("An asynchronous copy is no warp's request: one thread asks, the engine moves {} bytes as "
                  "one whole sector, and the lanes go on meanwhile.",
                  grouped(s.copy->bytes))
             : tr("An asynchronous copy is no warp's request: one thread asks, the engine moves {} bytes as "
                  "{} whole sectors, and the lanes go on meanwhile.",
                  grouped(s.copy->bytes), grouped(s.copy->sectors)),
         s.t.ink});
    return out;
  }
  if (!s.request) return out;
  explain(s, *s.request, s.request_beside ? tr("Yours:") : std::string(), out);
  if (s.request_beside) explain(s, *s.request_beside, tr("Side by side:"), out);
  return out;
}

std::vector<Text> reasons(const RequestSheet& s) {
  Text alone;
  if (s.request && !s.copy) explain(s, *s.request, {}, alone);
  return shorter_and_shorter(reason(s), std::move(alone));
}

}  // namespace

Picture memory_view(const RequestScene& scene, const Theme& t, const Metrics& metrics, float w, float h) {
  const Run& run = *scene.here.run;
  const auto upon = [&](float share, LayoutNode above, LayoutNode below) {
    return picture_of(floors(t.gap(), {{share, std::move(above)}, {1 - share, std::move(below)}}), t, metrics,
                      w, h);
  };
  if (steps(run) == 0) return picture_of({}, t, metrics, w, h);
  const bool narrow = is_upright(t, w, h);
  const auto upright = [&](std::vector<std::pair<float, LayoutNode>> parts) {
    return picture_of(floors(t.gap(), std::move(parts)), t, metrics, w, h);
  };
  const RequestSheet s = sheet(t, scene, MemorySpace::global);
  if (!s.request && !s.copy)
    return upon(0.34f,
                nothing_form(s, tr("No thread touches global memory in this step ({}).", shown_phase(s)),
                             tr("Go to another step: the bars below show where the sectors are.")),
                totals_form(s));
  const LayoutNode requests = requests_form(s, reasons(s));
  if (!s.copy && s.request_beside) {
    const int most = std::max(s.request->sectors, s.request_beside->sectors) * sector_bytes;
    const LayoutNode pattern = lanes_to_sectors(s, scene.here, *s.request,
                                                tr("Your pattern in global memory"), "", most),
                     coalesced = lanes_to_sectors(s, *scene.beside, *s.request_beside,
                                                  tr("Side by side: coalesced"), "beside ", most);
    if (narrow) return upright({{1, pattern}, {1, coalesced}, {1, requests}, {0.8f, sweep_form(s)}});
    return upon(0.6f, shares(t.gap(), {{1, pattern}, {1, coalesced}}),
                shares(t.gap(), {{1, sweep_form(s)}, {1, requests}}));
  }
  const LayoutNode shown =
      s.copy ? copy_form(s)
             : lanes_to_sectors(s, scene.here, *s.request,
                                tr("Warp {}, {}", s.request->warp, request_name(run, *s.request)), "",
                                s.request->sectors * sector_bytes);
  if (narrow) return upright({{1, shown}, {1, requests}, {0.8f, totals_form(s)}});
  return upon(0.64f, shares(t.gap(), {{t.projector() ? 1.27f : 1.22f, shown}, {1, requests}}),
              totals_form(s));
}

}  // namespace bscope
