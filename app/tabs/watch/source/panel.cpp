#include "app/tabs/watch/source/panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "app/draw/chart.hpp"
#include "app/draw/controls.hpp"
#include "app/draw/layout.hpp"
#include "app/run/cuda_text.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/source/content.hpp"
#include "app/tabs/watch/source/grid.hpp"
#include "app/tabs/watch/source/page.hpp"
#include "app/tabs/watch/source/parts.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/active_lanes.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run_queries.hpp"

namespace bscope {
namespace {

constexpr float least_line_height = 1.22f;  ///< in ems

/// Of an own program whose instructions leave many lanes out: by how much, and the line that does most of
/// it. A press shows all lines.
LayoutNode divergence(const SourceContent& source, const Theme& t) {
  if (source.profiled() || !source.hints || source.model.trace().dialect != Dialect::cuda) return {};
  const LinesActiveLanes lines = lanes_of_lines(source.model, source.step, Profile::run);
  ActiveLanes all;
  auto worst = lines.begin();
  for (auto at = lines.begin(); at != lines.end(); ++at) {
    all += at->second;
    if (at->second.idle() > worst->second.idle()) worst = at;
  }
  if (!all.instructions || all.share() > 0.75) return {};
  const std::string active = fmt::format("{:.1f}", all.average());
  return pressed(line({tr("{} of {} lanes active; worst: line {}", active, warp_size, worst->first),
                       tr("{} of {} lanes", active, warp_size)},
                      {.size = t.px(t.size_label), .colour = t.ink2}),
                 {.what = HitRegion::button,
                  .box = {},
                  .tip = tr("On average {} of a warp's {} lanes take part in an instruction of this run: the "
                            "others are switched off, which is divergence. Line {} leaves most of them out. "
                            "Click to see all lines (V).",
                            active, warp_size, worst->first),
                  .name = "source:divergence",
                  .press = [](LoadedState& s, float) { s.of<WatchState>().profile = Profile::run; }});
}

/// Which text of a catalog's kernel is shown; nothing where it has one alone.
LayoutNode languages(const SourceContent& source, const Theme& t) {
  const Trace& trace = source.model.trace();
  if (t.projector() && source.look.machine_code) return {};  // which takes every row that there is
  const bool cuda = trace.dialect == Dialect::ours_in_cuda;
  if (!cuda && (trace.dialect == Dialect::cuda || !cuda_text_of(trace.kernel) || !source.why_no_cuda.empty()))
    return {};
  const auto shows = [](bool dialect) -> HitAction {
    return [dialect](LoadedState& s, float) { s = show_dialect(std::move(s), dialect); };
  };
  return choices(
      {{.name = "source:cuda",
        .label = "CUDA",
        .tip = tr("The kernel as a plain CUDA program, which nvcc compiles as it stands."),
        .on = cuda,
        .does = shows(false)},
       {.name = "source:dialect",
        .label = "Barrierscope",
        .tip = tr("The kernel as Barrierscope compiles it: CUDA with other names, traced and timed."),
        .on = !cuda,
        .does = shows(true)}});
}

LayoutNode head(const SourceContent& source, const Theme& t) {
  std::string words, brief;
  if (source.profiled())
    words = source.look.profile == Profile::step ? tr("lanes in this step") : tr("lanes in the whole run");
  else if (source.followed >= 0)
    words = tr("following thread {}", source.followed), brief = tr("thread {}", source.followed);
  const float small = t.px(t.size_label);
  const auto chosen = [&](const std::string& spelled) -> LayoutNode {
    if (spelled.empty()) return {};
    return pressed(line({spelled}, {.size = small, .colour = t.thread, .font = Font::text_bold}),
                   {.what = HitRegion::button,
                    .box = {},
                    .tip = tr("What stands beside the lines: the followed thread's values, or how many of a "
                              "warp's lanes take part, in this step or in the whole run. Click to change."),
                    .name = "source:profile",
                    .press = [](LoadedState& s, float) { s = next_profile(std::move(s)); }});
  };
  const LayoutNode heading = line({tr("Source")}, heading_look(t));
  const LayoutNode file = line({source.file}, {.size = small, .colour = t.ink3, .font = Font::mono});
  const LayoutNode named = row(t.px(12), {heading, LayoutNode(file).gives(1)});
  const LayoutNode texts = languages(source, t);
  if (texts.empty())
    return row(t.px(12), {LayoutNode(named).grows(),
                          words.empty() ? LayoutNode{} : LayoutNode(chosen(words)).gives(1)});
  const auto with = [&](const LayoutNode& name, const std::string& spelled) {
    return row(t.px(12), {LayoutNode(name).grows(), chosen(spelled), texts});
  };
  return widest_that_fits(
      {with(named, words), with(heading, words), with(heading, brief), with(heading, ""), texts});
}

/// The forms of lines, as they were first asked for, and the rows that they take.
class SourceForms {
 public:
  /// `fit`: rows that a page has.
  SourceForms(const DrawContext& p, const SourceContent& source, const SourceGrid& at, int fit)
      : p_(p), source_(source), at_(at), fit_(fit) {}
  const LayoutNode& of(int number) {
    auto [it, fresh] = forms_.try_emplace(number);
    if (fresh && !source_.folded_away(number)) it->second = source_line(source_, at_, p_.t, number, fit_);
    return it->second;
  }
  int rows(int number) {
    auto [it, fresh] = rows_.try_emplace(number);
    if (fresh) it->second = int(std::lround(of(number).height_at(p_, at_.room()) / at_.row));
    return it->second;
  }

