#include "app/parts/requests.hpp"

#include <algorithm>

#include "app/parts/pattern.hpp"
#include "app/run/values.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/trace/source_line.hpp"

namespace bscope {
namespace {

std::string verb(Op op, const std::string& array) {
  switch (op) {
    case Op::load:
    case Op::load_volatile:
    case Op::load_relaxed:
    case Op::acquire:
    case Op::wait:
    case Op::observe: return tr("load {}", array);
    case Op::store:
    case Op::store_volatile:
    case Op::store_async:
    case Op::store_relaxed:
    case Op::release:
    case Op::publish: return tr("store {}", array);
    case Op::arrive: return tr("arrive at {}", array);
    case Op::await: return tr("await {}", array);
    default: return tr("atomic on {}", array);
  }
}

/// "sum"; "sum[8..15]", from the first to the last cell asked for, where the array has rows and the request
/// stays in one.
std::string name_of_cells(const Run& run, const WarpAccess& q) {
  const ArrayInfo& a = run.trace.array(run.trace.launches[size_t(q.launch)], q.array);
  const int cells = a.row_size(), row = cells ? int(q.lanes.front().index) / cells : 0;
  const auto elsewhere = [&](const WarpAccess::LaneAccess& l) { return int(l.index) / cells != row; };
  if (a.rows == 1 || !cells || std::ranges::any_of(q.lanes, elsewhere)) return a.name;
  const auto [first, last] = std::ranges::minmax(q.lanes, {}, &WarpAccess::LaneAccess::index);
  const std::string begin = a.name + "[" + std::to_string(first.index);
  return first.index == last.index ? begin + "]" : begin + ".." + std::to_string(last.index) + "]";
}

}  // namespace

std::string request_name(const Run& run, const WarpAccess& q) {
  const std::string name = verb(q.op, name_of_cells(run, q));
  return q.occurrence == 0   ? name
         : q.occurrence == 1 ? tr("{}, again", name)
                             : tr("{}, again ({})", name, q.occurrence + 1);
}

std::string source_line(const Run& run, const WarpAccess& q) {
  return source_line(run.trace, q.launch, int(q.line));
}

Colour role(const Theme& t, Op op) { return is_atomic(op) ? t.atomic : writes(op) ? t.write : t.read; }

RequestSheet sheet(const Theme& t, const RequestScene& scene, MemorySpace space) {
  RequestSheet s{t, scene, space, nullptr, nullptr, nullptr, {}};
  const Looked& here = scene.here;
  if (steps(*here.run) == 0) return s;
  s.request = request_at(*here.run, here.cursor, space, here.request);
  if (s.request && scene.beside)
    s.request_beside =
        same_request(*here.run, here.cursor, *s.request, *scene.beside->run, scene.beside->cursor);
  if (space == MemorySpace::global) s.copies = engine_copies(*here.run, interval_at(*here.run, here.cursor));
  for (const EngineCopy& c : s.copies)
    if (c.node == here.request || !s.request) {
      s.copy = &c;
      break;
    }
  return s;
}

std::string shown_phase(const RequestSheet& s) {
  return phase_name(s.run().trace, interval_at(s.run(), s.scene.here.cursor));
}

long used_by(const Run& run, size_t interval, MemorySpace space, long* ideal) {
  long used = 0;
  for (const WarpAccess& q : run.report.requests_of(interval)) {
    if (q.shared() != (space == MemorySpace::shared)) continue;
    used += answers(q);
    if (ideal) *ideal += fewest(q);
  }
  return used;
}

long used_and_moved(const RequestSheet& s, size_t interval, long& ideal) {
  long used = used_by(s.run(), interval, s.space, &ideal);
  if (s.space == MemorySpace::shared) return used;
  for (const EngineCopy& c : engine_copies(s.run(), s.run().report.flow.intervals[interval])) {
    used += c.sectors;
    ideal += c.ideal_sectors;
  }
  return used;
}

std::vector<IntervalSum> interval_sums(const RequestSheet& s) {
  std::vector<IntervalSum> bars;
  const Report& r = s.run().report;
  const Cursor& c = s.scene.here.cursor;
  const auto of_block = r.flow.of_block(c.launch, c.block);
  std::span<const Interval> others;
  if (s.scene.beside) {
    const Cursor& there = s.scene.beside->cursor;
    others = s.scene.beside->run->report.flow.of_block(there.launch, there.block);
  }
  for (const Interval& v : of_block) {
    IntervalSum bar;
    bar.step = int(&v - r.flow.intervals.data());
    bar.index = v.index;
    bar.phase = phase_name(s.run().trace, v);
    bar.used = used_by(s.run(), size_t(bar.step), s.space, &bar.ideal);
    if (s.space == MemorySpace::global) bar.engine = engine_sectors(s.run(), v);
    if (const auto at = size_t(&v - of_block.data()); at < others.size()) {
      const Run& other = *s.scene.beside->run;
      bar.beside = used_by(other, size_t(&others[at] - other.report.flow.intervals.data()), s.space);
    }
    bars.push_back(bar);
  }
  return bars;
}

}  // namespace bscope
