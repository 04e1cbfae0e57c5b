#include "engine/analysis/requests.hpp"

#include <algorithm>
#include <compare>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/source_loops.hpp"
#include "engine/trace/parallel.hpp"

namespace bscope {
namespace {

/// The longest queue at a bank; the words are made distinct.
int longest_queue(std::vector<uint32_t>& words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  int in_bank[bank_count] = {};
  for (uint32_t w : words) ++in_bank[w % bank_count];
  return *std::max_element(in_bank, in_bank + bank_count);
}

/// Wavefronts of a shared request. Lanes with 8 bytes go by half warps, with 16 by quarter warps, unless all
/// that they ask for fits into one wavefront (an H200's counters say so).
void count_wavefronts(WarpAccess& r) {
  const int group = lanes_of_pass(r);
  std::vector<uint32_t> words, all;
  for (size_t k = 0; k < r.lanes.size();) {
    const int which = r.lanes[k].lane / group;
    words.clear();
    for (; k < r.lanes.size() && r.lanes[k].lane / group == which; ++k) {
      const uint32_t first = r.lanes[k].address / bank_bytes;
      const uint32_t last = (r.lanes[k].address + uint32_t(std::max(1, r.lanes[k].bytes)) - 1) / bank_bytes;
      for (uint32_t w = first; w <= last; ++w) words.push_back(w);
    }
    r.wavefronts += longest_queue(words);
    r.ideal += int((words.size() + bank_count - 1) / bank_count);
    if (group < warp_size) all.insert(all.end(), words.begin(), words.end());
  }
  if (group < warp_size && longest_queue(all) == 1) r.wavefronts = r.ideal = 1;
}

/// Sectors of a global request, and how few could hold what it asked for. Arrays begin on a sector.
void count_sectors(WarpAccess& r) {
  static thread_local std::vector<std::pair<uint32_t, uint32_t>> asked;  // first byte, end
  asked.clear();
  for (const auto& lane : r.lanes) asked.emplace_back(lane.address, lane.address + uint32_t(lane.bytes));
  if (!std::is_sorted(asked.begin(), asked.end())) std::sort(asked.begin(), asked.end());
  uint32_t bytes = 0, end = 0, next_sector = 0;
  for (auto [from, to] : asked) {
    if (to > end) bytes += to - std::max(from, end), end = to;
    if (from == to) continue;
    const uint32_t first = std::max(next_sector, from / sector_bytes), last = (to - 1) / sector_bytes;
    if (last >= first) r.sectors += int(last - first + 1), next_sector = last + 1;
  }
  r.ideal_sectors = int((bytes + sector_bytes - 1) / sector_bytes);
}

/// Sorts the lanes of a request, and counts what it costs.
void count_costs(WarpAccess& r) {
  const auto by_lane = [](const auto& a, const auto& b) { return a.lane < b.lane; };
  if (!std::is_sorted(r.lanes.begin(), r.lanes.end(), by_lane))
    std::sort(r.lanes.begin(), r.lanes.end(), by_lane);
  if (r.shared())
    count_wavefronts(r);
  else
    count_sectors(r);
}

/// A map whose keys are searched one by one while they are few, and through a table from then on.
template <class T>
class SmallMap {
 public:
  T& operator[](uint64_t key) {
    if (table_.empty()) {
      for (auto& [known, value] : values_)
        if (known == key) return value;
    } else if (const auto it = table_.find(key); it != table_.end())
      return values_[it->second].second;
    values_.emplace_back(key, T{});
    if (values_.size() > few)
      for (size_t k = table_.empty() ? 0 : values_.size() - 1; k < values_.size(); ++k)
        table_[values_[k].first] = k;
    return values_.back().second;
  }