 private:
  const DrawContext& p_;
  const SourceContent& source_;
  const SourceGrid& at_;
  const int fit_;
  std::map<int, LayoutNode> forms_;
  std::map<int, int> rows_;
};

/// The rows of a page from its top, each as high as its line.
std::vector<SourceRow> rows_of_page(const std::vector<LineRange>& pieces, const Box& page, float row,
                                    const LineRows& rows) {
  std::vector<SourceRow> out;
  float y = page.y;
  const auto place = [&](SourceRow one, int high) {
    one.box = {page.x, y, page.w, std::min(row * float(high), page.bottom() - y)};
    y = one.box.bottom();
    if (one.box.h > 0) out.push_back(one);
  };
  for (size_t k = 0; k < pieces.size(); ++k) {
    if (const int from = k ? pieces[k - 1].last + 1 : 0, to = pieces[k].first - 1; k && from <= to)
      place({from, to}, 1);
    for (int number = pieces[k].first; number <= pieces[k].last; ++number) place({number}, rows(number));
  }
  return out;
}

/// How the lines are laid out, and which of them are in view.
struct SourcePage {
  SourcePage(const DrawContext& p, const SourceContent& source, const SourceGrid& grid, float room)
      : at(grid), fit(rows_in(p.t, grid, room)), forms(p, source, at, fit) {
    pieces = lines_in_view(
        {source.size(), source.lit, source.telling_line(), source.cursor.line, source.wrong_beside()}, fit,
        [this](int number) { return forms.rows(number); });
    for (const LineRange& piece : pieces)
      for (int number = piece.first; number <= piece.last; ++number)
        wanted += source.is_lit(number) || number == source.cursor.line;
  }
  static int rows_in(const Theme& t, const SourceGrid& at, float room) {
    const int fit = std::max(1, int(room / at.row));
    return t.projector() ? std::min(fit, 9) : fit;
  }

