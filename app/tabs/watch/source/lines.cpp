#include "app/tabs/watch/source/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "app/run/values.hpp"
#include "app/tabs/watch/terms.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/instructions.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/analysis/source_loops.hpp"

namespace bscope {

LinesActiveLanes lanes_of_lines(const RunQueries& model, const Step& step, Profile which) {
  const auto& launches = model.trace().launches;
  const Interval& here = *step.interval;
  using All = std::vector<LinesActiveLanes>;
  LinesActiveLanes out;
  if (which == Profile::step) {
    const Launch& l = launches[size_t(here.launch)];
    std::shared_ptr<const void>& all = model.kept(fmt::format("active-lanes:{}:{}", here.launch, here.block));
    if (!all) {
      const auto& sources = model.trace().sources;
      const SourceLoops loops(size_t(l.source) < sources.size() ? sources[size_t(l.source)].text : "");
      all = std::make_shared<const All>(active_lanes(l, l.blocks[size_t(here.block)], loops));
    }
    const All& intervals = *static_cast<const All*>(all.get());
    if (size_t(here.index) < intervals.size()) out = intervals[size_t(here.index)];
  } else if (which == Profile::run) {
    const All& all = model.run().report.active_lanes();
    for (size_t k = 0; k < all.size(); ++k)
      if (launches[k].source == launches[size_t(here.launch)].source)
        for (const auto& [line, lanes] : all[k]) out[line] += lanes;
  }
  return out;
}

namespace {

/// The lanes among so many of a warp; none are named where all take part.
void take_part(LineRole& role, int warp, int lanes, const std::vector<int>& who) {
  const bool all = int(who.size()) >= lanes;
  role.warp = all ? -1 : warp;
  role.lanes.assign(all ? 0 : size_t(lanes), false);
  for (const int lane : who)
    if (size_t(lane) < role.lanes.size()) role.lanes[size_t(lane)] = true;
}

}  // namespace

std::map<int, LineRole> roles_of_lines(const RunQueries& model, const Step& step, int followed, int chosen) {
  std::map<int, LineRole> out = step.lines();
  if (followed < 0) return out;
  std::set<int> told;
  for (const WarpAccess& q : model.run().report.requests_of(size_t(step.flow_index))) {
    if (q.warp != followed / warp_size) continue;
    const auto lane = std::ranges::find(q.lanes, followed % warp_size, &WarpAccess::LaneAccess::lane);
    const auto role = out.find(q.line);
    if (lane == q.lanes.end() || role == out.end()) continue;
    if (!told.insert(q.line).second && lane->node != chosen) continue;
    std::vector<int> who;
    for (const auto& one : q.lanes) who.push_back(one.lane);
    take_part(role->second, q.warp, q.lanes_in_warp, who);
  }
  return out;
}

LineRole role_of(const WarpInstruction& sub) {
  LineRole role;
  if (sub.request) {
    const Op op = sub.request->op;
    role.what = is_atomic(op) ? LineRole::atomic : writes(op) ? LineRole::write : LineRole::read;
  }
  const int first = sub.what.warp * warp_size;
  std::vector<int> who;
  for (const int rank : sub.ranks) who.push_back(rank - first);
  take_part(role, sub.what.warp, std::min(warp_size, int(sub.step->works.size()) - first), who);
  return role;
}

namespace {

/// By line: the first launch, and its first interval, in which a block runs it, or which a barrier in it
/// ends. Of a user's program only of the launch: its kernels may be alternatives, which a lesson compares.
using FirstRuns = std::map<int, std::pair<int, int>>;
const FirstRuns& first_runs(const RunQueries& model, int launch) {
  std::shared_ptr<const void>& kept = model.kept(fmt::format("first-runs:{}", launch));
  if (!kept) {
    FirstRuns all;
    const auto& launches = model.trace().launches;
    for (const Interval& v : model.flow().intervals) {
      const bool same = launches[size_t(v.launch)].source == launches[size_t(launch)].source;
      if (v.launch != launch && (!same || model.trace().dialect == Dialect::cuda)) continue;
      const auto add = [&, now = std::pair(v.launch, v.index)](int line) {
        const auto [at, fresh] = all.try_emplace(line, now);
        if (!fresh) at->second = std::min(at->second, now);
      };
      for (const auto* nodes : {&v.nodes, &v.work})
        for (const int id : *nodes) add(model.flow().nodes[size_t(id)].line);
      if (v.line > 0) add(v.line);
    }
    kept = std::make_shared<const FirstRuns>(std::move(all));
  }
  return *static_cast<const FirstRuns*>(kept.get());
}

}  // namespace

std::set<int> coming_lines(const RunQueries& model, const Interval& now, int shown) {
  std::set<int> out;
  int after = shown;
  for (const auto& [line, first] : first_runs(model, now.launch)) {
    if (first <= std::pair(now.launch, now.index))
      after = std::max(after, line);
    else if (line > shown)
      out.insert(line);
  }
  const int last = out.empty() ? 0 : *out.rbegin();
  for (int line = after + 1; line < last; ++line) out.insert(line);
  return out;
}

namespace {

/// A step's accesses in words; its results as "?" where they are asked for.
class InWords {
 public:
  InWords(const RunQueries& model, const Step& step, bool hides)
      : model_(model), step_(step), hides_(hides) {}

