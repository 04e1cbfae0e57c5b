#include "app/tabs/banks/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/draw/cells.hpp"
#include "app/draw/controls.hpp"
#include "app/draw/layout.hpp"
#include "app/draw/text.hpp"
#include "app/draw/theme.hpp"
#include "app/draw/upright.hpp"
#include "app/parts/requests.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/bank_slots.hpp"
#include "engine/analysis/request_choice.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

std::string formula(const StraightWords& f) {
  std::string s = f.step == 0 ? "" : f.step == 1 ? "t" : std::to_string(f.step) + "t";
  if (s.empty()) return std::to_string(f.start);
  if (f.start) s += (f.start > 0 ? " + " : " - ") + std::to_string(std::labs(f.start));
  return s;
}

constexpr float map_row = 12;  // height, before scaling

/// The first row of 32 words that is asked for, and how many there are up to the last.
std::pair<int, int> rows_of_map(const std::vector<BankSlot>& slots) {
  if (slots.empty()) return {};
  const auto [least, most] = std::ranges::minmax(slots, {}, &BankSlot::word);
  const int first = int(least.word / bank_count);
  return {first, int(most.word / bank_count) - first + 1};
}

/// Shared memory as rows of 32 words under the banks: requested words, and words that are never used. So many
/// rows of it.
LayoutNode map_of_words(const RequestSheet& s, const Looked& of, const WarpAccess& q,
                        const std::vector<BankSlot>& slots, const CellColumns& banks, int first, int rows,
                        int all) {
  const Theme& t = s.t;
  const ArrayInfo& array = of.run->trace.array(of.run->trace.launches[size_t(q.launch)], q.array);
  const std::vector<bool> touched = touched_words(*of.run, q);
  const uint32_t begin = uint32_t(array.offset) / bank_bytes,
                 end = begin + uint32_t(array.size * bytes_of(array.kind)) / bank_bytes;
  Cells map{.columns = banks, .tallest = map_row};
  map.cells.assign(size_t(rows * bank_count), {.fill = t.cell});
  bool unused = false, waits = false;
  for (size_t k = 0; k < map.cells.size(); ++k) {
    const size_t w = size_t(first * bank_count) + k;
    if (w < begin || w >= end || w >= touched.size() || touched[w]) continue;
    map.cells[k].hatch = t.ink3;
    unused = true;
  }
  for (const BankSlot& slot : slots) {
    waits |= slot.excess;
    if (const size_t k = slot.word - size_t(first * bank_count); k < map.cells.size())
      map.cells[k] = {.fill = slot.excess ? t.conflict : role(t, q.op)};
  }
  const auto named = [&](int row) {
    map.rows.push_back({{std::to_string((first + row) * bank_count)}, row, Cells::RowName::number});
  };
  named(0);
  named(rows - 1);
  for (int row = 8; row < rows; row += 8) named(row);
  std::vector<Meaning> meanings{{tr("a word that a lane asks for"), role(t, q.op)}};
  if (waits) meanings.push_back({tr("one that waits for its bank"), t.conflict});
  if (unused) meanings.push_back({tr("never used: padding"), t.cell, t.ink3});
  LineLook look = s.label(t.ink, Align::left, Font::text_bold);
  return column(t.close(),
                {line({rows < all ? tr("Where these words lie: the first {} of {} rows of 32", rows, all)
                                  : tr("Where these words lie, in rows of 32"),
                       tr("Rows of 32 words")},
                      look),
                 cells(std::move(map)), legend(std::move(meanings))});
}

LayoutNode banks_row(const RequestSheet& s, const WarpAccess& q, const std::vector<BankSlot>& slots,
                     const CellColumns& columns, const std::string& prefix) {
  const Theme& t = s.t;
  int words[bank_count] = {};
  bool crowded[bank_count] = {};
  for (const BankSlot& slot : slots) ++words[slot.bank], crowded[slot.bank] |= slot.excess;
  Cells row{.columns = columns, .rows = {{.words = {tr("banks")}}}};
  for (int k = 0; k < bank_count; ++k)
    row.cells.push_back(
        {.fill = crowded[k] ? t.conflict
                 : words[k] ? role(t, q.op)
                            : t.cell,
         .edge = words[k] ? 0 : t.line,
         .words = std::to_string(k),
         .ink = words[k] ? 0 : t.ink2,
         .hit = {.what = HitRegion::other,
                 .box = {},
                 .tip = words[k] == 0   ? tr("Bank {} is not asked: its turn goes unused.", k)
                        : words[k] == 1 ? tr("Bank {} is asked for one word.", k)
                                        : tr("Bank {} is asked for {} words, and hands out one a wavefront.",
                                             k, words[k]),
                 .name = prefix + "bank " + std::to_string(k)}});
  return cells(std::move(row));
}