 private:
  static constexpr size_t few = 16;
  std::vector<std::pair<uint64_t, T>> values_;
  std::unordered_map<uint64_t, size_t> table_;  // empty: few
};

/// For traces that do not say in which rounds of loops their threads were (LoopRounds).
///
/// On which trip round a loop an access is made, where the data decide whether it is made at all, as in
/// `count = local[b]; if (count > 0) atomic_add(bins[b], count);`. Lanes that make it on the same trip ask
/// together, however often each has made it before.
///
/// The events of an access behind a decision in a loop are those of an access behind a loop that searches, so
/// the source text tells which it is. In the innermost loop of the decision, an access goes by how often its
/// lane has decided there. Behind that loop all lanes meet again.
///
/// The text does not tell where it is unknown, where it shows no loop around the decision (a loop calls the
/// function, or a macro is the loop), and where the access stands in another function than the decision. Then
/// an access goes by how often the lane has made the access before the decision, if some thread comes back to
/// the line of that one or above it afterwards.
class Trips {
 public:
  Trips(const Launch& l, const DataflowGraph& flow, const Interval& v, const SourceLoops& loops)
      : run_(l.blocks[size_t(v.block)]), loops_(loops) {
    struct EventRange {
      int first = -1, last = -1;  // events
    };
    std::vector<EventRange> ranges(size_t(l.block));
    for (int k : v.nodes) {
      const Node& n = flow.nodes[k];
      EventRange& r = ranges[size_t(n.thread - v.block * l.block)];
      if (r.first < 0) r.first = n.event;
      r.last = n.event;
    }
    auto asks = [&](int thread, EventRange r) {
      const auto log = run_.log(thread);
      return r.first >= 0 && std::any_of(log.begin() + r.first, log.begin() + r.last,
                                         [](const Event& e) { return e.op == Op::branch; });
    };
    for (int thread = 0; thread < l.block && of_thread_.empty(); ++thread)
      if (asks(thread, ranges[size_t(thread)])) of_thread_.resize(size_t(l.block));
    if (of_thread_.empty()) return;
    for (int thread = 0; thread < l.block; ++thread) {
      const EventRange r = ranges[size_t(thread)];
      if (r.first < 0) continue;
      of_thread_[size_t(thread)].next = r.first;
      const auto log = run_.log(thread);
      for (int k = r.last, lowest = 1 << 16; k >= r.first; --k) {
        const Event& e = log[size_t(k)];
        if (!touches(e.op)) continue;
        int& after = lowest_after_.try_emplace(e.line, 1 << 16).first->second;
        after = std::min(after, lowest);
        lowest = std::min(lowest, int(e.line));
      }
    }
  }
  struct Trip {
    uint32_t number = 1;    ///< from 1; 1 outside of such loops
    bool is_again = false;  ///< the access before the decision is made once more behind it
  };
  /// Of the thread's event of that number, which is an access.
  Trip at(int thread, int event) {
    if (of_thread_.empty()) return {};
    ThreadEvents& t = of_thread_[size_t(thread)];
    const auto log = run_.log(thread);
    for (; t.next <= event; ++t.next) {
      const Event& e = log[size_t(t.next)];
      if (e.op == Op::branch) {
        t.asked = true;
        if (!loops_.loops().empty()) decide(t, log, e);
      }
      if (touches(e.op)) take_access(t, log, e);
    }
    return {std::max(t.trip, 1u), t.is_again};
  }

 private:
  struct Decision {
    uint64_t key = 0;
    uint64_t access = 0;  // the one before it
    int line = 0;         // of the condition
    int loop = -1;        // of `loops_`, the innermost one; -1: none
    uint32_t trip = 0;
  };
  struct ThreadEvents {
    int next = 0;                     // event
    SmallMap<uint32_t> times;         // of each access and each decision
    uint64_t last = 0;                // access: line, op, array
    uint32_t trip = 0;                // of that access; 0: nothing decided upon it
    bool is_again = false;            // see Trip
    bool asked = false;               // about its value, since
    std::vector<Decision> decisions;  // those in force; a loop holds the next one's, or is the same
    int guard = 0;                    // line of the access asked about last
    uint32_t guard_trip = 0;          // how often there had been that access; 0: left behind
  };