  const SourceGrid at;
  const int fit;  ///< rows that it has
  SourceForms forms;
  std::vector<LineRange> pieces;
  int wanted = 0;  ///< lines in view that run in this step, or are selected
};

/// In the size for projectors lines stand closer, and then without the values that take a row of their own,
/// where this brings more of the step's lines into view.
std::unique_ptr<SourcePage> source_page(const DrawContext& p, const SourceContent& source,
                                        const SourceGrid& grid, float room) {
  auto best = std::make_unique<SourcePage>(p, source, grid, room);
  if (!p.t.projector() || source.machine) return best;
  SourceGrid close = grid;
  const float least = grid.size * least_line_height;
  const int rows = std::min(9, std::max(1, int(room / least)));
  close.row = std::min(grid.row, room / float(rows));
  for (const bool value_rows : {true, false}) {
    close.value_rows = value_rows;
    auto other = std::make_unique<SourcePage>(p, source, close, room);
    if (other->wanted > best->wanted) best = std::move(other);
  }
  return best;
}

void draw_page(const DrawContext& p, Box b, const SourceContent& source, const SourceGrid& grid) {
  const int all = source.size();
  const std::unique_ptr<SourcePage> best = source_page(p, source, grid, b.h - p.t.px(6));
  const SourceGrid& at = best->at;
  const int fit = best->fit;
  SourceForms& forms = best->forms;
  const LineRows rows = [&](int number) { return forms.rows(number); };
  std::vector<LineRange> pieces = best->pieces;
  const Box page{b.x, b.y, b.w, at.row * float(fit)};
  if (const int last = last_page(all, fit, rows); last > 1) {  // not all of it is in view
    const int home = pieces.front().first;
    if (source.look.source_scroll != 0 && source.look.source_scroll_at == source.step.flow_index) {
      const int top = std::clamp(home + source.look.source_scroll, 1, last);
      pieces = {grown_lines({top, all}, fit, {top, all}, rows)};
    }
    draw_source_scroll_bar(p, at, all, page, {pieces.front().first, pieces.back().last}, home, last);
  }
  const std::vector<SourceRow> shown = rows_of_page(pieces, page, at.row, rows);
  for (const SourceRow& one : shown)
    if (one.left_out)
      draw_left_out_lines(p, at, one);
    else
      draw_source_line(p, source, at, one, forms.of(one.number));
  for (const SourceRow& one : shown)
    if (one.number == source.cursor.line && !one.left_out)
      p.pen.rect({p.t.px(6), one.box.y, at.width - p.t.px(13), one.box.h}, 0, p.t.ink2, p.t.px(1.5f),
                 p.t.px(3));
}

/// The panel: its title, figures of the machine code, a profile's names, the page. It refers to `source` and
/// `at`.
LayoutNode panel(const SourceContent& source, const SourceGrid& at, const Theme& t) {
  const LayoutNode body =
      source.lines.empty()
          ? padded(text({{tr("The trace holds no source text."), t.ink2}}, {.size = at.size}), margin(t), 0)
          : drawing(0, 0, [&](const DrawContext& p, Box b) { draw_page(p, b, source, at); });
  const LayoutNode leaves_out = divergence(source, t);
  const LayoutNode why =
      source.why_no_cuda.empty()
          ? LayoutNode{}
          : padded(line({tr(source.why_no_cuda)}, {.size = t.px(t.size_label), .colour = t.ink2}), margin(t),
                   t.px(2));
  return column(0, {padded(head(source, t), margin(t), t.px(6, 4)), why,
                    leaves_out.empty() ? LayoutNode{} : padded(leaves_out, margin(t), t.px(2)),
                    source.machine
                        ? padded(machine_figures(*source.machine, t,
                                                 t.projector() && source.machine->has(source.look.code_line)),
                                 margin(t), t.px(4, 2))
                        : LayoutNode{},
                    source.profiled() ? profile_head(at, t) : LayoutNode{}, LayoutNode(body).grows()});
}

}  // namespace

Picture source_panel(const RunQueries& model, const Cursor& c, const Theme& t, const Metrics& m, float width,
                     float height, const WatchState& look, const Prediction* prediction,
                     const std::shared_ptr<const OwnCode>& own, SourceShown shown) {
  if (model.trace().launches.empty() || !model.step(c)) return {width, height, {}, {}};
  const SourceContent source(model, c, look, prediction && prediction->hides(), own, shown);
  const SourceGrid at = source_grid(t, m, width, source.size(), source.profiled());
  return picture_of(panel(source, at, t), t, m, width, height, false);
}

int source_shift_most(const RunQueries& model, const Cursor& c) {
  const Step* step = model.step(c);
  if (!step) return 0;
  const int source = model.trace().launches[size_t(step->interval->launch)].source;
  if (source < 0 || size_t(source) >= model.trace().sources.size()) return 0;
  size_t longest = 0;
  for (const std::string& line : source_text_lines(model.trace().sources[size_t(source)].text))
    longest = std::max(longest, line.size());
  return std::max(0, int(longest) - 24);
}

}  // namespace bscope