/// What the banks hand out in each wavefront.
Cells wavefronts(const RequestSheet& s, const WarpAccess& q, const std::vector<BankSlot>& slots,
                 const CellColumns& columns, const std::string& prefix) {
  const Theme& t = s.t;
  const int rows = std::max(1, q.wavefronts), some = std::max(1, rows / 4);
  // many wavefronts get low before the lines to the banks and their row have no room
  Cells all{.columns = columns,
            .tallest = rows <= 4 ? 17.0f : 26.0f,
            .lowest = t.projector() ? std::min(4.0f, 36.0f / float(rows)) : 4.0f,
            .wide = true,
            .rule = q.ideal};
  all.cells.assign(size_t(rows * bank_count), {.edge = mix(t.line, t.panel, 0.7f)});
  int words[bank_count] = {};
  for (const BankSlot& slot : slots) {
    ++words[slot.bank];
    const size_t lanes = slot.lanes.size();
    std::string who;
    for (size_t k = 0; k < lanes && k < 4; ++k) who += (k ? tr(", ") : "") + std::to_string(slot.lanes[k]);
    if (lanes > 4) who += tr(", ") + "...";
    Cells::GridCell& cell = all.cells[size_t(slot.wavefront * bank_count + slot.bank)];
    cell = {
        .fill = slot.excess ? t.conflict : role(t, q.op),
        // one word for several lanes is handed out once
        .words = lanes > 1 ? std::to_string(lanes) : "",
        .mark = t.thread,
        .hit = {.what = HitRegion::other,
                .box = {},
                .tip = lanes > 1
                           ? tr("Wavefront {}: word {}, handed to {} lanes at once ({}).", slot.wavefront + 1,
                                slot.word, lanes, who)
                           : tr("Wavefront {}: word {}, for lane {}.", slot.wavefront + 1, slot.word, who),
                .name = prefix + "slot " + std::to_string(slot.bank) + " " + std::to_string(slot.wavefront)}};
  }
  all.rows.push_back({{tr("ideal {}", q.ideal), std::to_string(q.ideal)}, q.ideal - 1, Cells::RowName::main});
  const auto named = [&](int row) {
    if (row >= q.ideal) all.rows.push_back({{std::to_string(row + 1)}, row, Cells::RowName::number});
  };
  named(rows - 1);
  for (int row = some - 1; row < rows; row += some) named(row);
  // some who wait, beside the most crowded bank
  const int worst = int(std::max_element(words, words + bank_count) - words);
  for (const BankSlot& slot : slots)
    if (const int r = slot.wavefront; slot.excess && slot.bank == worst && !t.projector() &&
                                      (rows <= 4 || r + 1 == rows || (r + 1) % some == 0))
      all.notes.push_back({r, worst, tr("lane {} waits {}", slot.lanes[0], r), t.conflict});
  return all;
}

