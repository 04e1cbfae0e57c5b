// The panels that Banks and Memory share.
#include <algorithm>
#include <cmath>

#include "app/draw/cells.hpp"
#include "app/draw/charts.hpp"
#include "app/parts/requests.hpp"
#include "app/session/state.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/places.hpp"

namespace bscope {
namespace {

std::string unit(MemorySpace space, long n) {
  if (space == MemorySpace::shared)
    return n == 1 ? tr("{} wavefront", grouped(n)) : tr("{} wavefronts", grouped(n));
  return n == 1 ? tr("{} sector", grouped(n)) : tr("{} sectors", grouped(n));
}

/// Between the open kernel and a pattern; and whether the padded twin stands beside.
LayoutNode switches(const RequestSheet& s) {
  const auto play = [of = s.scene.of](bool on) {
    return [of, on](LoadedState& to, float) { of(to).playing = on; };
  };
  const bool playing = s.scene.pattern.has_value();
  const LayoutNode either =
      choices({{.name = "kernel",
                .label = tr("Kernel"),
                .tip = tr("Look at the requests of the open kernel."),
                .on = !playing,
                .does = play(false)},
               {.name = "pattern",
                .label = tr("Pattern"),
                .tip = tr("Play with an access pattern of your own, run as a real kernel."),
                .on = playing,
                .does = play(true)}});
  if (s.t.printed) return {};
  LayoutNode all = either;
  if (s.scene.twin)
    all =
        row(s.t.gap(), {button({.name = "beside",
                                .label = tr("Padded"),
                                .tip = tr("Show the padded twin beside, on the same input at the same step."),
                                .on = *s.scene.twin,
                                .does = s.scene.turn_twin}),
                        either});
  all.least = all.wanted;  // the title beside them is said shorter before they are cut
  return all;
}

LayoutNode sliders(const RequestSheet& s) {
  std::vector<LayoutNode> rows;
  const auto& all = s.scene.sliders;
  for (size_t k = 0; k < all.size(); k += 2)
    rows.push_back(shares(
        s.t.px(24), {{1, slider(all[k])}, {1, k + 1 < all.size() ? slider(all[k + 1]) : LayoutNode{}}}));
  return column(s.t.close(), std::move(rows));
}

/// One that can be chosen: a request, or a bulk copy.
struct RequestRow {
  int number = 0, line = 0, used = 0, ideal = 0;
  std::string words = {}, tip = {};
  Colour colour = 0;
  bool chosen = false;
  int beside = -1;  ///< answers of the same request of the run beside; -1: it has none
};

/// Those from which one can choose, around the one that is chosen.
struct Choices {
  std::vector<RequestRow> rows = {};
  int first = 0, count = 0;  ///< of all, the number of the first row; how many there are
  int most = 1;              ///< answers that any of all takes
};
constexpr int most_rows = 128;  ///< no screen has room for more

Choices choices_of(const RequestSheet& s) {
  const Run& run = s.run();
  std::vector<const WarpAccess*> requests = requests_at(run, s.scene.here.cursor, s.space);
  Choices all{.count = int(requests.size() + s.copies.size())};
  for (const WarpAccess* q : requests) all.most = std::max(all.most, answers(*q));
  for (const EngineCopy& e : s.copies) all.most = std::max(all.most, e.sectors);
  if (s.scene.by_cost) requests = costliest_first(std::move(requests));
  if (int(requests.size()) > most_rows) {
    const int chosen = int(std::ranges::find(requests, s.request) - requests.begin());
    all.first = std::clamp(chosen + 1 - most_rows, 0, int(requests.size()) - most_rows);
    requests = {requests.begin() + all.first, requests.begin() + all.first + most_rows};
  }
  for (const WarpAccess* q : requests) {
    RequestRow c{number_of(*q), q->line, answers(*q), fewest(*q)};
    c.words = tr("line {}  warp {}  {}", q->line, q->warp, request_name(run, *q));
    c.tip = s.space == MemorySpace::shared
                ? tr("{} wavefronts where {} would be the fewest.", c.used, c.ideal)
                : tr("{} sectors where {} would be the fewest.", c.used, c.ideal);
    if (q->occurrence)
      c.tip += tr(" Again: the line asks once more, for another operand or in another round of its loop.");
    c.colour = role(s.t, q->op);
    c.chosen = !s.copy && q == s.request;
    if (s.scene.beside) {
      const Looked& there = *s.scene.beside;
      if (const WarpAccess* o = same_request(run, s.scene.here.cursor, *q, *there.run, there.cursor))
        c.beside = answers(*o);
    }
    all.rows.push_back(std::move(c));
  }
  for (const EngineCopy& e : s.copies) {
    const auto name = [&](CellRef p) {
      return run.trace.array(run.trace.launches[size_t(e.launch)], p.array).name;
    };
    RequestRow c{e.node, e.line, e.sectors, e.sectors};
    c.words = tr("line {}  thread {}  bulk copy {} to {}", e.line, e.thread, name(e.from), name(e.to));
    c.tip = tr("The copy engine moves {} bytes by itself; no lane waits for them here.", e.bytes);
    c.colour = s.t.thread;
    c.chosen = &e == s.copy;
    all.rows.push_back(std::move(c));
  }
  return all;
}

LayoutNode list(const RequestSheet& s, const Choices& all) {
  const Theme& t = s.t;
  Table rows{.gap = t.px(10), .least_row = std::min(t.label() * 1.75f, t.px(34)), .squeezes = true};
  rows.heads = {space(0).at_most(0.62f), space(0).grows(), LayoutNode{}};
  for (LayoutNode& f : rows.heads) f.drawn = nullptr;
  for (const RequestRow& c : all.rows) {
    if (c.chosen) rows.chosen = int(rows.rows.size());
    const std::string second = !s.scene.beside ? grouped(c.ideal) : c.beside < 0 ? "-" : grouped(c.beside);
    rows.rows.push_back(
        {name(c.words,
              s.label(c.chosen ? t.ink : t.ink2, Align::left, c.chosen ? Font::text_bold : Font::text),
              t.projector() ? t.label() : t.label() * 0.8f),
         tally({.parts = {{std::min(c.used, c.ideal), c.colour}, {c.used - c.ideal, t.conflict}},
                .most = all.most}),
         line({grouped(c.used) + " / " + second}, s.label(t.ink, Align::right, Font::mono_bold))});
    rows.hits.push_back({.what = HitRegion::line,
                         .box = {},
                         .a = c.number,
                         .b = c.line,
                         .tip = c.tip,
                         .name = "request " + std::to_string(c.number),
                         .press = [of = s.scene.of, number = c.number](LoadedState& to, float) {
                           of(to).request = number;
                           to.cursor.substep = -1;
                           to.cursor.line = 0;  // its lines are requests, not source lines
                         }});
  }
  rows.more = [look = s.label(t.ink2), first = all.first, count = all.count](int from, int to) {
    const int left = count - (to - from), begin = first + from + 1, end = first + to;
    return line({begin == end ? tr("request {} of {}: {} more", begin, count, left)
                              : tr("requests {} to {} of {}: {} more", begin, end, count, left),
                 tr("{} more requests", left)},
                look);
  };
  return table(std::move(rows));
}

/// Above the list: what the two numbers are, and in which order it is.
LayoutNode columns_of(const RequestSheet& s) {
  const Theme& t = s.t;
  const bool by_cost = s.scene.by_cost;
  const std::string numbers = s.scene.beside ? tr("no padding / padded") : tr("taken / fewest"),
                    order = by_cost ? tr("the worst first") : tr("in their order");
  return pressed(
      line({tr("{}; {}", numbers, order), numbers},
           {.size = t.small(), .colour = t.ink2, .align = Align::right}),
      {.what = HitRegion::button,
       .box = {},
       .tip = by_cost ? tr("Those that waste most are at the top. Click for the order in which "
                           "they were made (S).")
                      : tr("In the order in which they were made. Click for those first that waste "
                           "most (S)."),
       .name = "sort",
       .press = [of = s.scene.of](LoadedState& to, float) { of(to).by_cost = !of(to).by_cost; }});
}

/// What the requests of the interval add up to.
std::vector<std::string> sum_of(const RequestSheet& s) {
  long ideal = 0;
  const long all = used_and_moved(s, size_t(step_of(s.run(), s.scene.here.cursor)), ideal);
  if (!all) return {""};
  if (!s.scene.beside)
    return {tr("{}, ideal {}", unit(s.space, all), grouped(ideal)), grouped(all) + " / " + grouped(ideal)};
  const Looked& there = *s.scene.beside;
  const std::string beside = grouped(used_by(*there.run, size_t(step_of(*there.run, there.cursor)), s.space));
  return {tr("{} against {} padded", unit(s.space, all), beside), grouped(all) + " / " + beside};
}

/// In letters as large as there is room for, then shorter.
LayoutNode why(const RequestSheet& s, const std::vector<Text>& reasons) {
  const float label = s.t.label(), most = s.t.why() * (s.t.projector() ? 0.72f : 1);
  LayoutNode form = text(reasons.front(), {.size = most});
  for (const float larger : {0.66f, 0.33f, 0.0f})
    form.or_else(text(reasons.front(), {.size = label + (most - label) * larger}));
  for (size_t k = 1; k < reasons.size(); ++k) form.or_else(text(reasons[k], {.size = label}));
  return std::move(form).gives(1);
}

/// What the whole run adds up to, and in short.
std::vector<std::string> whole_run(const RequestSheet& s) {
  const bool shared = s.space == MemorySpace::shared;
  if (s.scene.waits == RequestScene::counting) return {tr("whole run: being counted"), "..."};
  if (s.scene.waits == RequestScene::running) return {tr("the padded twin is being run"), "..."};
  // the bars are of one block: of how many the sum is
  long blocks = 0;
  for (const Launch& l : s.run().trace.launches) blocks += l.grid;
  const std::string run_of = blocks == 1 ? tr("whole run") : tr("whole run, {} blocks", grouped(blocks));
  const RequestSums all = s.scene.whole ? *s.scene.whole : request_sums(s.run());
  const RequestTotals& of = all.of_warps;
  const long used = shared ? of.shared_wavefronts : all.sectors(),
             ideal = shared ? of.shared_wavefronts_ideal : all.ideal_sectors();
  const std::string brief = grouped(used) + " / " + grouped(ideal);
  if (s.scene.beside) {
    const RequestSums other =
        s.scene.whole_beside ? *s.scene.whole_beside : request_sums(*s.scene.beside->run);
    const std::string beside = grouped(shared ? other.of_warps.shared_wavefronts : other.sectors());
    return {tr("{}: {} against {}", run_of, grouped(used), beside), grouped(used) + " / " + beside};
  }
  if (shared || !all.engine)
    return {
        tr("{}: {}, ideal {}, {} avoidable", run_of, grouped(used), grouped(ideal), grouped(used - ideal)),
        brief};
  return {tr("{}: {}, {} of them by the copy engine, {} avoidable", run_of, grouped(used),
             grouped(all.engine), grouped(used - ideal)),
          brief};
}

}  // namespace

LayoutNode heading(const RequestSheet& s, const std::string& name, const std::string& code, int number,
                   const std::string& unit, Colour c) {
  const Theme& t = s.t;
  const LineLook small{.size = t.code(), .colour = t.ink2, .font = Font::mono};
  const auto with = [&](LayoutNode more) {
    return row(t.gap(), {line({name}, heading_look(t)).gives(1), std::move(more), space(0).grows(),
                         row(t.title() * 0.5f,
                             {line({grouped(number)},
                                   {.size = t.px(24, t.size_changed), .colour = c, .font = Font::mono_bold}),
                              line({unit}, {.size = t.title(), .colour = t.ink})})});
  };
  if (code.empty()) return with({});
  const LayoutNode below =
      t.projector() ? with({})
                    : column(0, {with({}), text({{code, t.ink2, Font::mono}}, {.size = t.code()})});
  // twins keep their pictures at one height
  return s.scene.beside ? below : widest_that_fits({with(padded(line({code}, small), t.gap(), 0)), below});
}

LayoutNode lane_row(const RequestSheet& s, const Looked& of, const WarpAccess& q, const CellColumns& columns,
                    const std::string& prefix) {
  const Theme& t = s.t;
  Cells row{.columns = columns, .rows = {{.words = {tr("lanes")}}}, .heads = true};
  row.cells.assign(size_t(warp_size),
                   {.edge = mix(t.idle, t.panel, 0.6f), .hatch = mix(t.idle, t.panel, 0.4f)});
  for (int k = 0; k < q.lanes_in_warp; ++k)
    row.cells[size_t(k)].hit = {
        .what = s.scene.pattern || !prefix.empty() ? HitRegion::other : HitRegion::thread,
        .box = {},
        .a = q.warp * warp_size + k,
        .tip = tr("Lane {} asks for nothing here.", k),
        .name = prefix + "lane " + std::to_string(k)};
  for (const auto& lane : q.lanes) {
    if (lane.lane >= warp_size) continue;
    Cells::GridCell& cell = row.cells[size_t(lane.lane)];
    cell.marked = lane.lane == s.followed_lane(q);
    cell.fill = t.thread, cell.edge = cell.marked ? t.ink : 0, cell.hatch = 0;
    cell.words = std::to_string(lane.lane);
    cell.hit.tip = tr("Lane {} (thread {}) asks for {}[{}], {} bytes.", lane.lane,
                      rank_text(of.run->trace.launches[size_t(q.launch)], q.warp * warp_size + lane.lane),
                      array_name(*of.run, q), lane.index, lane.bytes);
  }
  // a warp whose lanes ask for 8 or 16 bytes is served in halves or quarters
  if (const int group = lanes_of_pass(q); group < warp_size) row.divided = group;
  return cells(std::move(row));
}

LayoutNode falling(const RequestSheet& s, const WarpAccess& q, const std::vector<LaneLink>& all,
                   const CellColumns& above, const CellColumns& below) {
  const int followed = s.followed_lane(q);
  const bool others_back = followed >= 0 && s.scene.asked_for;
  std::vector<Link> lines;
  for (const bool of_followed : {false, true})  // in front of the others
    for (const LaneLink& l : all)
      if ((l.lane == followed) == of_followed)
        lines.push_back({float(l.lane) + 0.5f, l.to,
                         others_back && !of_followed ? mix(l.colour, s.t.panel, 0.35f) : l.colour,
                         of_followed ? 3 : 1.5f});
  return links(std::move(lines), above, below).grows();
}

LayoutNode requests_form(const RequestSheet& s, const std::vector<Text>& reasons) {
  const Theme& t = s.t;
  const bool pattern = s.scene.pattern.has_value();
  const Choices all = pattern ? Choices{} : choices_of(s);
  LineLook whole = heading_look(t);
  whole.cut = false;
  const auto title = pattern ? std::vector{tr("Access pattern"), tr("Pattern")}
                             : std::vector{tr("Requests of this step"), tr("Requests")};
  return panel(column(
      t.px(6), {row(t.px(14),
                    {line(title, whole),
                     pattern ? LayoutNode{} : line(sum_of(s), {.size = t.label(), .colour = t.ink2}).gives(1),
                     space(0).grows(), switches(s)}),
                all.rows.empty() ? LayoutNode{} : columns_of(s).gives(2), pattern ? sliders(s) : list(s, all),
                rule(t.line), why(s, reasons)}));
}

std::vector<Text> shorter_and_shorter(Text full, Text alone) {
  Text bold;
  std::ranges::copy_if(alone, std::back_inserter(bold),
                       [](const Words& w) { return w.font == Font::text_bold; });
  return {std::move(full), std::move(alone), std::move(bold)};
}

LayoutNode totals_form(const RequestSheet& s) {
  const Theme& t = s.t;
  const bool shared = s.space == MemorySpace::shared, pair = s.scene.beside.has_value();
  const int block = s.scene.here.cursor.block, now = step_of(s.run(), s.scene.here.cursor);
  const std::vector<IntervalSum> all = interval_sums(s);
  BarChart c{.heading = {shared ? tr("Wavefronts of each step, block {}", block)
                                : tr("Sectors of each step, block {}", block),
                         shared ? tr("Wavefronts by step") : tr("Sectors by step"),
                         shared ? tr("Wavefronts") : tr("Sectors")},
             .says = s.scene.shows_future ? whole_run(s) : std::vector<std::string>(),
             .stacked = !pair,
             .numbers = true,
             .words = [](double v) { return grouped(std::lround(v)); }};
  if (pair)
    c.series = {{tr("no padding"), t.conflict}, {tr("padded"), t.read}};
  else
    c.series = {{tr("ideal"), t.read}, {shared ? tr("conflicts") : tr("avoidable"), t.conflict}};
  if (!pair && std::ranges::any_of(all, [](const IntervalSum& b) { return b.engine > 0; }))
    c.series.push_back({tr("copy engine"), t.thread});
  std::string before;
  for (const IntervalSum& b : all) {
    if (b.step > now && !s.scene.shows_future) break;
    if (b.step == now) c.chosen = int(c.bars.size());
    std::string tip = tr("{}: {}, {} at best.", b.phase, unit(s.space, b.used), grouped(b.ideal));
    if (b.engine) tip += " " + tr("The copy engine moves {} more.", unit(s.space, b.engine));
    if (pair) tip += " " + tr("Beside: {}.", grouped(b.beside));
    const std::string index = std::to_string(step_number(b.index));
    const long fewest = std::min(b.ideal, b.used);
    c.bars.push_back(
        {.values = pair ? std::vector{double(b.used), double(b.beside)}
                        : std::vector{double(fewest), double(b.used - fewest), double(b.engine)},
         .label = b.phase == before ? std::vector{index} : std::vector{b.phase, index},
         .hit = {.what = HitRegion::interval,
                 .box = {},
                 .a = b.step,
                 .tip = tip,
                 .name = "interval " + std::to_string(b.step),
                 .press = [step = b.step](LoadedState& to, float) { to = to_step(std::move(to), step); }}});
    before = b.phase;
  }
  // the legend names nothing that no bar has
  for (size_t k = pair ? 0 : c.series.size() - 1; k > 0; --k) {
    if (std::ranges::any_of(c.bars, [k](const BarChart::Bar& bar) { return bar.values[k] > 0; })) continue;
    c.series.erase(c.series.begin() + ptrdiff_t(k));
    for (BarChart::Bar& bar : c.bars) bar.values.erase(bar.values.begin() + ptrdiff_t(k));
  }
  return panel(chart(std::move(c), t));
}

LayoutNode sweep_form(const RequestSheet& s) {
  const Theme& t = s.t;
  const bool shared = s.space == MemorySpace::shared, pair = !s.scene.sweep_beside.empty();
  BarChart c{.heading = {shared ? tr("Wavefronts of this read, at every stride")
                                : tr("Sectors of this read, at every stride"),
                         shared ? tr("Wavefronts by stride") : tr("Sectors by stride")},
             .chosen = s.scene.pattern ? s.scene.pattern->stride : -1,
             .words = [](double v) { return grouped(std::lround(v)); }};
  if (pair)
    c.series = {{tr("no padding"), t.conflict}, {tr("padded"), t.read}};
  else
    c.series = {{tr("real runs of the kernel"), t.read}}, c.says = {tr("real runs of the kernel")};
  for (size_t k = 0; k < s.scene.sweep.size(); ++k) {
    const int used = s.scene.sweep[k];
    c.bars.push_back(
        {.values =
             pair ? std::vector{double(used), double(s.scene.sweep_beside[k])} : std::vector{double(used)},
         .label = {std::to_string(k)},
         .hit = {.what = HitRegion::button,
                 .box = {},
                 .a = int(k),
                 .tip = pair ? tr("Stride {}: {} without padding, {} with it.", k, unit(s.space, used),
                                  s.scene.sweep_beside[k])
                             : tr("Stride {}: {}.", k, unit(s.space, used)),
                 .name = "stride " + std::to_string(k),
                 .press = [of = s.scene.of, k](LoadedState& to, float) { of(to).pattern.stride = int(k); }}});
  }
  return panel(chart(std::move(c), t));
}

LayoutNode nothing_form(const RequestSheet& s, const std::string& what, const std::string& instead) {
  const Theme& t = s.t;
  return panel(column(
      t.gap(),
      {row(0, {space(0).grows(), switches(s)}), space(0).grows(),
       padded(text({{what, t.ink, Font::text_bold}}, {.size = t.why()}), t.px(90), 0),
       padded(text({{instead, t.ink2}}, {.size = t.label()}), t.px(90), 0).gives(1), space(0).grows(2)}));
}

}  // namespace bscope