  const Node& node(int id) const { return model_.flow().nodes[size_t(id)]; }
  /// "sum[11] = 7".
  std::string read(int id) const { return name(node(id).place) + " = " + value(id); }
  /// "7 + 21 = 28" where two cells are the whole right-hand side, else "sum[15] = 28". Where results are
  /// asked for, "sum[15] = ?": to find what is added is half of the answer.
  std::string made(const Move& m, uint64_t old) const {
    const Node& n = node(m.arrow.node);
    const std::string result =
        " = " + (hides_ ? "?" : text_of(ElementType(n.kind), written_bits(model_.flow(), n, old)));
    if (n.op == Op::atomic_add && n.b >= 0)
      return (made_here(n) ? "?" : text_of(ElementType(n.kind), old)) + " + " +
             text_of(ElementType(n.kind), node(n.b).bits) + result;
    const std::string whole = name(m.arrow.to) + result;
    if (hides_ || is_atomic(n.op) || m.arrow.loads.size() != 2 || !m.arrow.lanes.empty() || m.copy() ||
        n.a < 0)
      return whole;
    const int a = cell_behind(node(n.a).a), b = cell_behind(node(n.a).b);
    if (!computes(node(n.a).op) || a < 0 || b < 0) return whole;
    const std::string op = sign(m.arrow.op);
    return (is_call(m.arrow.op) ? op + "(" + value(a) + ", " + value(b) + ")"
                                : value(a) + " " + op + " " + value(b)) +
           result;
  }

 private:
  std::string name(CellRef p) const { return model_.name(step_.interval->launch, p); }
  std::string value(int id) const {
    return made_here(node(id)) ? "?" : text_of(ElementType(node(id).kind), node(id).bits);
  }
  /// Whether, while results are asked for, the node reads what this step itself wrote.
  bool made_here(const Node& n) const {
    if (!hides_ || n.a < 0) return false;
    const Node& store = node(n.a);
    return store.launch == step_.interval->launch && store.interval == step_.interval->index;
  }
  /// The load that a value was converted from; -1: it comes from elsewhere.
  int cell_behind(int id) const {
    while (id >= 0 && node(id).op == Op::convert) id = node(id).a;
    return id >= 0 && reads(node(id).op) ? id : -1;
  }

  const RunQueries& model_;
  const Step& step_;
  const bool hides_;
};

}  // namespace

std::map<int, ValueOfLine> values_of_lines(const RunQueries& model, const Step& step, int followed,
                                           int chosen, bool hides, const WarpInstruction* only) {
  std::map<int, ValueOfLine> read, written;
  if (followed < 0) return read;
  const InWords in_words(model, step, hides);
  const int thread =
      step.interval->block * model.trace().launches[size_t(step.interval->launch)].block + followed;
  const auto counts = [&](int id) {
    return in_words.node(id).thread == thread &&
           (!only || std::binary_search(only->nodes.begin(), only->nodes.end(), id));
  };
  const auto add = [&](std::map<int, ValueOfLine>& to, int id, std::string words, LineRole::Activity what) {
    ValueOfLine& value = to[in_words.node(id).line];
    value.what = std::max(value.what, what);
    if (words.size() > value.longest.size()) value.longest = words;
    value.all.insert(id == chosen ? value.all.begin() : value.all.end(), std::move(words));
  };
  for (const int id : step.interval->nodes)
    if (!writes(in_words.node(id).op) && counts(id)) add(read, id, in_words.read(id), LineRole::read);
  for (const Move& m : step.moves())
    if (const int id = m.arrow.node; !m.held && counts(id))
      add(written, id, in_words.made(m, model.found(only, id)),
          is_atomic(in_words.node(id).op) ? LineRole::atomic : LineRole::write);
  for (auto& [line, value] : written) {  // more telling than what was read for it
    ValueOfLine& of = read[line];
    if (of.longest.size() > value.longest.size()) value.longest = std::move(of.longest);
    of = std::move(value);
  }
  return read;
}

}  // namespace bscope