/// `twin`: the one beside it, if any: what is above the wavefronts stands at one height in both.
LayoutNode lanes_to_banks(const RequestSheet& s, const Looked& of, const WarpAccess& q,
                          const std::string& name, const std::string& prefix,
                          const WarpAccess* twin = nullptr) {
  const Theme& t = s.t;
  const std::vector<BankSlot> slots = bank_slots(q);
  const CellColumns columns{.count = bank_count,
                            .names = {tr("lanes"), tr("banks"), tr("ideal {}", q.ideal)}};
  std::vector<LaneLink> lines;
  bool broadcast = false;
  for (const BankSlot& slot : slots) {
    broadcast |= slot.lanes.size() > 1;
    for (const int lane : slot.lanes)
      lines.push_back({lane, float(slot.bank) + 0.5f, slot.excess ? t.conflict : role(t, q.op)});
  }
  const int used = int(slots.size()), all = std::max(1, q.wavefronts) * bank_count;
  const int percent = int(std::lround(100.0 * used / all));
  const std::string sum = tr("{} of {} bank slots used: {}% of shared memory's bandwidth in that time",
                             grouped(used), grouped(all), percent);
  std::vector<std::string> sums{sum,
                                tr("{} of {} bank slots used: {}%", grouped(used), grouped(all), percent)};
  if (broadcast) sums.insert(sums.begin(), sum + tr("; numbers in slots: lanes that share one word"));

  LayoutNode map;
  if (!t.projector() && !slots.empty()) {
    const auto [first, lines_of_map] = rows_of_map(slots);
    const auto map_of = [&, first = first, lines_of_map = lines_of_map](int rows) {
      return map_of_words(s, of, q, slots, columns, first, rows, lines_of_map);
    };
    map = map_of(std::min(lines_of_map, 32)).gives(1);
    for (const int rows : {16, 8, 5, 3})
      if (rows < lines_of_map) map.or_else(map_of(rows));
  }
  const LayoutNode handed_out = cells(wavefronts(s, q, slots, columns, prefix));
  // as high as what the twin has more of
  LayoutNode beside;
  if (twin) {
    const std::vector<BankSlot> others = bank_slots(*twin);
    const int more = map.empty() ? 0 : rows_of_map(others).second - rows_of_map(slots).second;
    const LayoutNode other = cells(wavefronts(s, *twin, others, columns, {}));
    beside.height = [handed_out, other, more](const DrawContext& p, float w) {
      return std::max(0.0f, other.height_at(p, w) - handed_out.height_at(p, w)) +
             std::max(0.0f, float(more) * p.t.px(map_row));
    };
    beside.low = [](const DrawContext&, float) { return 0.0f; };
  }
  return panel(column(
      t.close(), {heading(s, name, source_line(*of.run, q), q.wavefronts,
                          q.wavefronts == 1 ? tr("wavefront") : tr("wavefronts"), s.verdict(q)),
                  column(0, {lane_row(s, of, q, columns, prefix), falling(s, q, lines, columns, columns),
                             banks_row(s, q, slots, columns, prefix)})
                      .grows(),
                  handed_out, line(std::move(sums), s.label(t.ink)), std::move(map), std::move(beside)}));
}

/// Why so many wavefronts: from the addresses.
void explain(const RequestSheet& s, const WarpAccess& q, bool padded, Text& out) {
  const Theme& t = s.t;
  const auto slots = bank_slots(q);
  const bool conflict = q.wavefronts > q.ideal;
  const Colour c = s.verdict(q);
  const auto piece = [&](std::string_view words, Colour colour, Font f = Font::text) {
    out.push_back({std::string(words), colour, f});
  };
  if (padded) piece(tr("Padded: "), t.ink, Font::text_bold);
  const auto fit = straight_words(q);
  if (fit && fit->step != 0) {
    piece(tr("Lane t asks for word "), t.ink);
    piece(formula(*fit), t.ink, Font::mono_bold);
    piece(tr(", in bank "), t.ink);
    piece("(" + formula(*fit) + ") mod 32", c, Font::mono_bold);
    piece(tr(". "), t.ink);
  }
  std::map<int, std::vector<uint32_t>> words_in;
  size_t sharing = 0;
  for (const BankSlot& slot : slots) {
    words_in[slot.bank].push_back(slot.word);
    if (slot.lanes.size() > 1) sharing += slot.lanes.size();
  }
  if (conflict) {
    const auto worst = std::max_element(words_in.begin(), words_in.end(), [](const auto& a, const auto& b) {
      return a.second.size() < b.second.size();
    });
    std::string list;
    for (size_t k = 0; k < worst->second.size() && k < 3; ++k)
      list += (k ? tr(", ") : "") + std::to_string(worst->second[k]);
    if (worst->second.size() > 3) list += tr(", ") + "...";
    piece(tr("Bank {} holds {} of the {} words asked for ({}) and hands out one a wavefront: ", worst->first,
             worst->second.size(), slots.size(), list),
          t.ink);
    piece(tr("{} instead of {}. ", q.wavefronts, q.ideal), t.conflict, Font::text_bold);
  } else {
    piece(tr("No bank is asked for more than its share: these are the fewest wavefronts there can be. "),
          t.ink);
  }
  if (const int group = lanes_of_pass(q); group < 32 && q.wavefronts > 1)
    piece(group == 16 ? tr("With 8 bytes a lane the warp goes in halves. ")
                      : tr("With 16 bytes a lane the warp goes in quarters. "),
          t.ink);
  if (sharing)
    piece(tr("{} lanes share a word with others, which is handed to all of them at once. ", sharing), t.ink);
  if (is_atomic(q.op) && sharing) piece(tr("Atomics on one word still queue: see the tab Atomics. "), t.ink);
}