  /// The line of the condition is that of the event that made its value. Of several conditions in a line, the
  /// operation and the array tell which it is.
  static Decision decision_of(const ThreadEvents& t, std::span<const Event> log, const SourceLoops& loops,
                              const Event& branch) {
    const auto made_by = [&](uint32_t source) {
      return source > 0 && source <= log.size() ? log[source - 1] : Event{};
    };
    const Event condition = made_by(branch.a);
    const int last_line = int(t.last >> 16);
    const bool is_told =
        loops.has_code(condition.line) && (!t.last || loops.share_function(condition.line, last_line));
    const int line = is_told ? condition.line : last_line;
    Event value = condition;
    for (int depth = 0; depth < 4 && computes(value.op) && value.line == condition.line; ++depth)
      value = made_by(value.a ? value.a : value.b);
    const uint8_t array = touches(value.op) && value.line == condition.line ? value.array : 0;
    return {uint64_t(1) << 32 | uint64_t(line) << 16 | uint64_t(condition.op) << 8 | array, t.last, line,
            loops.loop_at(line), 0};
  }
  /// A decision that is subject to another one in the same loop is not made on every trip, so it takes the
  /// other one's trip.
  void decide(ThreadEvents& t, std::span<const Event> log, const Event& branch) {
    Decision d = decision_of(t, log, loops_, branch);
    d.trip = ++t.times[d.key];
    auto& all = t.decisions;
    if (const auto before = std::ranges::find(all, d.key, &Decision::key); before != all.end()) {
      all.erase(before, all.end());  // the next trip
      while (!all.empty() && all.back().loop == d.loop) all.pop_back();
    }
    while (!all.empty() && !loops_.holds(all.back().loop, d.line)) all.pop_back();
    if (!all.empty() && all.back().loop == d.loop) d.trip = all.back().trip;
    all.push_back(d);
  }
  void take_access(ThreadEvents& t, std::span<const Event> log, const Event& e) {
    if (t.asked) {
      t.guard = int(t.last >> 16);
      t.guard_trip = t.times[t.last];
    }
    if (e.line <= t.guard) t.guard_trip = 0;
    t.asked = false;
    t.last = uint64_t(e.line) << 16 | uint64_t(instruction_of(e.op)) << 8 | e.array;
    t.is_again = false;
    while (!t.decisions.empty() && begins_next_trip(t, log)) t.decisions.pop_back();
    t.trip = trip_of(t, e.line);
    ++t.times[t.last];
  }
  /// Whether the last access comes before the decision in the text, so that it is on the next trip. In one
  /// line, as in `if (local[b]) atomic_add(bins[b], local[b]);`, it is if that decision follows. A line
  /// without a condition may be a call, and what decides and asks then stands in the function.
  bool begins_next_trip(ThreadEvents& t, std::span<const Event> log) const {
    const Decision& d = t.decisions.back();
    const int line = int(t.last >> 16);
    if (d.loop < 0 || line > d.line || !loops_.share_function(line, d.line)) return false;
    if (line < d.line || !loops_.decides(line)) return true;
    for (size_t k = size_t(t.next) + 1; k < log.size() && !touches(log[k].op); ++k)
      if (log[k].op == Op::branch && decision_of(t, log, loops_, log[k]).key == d.key) return true;
    t.is_again = t.last == d.access;
    return false;
  }
  uint32_t trip_of(ThreadEvents& t, int line) const {
    if (loops_.loops().empty()) return trip_by_return(t, line);
    for (; !t.decisions.empty(); t.decisions.pop_back()) {
      const Decision& d = t.decisions.back();
      if (d.loop < 0 || !loops_.has_code(line) || !loops_.share_function(d.line, line))
        return trip_by_return(t, line);
      if (loops_.holds(d.loop, line)) return d.trip;
    }
    return 0;
  }
  uint32_t trip_by_return(const ThreadEvents& t, int line) const {
    const auto after = lowest_after_.find(line);
    return after != lowest_after_.end() && after->second <= t.guard ? t.guard_trip : 0;
  }

  const BlockRun& run_;
  const SourceLoops& loops_;
  std::map<int, int>
      lowest_after_;  // for each line: the lowest that some thread comes to later in the interval
  std::vector<ThreadEvents> of_thread_;  // empty: nothing is asked
};

/// In which round each access of an interval is made: as the trace says, or by Trips.
class RoundsOfAccesses {
 public:
  RoundsOfAccesses(const Launch& l, const DataflowGraph& flow, const Interval& v, const SourceLoops& loops)
      : known_(l.blocks[size_t(v.block)].rounds) {
    if (!known_) trips_.emplace(l, flow, v, loops);
  }
  struct AccessRound {
    uint32_t place = 0;  ///< lanes whose places differ ask apart
    uint32_t trip = 1;   ///< so do those on different trips; from 1
  };
  AccessRound at(int thread, int event) {
    if (known_) return {.place = known_->at(thread, uint32_t(event)), .trip = 1};
    const Trips::Trip trip = trips_->at(thread, event);
    return {.place = trip.is_again, .trip = trip.number};
  }
  /// A request has begun, the `time`th of its warp in that round.
  void note(int request, uint64_t instruction, AccessRound round, int time) {
    if (known_ && !known_->first.empty()) requests_.push_back({instruction, round.place, time, request});
  }
  /// How often the block had been at a request's instruction, where its warps ask for it in several rounds.
  void number(std::vector<WarpAccess>& all) {
    std::ranges::sort(requests_);
    int occurrence = 0;
    for (size_t k = 0; k < requests_.size(); ++k) {
      const auto& [instruction, place, time, request] = requests_[k];
      if (!k || requests_[k - 1].instruction != instruction)
        occurrence = 0;
      else if (requests_[k - 1].place != place || requests_[k - 1].time != time)
        ++occurrence;
      all[size_t(request)].occurrence = occurrence;
    }
  }