Text reason(const RequestSheet& s) {
  Text out;
  if (!s.request) return out;
  explain(s, *s.request, false, out);
  if (s.request_beside) {
    explain(s, *s.request_beside, true, out);
  } else if (s.request->wavefronts > s.request->ideal && !s.scene.beside && s.scene.shows_future) {
    // a lesson asks for it
    const WarpAccess& q = *s.request;
    const int with_padding = wavefronts_if_padded(s.run(), q);
    if (with_padding < q.wavefronts) {
      const Trace& trace = s.run().trace;
      const Launch& launch = trace.launches[size_t(q.launch)];
      const bool tile = is_tile(trace, launch, q.array);
      const ArrayInfo& array = trace.array(launch, q.array);
      out.push_back(
          {tile ? tr("The fix: one more column, ") : tr("The fix: an unused word after each 32, "), s.t.ink});
      out.push_back({array_name(s.run(), q) +
                         (tile ? fmt::format("[{}][{}]", array.rows, array.row_size() + 1) : "[i + i/32]"),
                     s.t.ink, Font::mono_bold});
      out.push_back({with_padding == 1 ? tr(", would leave 1 wavefront.")
                                       : tr(", would leave {} wavefronts.", with_padding),
                     s.t.ink});
    }
  }
  return out;
}

std::vector<Text> reasons(const RequestSheet& s) {
  Text alone;
  if (s.request) explain(s, *s.request, false, alone);
  return shorter_and_shorter(reason(s), std::move(alone));
}

std::string name_of(const RequestSheet& s, const Run& run, const WarpAccess& q, bool beside) {
  if (s.scene.beside) return std::string(beside ? tr("With padding") : tr("No padding"));
  if (s.scene.pattern) return tr("Your pattern in shared memory");
  return tr("Warp {}, {}", q.warp, request_name(run, q));
}

}  // namespace

Picture banks_view(const RequestScene& scene, const Theme& t, const Metrics& metrics, float w, float h) {
  const Run& run = *scene.here.run;
  const auto upon = [&](float share, LayoutNode above, LayoutNode below) {
    return picture_of(floors(t.gap(), {{share, std::move(above)}, {1 - share, std::move(below)}}), t, metrics,
                      w, h);
  };
  if (steps(run) == 0) return picture_of({}, t, metrics, w, h);
  const RequestSheet s = sheet(t, scene, MemorySpace::shared);
  const LayoutNode below = scene.pattern ? sweep_form(s) : totals_form(s);
  if (!s.request) {
    const bool any =
        std::ranges::any_of(run.trace.launches, [](const Launch& l) { return !l.shared.empty(); });
    return upon(
        0.34f,
        any ? nothing_form(s, tr("No thread touches shared memory in this step ({}).", shown_phase(s)),
                           tr("Go to another step: the bars below show where the wavefronts are."))
            : nothing_form(s, tr("This kernel uses no shared memory, so no bank is asked."),
                           tr("What it asks of global memory is in the tab Memory. Or play with an access "
                              "pattern of your own.")),
        below);
  }
  const WarpAccess& q = *s.request;
  const WarpAccess* const other = s.request_beside;
  const LayoutNode requests = requests_form(s, reasons(s)),
                   lanes = lanes_to_banks(s, scene.here, q, name_of(s, run, q, false), "", other);
  const LayoutNode padded = !other
                                ? LayoutNode{}
                                : lanes_to_banks(s, *scene.beside, *other,
                                                 name_of(s, *scene.beside->run, *other, true), "padded ", &q);
  if (is_upright(t, w, h)) {
    std::vector<std::pair<float, LayoutNode>> parts = {{1, lanes}, {1, requests}, {0.8f, below}};
    if (other) parts.insert(parts.begin() + 1, {1, padded});
    return picture_of(floors(t.gap(), std::move(parts)), t, metrics, w, h);
  }
  if (!other)
    return upon(t.projector() ? 0.72f : 0.64f,
                shares(t.gap(), {{t.projector() ? 1.27f : 1.22f, lanes}, {1, requests}}), below);
  return upon(0.6f, shares(t.gap(), {{1, lanes}, {1, padded}}), shares(t.gap(), {{1, below}, {1, requests}}));
}

}  // namespace bscope