 private:
  struct BegunRequest {
    uint64_t instruction;
    uint32_t place;
    int time, request;
    auto operator<=>(const BegunRequest&) const = default;
  };
  const std::optional<LoopRounds>& known_;
  std::optional<Trips> trips_;
  std::vector<BegunRequest> requests_;
};

/// What one warp has asked for at one line, op and array within an interval.
struct PendingAccess {
  struct Place {
    int request = -1;
    uint32_t lanes = 0;  // those in it, a bit each
  };
  std::vector<std::vector<Place>> requests;              // by trip, then by occurrence within
  uint32_t trip[warp_size] = {}, times[warp_size] = {};  // each lane's last, and how often it asked in it
  /// The place of a lane's next request on that trip; -1 if there is none yet.
  int& next(int lane, uint32_t which) {
    if (trip[lane] != which) times[lane] = 0;
    trip[lane] = which;
    if (requests.size() < which) requests.resize(which);
    auto& on_trip = requests[which - 1];
    const auto has_lane = [&](const Place& p) { return (p.lanes >> lane & 1) != 0; };
    while (times[lane] < on_trip.size() && has_lane(on_trip[times[lane]]))
      ++times[lane];  // it was here before
    const uint32_t time = times[lane]++;
    if (time == on_trip.size()) on_trip.emplace_back();
    on_trip[time].lanes |= 1u << lane;
    return on_trip[time].request;
  }
};

/// The requests of an interval in an order that each lane keeps to: a lane that leaves a loop early asks
/// behind the loop after the others' last round. Requests that no lane has both of stay in the order of their
/// first accesses.
///
/// `next`: pairs of requests that some lane makes one after the other. Kahn's topological sort; where lanes
/// contradict each other, the first request that is left goes first.
std::vector<WarpAccess> in_lanes_order(std::vector<WarpAccess> all, std::vector<std::pair<int, int>> next) {
  if (std::ranges::all_of(next, [](const auto& pair) { return pair.first < pair.second; })) return all;
  std::ranges::sort(next);
  next.erase(std::unique(next.begin(), next.end()), next.end());
  std::vector<int> waits_for(all.size());
  std::set<int> ready, left;
  for (const auto& [before, after] : next) ++waits_for[size_t(after)];
  for (int k = 0; k < int(all.size()); ++k) (waits_for[size_t(k)] ? left : ready).insert(k);
  std::vector<WarpAccess> ordered;
  ordered.reserve(all.size());
  while (!ready.empty() || !left.empty()) {
    std::set<int>& from = ready.empty() ? left : ready;
    const int k = *from.begin();
    from.erase(from.begin());
    ordered.push_back(std::move(all[size_t(k)]));
    for (auto pair = std::ranges::lower_bound(next, std::pair(k, 0)); pair != next.end() && pair->first == k;
         ++pair)
      if (--waits_for[size_t(pair->second)] == 0 && left.erase(pair->second)) ready.insert(pair->second);
  }
  return ordered;
}

}  // namespace

int lanes_of_pass(const WarpAccess& r) {
  int width = 0;
  for (const auto& lane : r.lanes) width = std::max(width, lane.bytes);
  return !r.shared() || width <= 4 ? 32 : width <= 8 ? 16 : 8;
}

std::vector<WarpAccess> requests(const Trace& trace, const DataflowGraph& flow, const Interval& v,
                                 std::span<const SourceLoops> loops) {
  static const SourceLoops none;
  std::vector<WarpAccess> all;
  const Launch& l = trace.launches[v.launch];
  std::vector<SmallMap<PendingAccess>> warps(size_t(l.block + warp_size - 1) / warp_size);
  RoundsOfAccesses rounds(l, flow, v, size_t(l.source) < loops.size() ? loops[size_t(l.source)] : none);
  // of each thread of the block: cells of its last vector that are still to come
  std::vector<int> skip(flow.vectors.empty() ? 0 : size_t(l.block));
  std::vector<int> last(size_t(l.block), -1);  // each thread's request
  std::vector<std::pair<int, int>> next;
  for (int k : v.nodes) {
    const Node& n = flow.nodes[k];
    if (is_bulk(n.op)) continue;  // the copy engine's, not a warp's
    const int rank = n.thread - v.block * l.block, lane = rank % warp_size, warp = rank / warp_size;
    const ArrayInfo& array = trace.array(l, n.place.array);
    const int width = bytes_of(array.kind);
    int cells = 1;
    if (!skip.empty()) {
      if (skip[rank] > 0) {
        --skip[rank];
        continue;
      }
      const auto it = std::lower_bound(flow.vectors.begin(), flow.vectors.end(), std::pair(k, 0));
      if (it != flow.vectors.end() && it->first == k) cells = std::clamp(it->second, 1, 16);
      skip[rank] = cells - 1;
    }
    const Op op = instruction_of(n.op);
    const auto round = rounds.at(rank, n.event);
    const uint64_t instruction = uint64_t(n.line) << 16 | uint64_t(op) << 8 | uint64_t(n.place.array);
    PendingAccess& asked = warps[warp][uint64_t(round.place) << 32 | instruction];
    int& request = asked.next(lane, round.trip);
    if (request < 0) {
      request = int(all.size());
      WarpAccess& r = all.emplace_back();
      r.launch = v.launch;
      r.block = v.block;
      r.warp = warp;
      r.interval = v.index;
      r.line = n.line;
      r.op = op;
      r.array = n.place.array;
      r.occurrence = int(round.trip - 1 + asked.times[lane] - 1);
      rounds.note(request, instruction, round, r.occurrence);
      r.lanes_in_warp = std::min(warp_size, l.block - warp * warp_size);
      r.lanes.reserve(r.lanes_in_warp);
    }
    const uint32_t base = n.place.shared() ? array.offset : 0;
    all[request].lanes.push_back(
        {lane, n.place.index, base + uint32_t(n.place.index) * uint32_t(width), width * cells, k});
    if (last[rank] >= 0) next.emplace_back(last[rank], request);
    last[rank] = request;
  }
  rounds.number(all);
  for (WarpAccess& r : all) count_costs(r);
  return in_lanes_order(std::move(all), std::move(next));
}

std::vector<WarpAccess> requests(const Trace& trace, const DataflowGraph& flow) {
  return requests(trace, flow, source_loops(trace));
}

std::vector<WarpAccess> requests(const Trace& trace, const DataflowGraph& flow,
                                 std::span<const SourceLoops> loops) {
  const size_t intervals = flow.intervals.size();
  const size_t tasks = flow.sequence.size() < 20'000 ? 1 : std::min(intervals, 16 * workers());
  std::vector<std::vector<WarpAccess>> parts(tasks);
  parallel(tasks, [&](size_t task) {
    for (size_t k = intervals * task / tasks; k < intervals * (task + 1) / tasks; ++k) {
      auto more = requests(trace, flow, flow.intervals[k], loops);
      std::move(more.begin(), more.end(), std::back_inserter(parts[task]));
    }
  });
  std::vector<WarpAccess> all;
  for (auto& part : parts) std::move(part.begin(), part.end(), std::back_inserter(all));
  return all;
}

RequestTotals total(std::span<const WarpAccess> all) {
  RequestTotals t;
  for (const WarpAccess& r : all) {
    if (!r.shared()) {
      ++t.global_requests;
      t.global_sectors += r.sectors;
      t.global_sectors_ideal += r.ideal_sectors;
      continue;
    }
    ++t.shared_requests;
    t.shared_wavefronts += r.wavefronts;
    t.shared_wavefronts_ideal += r.ideal;
    (is_atomic(r.op) ? t.shared_atomic_wavefronts
     : writes(r.op)  ? t.shared_store_wavefronts
                     : t.shared_load_wavefronts) += r.wavefronts;
  }
  return t;
}

std::vector<Divergence> divergence(const Trace&, std::span<const WarpAccess> all) {
  // Of a block's warps that come by together: how many passes would do if their active lanes were packed.
  std::map<std::tuple<int, int, int, int, Op, int, int>, std::pair<long, long>> together;
  std::map<std::pair<int, int>, Divergence> lines;
  for (const WarpAccess& r : all) {
    auto& [passes, active] = together[{r.launch, r.line, r.block, r.interval, r.op, r.array, r.occurrence}];
    ++passes;
    active += long(r.lanes.size());
    Divergence& d = lines[{r.launch, r.line}];
    d.launch = r.launch;
    d.line = r.line;
    ++d.requests;
    d.active += long(r.lanes.size());
    d.lanes += r.lanes_in_warp;
  }
  std::map<std::pair<int, int>, long> ideal;
  for (const auto& [key, counts] : together)
    ideal[{std::get<0>(key), std::get<1>(key)}] += (counts.second + warp_size - 1) / warp_size;
  std::vector<Divergence> out;
  for (auto& [key, d] : lines) {
    d.executed_over_ideal = double(d.requests) / double(std::max(1l, ideal[key]));
    out.push_back(d);
  }
  return out;
}

}  // namespace bscope
