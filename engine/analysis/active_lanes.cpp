#include "engine/analysis/active_lanes.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "engine/analysis/source_loops.hpp"
#include "engine/trace/parallel.hpp"

namespace bscope {
namespace {

/// Whether a lane that leaves this event has issued an instruction for it alone.
bool is_instruction(const Event& e) {
  if (e.line == 0 || e.op == Op::convert || e.op == Op::bulk_write || e.op == Op::complete ||
      e.op == Op::commit)
    return false;
  switch (group_of(e.op)) {
    case EventGroup::unknown:
    case EventGroup::steering:
    case EventGroup::address:
    case EventGroup::mark:
    case EventGroup::constant: return false;
    default: return true;
  }
}

/// Instructions of one lane, one after the other in one line.
struct Round {
  int line = 0;
  uint32_t in_loops = 0;         ///< the round of the loops around, of LoopRounds; 0: in none, or not known
  uint32_t first = 0, last = 0;  ///< in LaneLog::keys; `last` is not in it
};

/// Operations, each with its array or type.
using Keys = std::span<const uint16_t>;

/// What a lane did between two barriers.
struct LaneLog {
  std::vector<uint16_t> keys;
  std::vector<Round> visits;  ///< all that it did in one line before it went to another one
  std::vector<Round> rounds;  ///< the visits, split into rounds of loops that stand in one line

  void clear() { keys.clear(), visits.clear(), rounds.clear(); }
  void add(int line, uint32_t in_loops, uint16_t key) {
    if (visits.empty() || visits.back().line != line || visits.back().in_loops != in_loops)
      visits.push_back({line, in_loops, uint32_t(keys.size()), uint32_t(keys.size())});
    keys.push_back(key);
    ++visits.back().last;
  }
  Keys of(const Round& r) const { return Keys(keys).subspan(r.first, r.last - r.first); }
};

/// The length of what the keys repeat, all of them if they repeat nothing.
size_t period_of(Keys keys) {
  for (size_t p = 1; p <= keys.size() / 2; ++p)
    if (keys.size() % p == 0 && std::equal(keys.begin() + long(p), keys.end(), keys.begin())) return p;
  return keys.size();
}

/// Splits visits into rounds. Where all visits of a line are alike, they repeat what they repeat; else a
/// round ends where the lane comes back to what it began the round with.
void split_visits(std::span<LaneLog> lanes) {
  struct Line {
    Keys keys;
    bool is_alike = true;
  };
  std::map<int, Line> lines;
  for (const LaneLog& l : lanes)
    for (const Round& v : l.visits) {
      const auto [at, fresh] = lines.try_emplace(v.line, Line{l.of(v)});
      if (!fresh && at->second.is_alike) at->second.is_alike = std::ranges::equal(at->second.keys, l.of(v));
    }
  std::map<int, size_t> periods;  // 0: it has none
  for (const auto& [line, of] : lines) periods[line] = of.is_alike ? period_of(of.keys) : 0;
  for (LaneLog& l : lanes)
    for (const Round& v : l.visits) {
      const size_t period = periods[v.line];
      for (uint32_t k = v.first; k < v.last; ++k) {
        const bool begins = k == v.first || (period ? (k - v.first) % period == 0
                                                    : l.keys[k] == l.keys[l.rounds.back().first]);
        if (begins) l.rounds.push_back({v.line, v.in_loops, k, k});
        ++l.rounds.back().last;
      }
    }
}

/// Which of two lines comes first in the program, each in its round of the loops around.
std::strong_ordering in_program(const LoopRounds& known, const Round& a, const Round& b) {
  if (a.in_loops == b.in_loops) return a.line <=> b.line;
  if (a.in_loops > b.in_loops)
    return std::is_lt(in_program(known, b, a)) ? std::strong_ordering::greater : std::strong_ordering::less;
  uint32_t inner = b.in_loops;
  const auto around = [&] { return known.rounds[inner - 1].around; };
  while (around() > a.in_loops) inner = around();
  const bool is_beside = around() == a.in_loops;  // a line that a loop begins in comes behind it
  return is_beside && a.line >= known.rounds[inner - 1].line ? std::strong_ordering::greater
                                                             : std::strong_ordering::less;
}

/// Where a lane stands: its next round, and how often it has gone round each loop. The trace knows it, or the
/// loops of the source tell.
class LanePosition {
 public:
  LanePosition(const LaneLog& log, const SourceLoops& loops, const LoopRounds* known)
      : log_(&log), loops_(&loops), known_(known) {
    arrive();
  }
  bool has_ended() const { return next_ == log_->rounds.size(); }
  int line() const { return log_->rounds[next_].line; }
  Keys take() {
    const Round& now = log_->rounds[next_++];
    arrive();
    return log_->of(now);
  }
  /// Lanes that stand before others go first.
  std::strong_ordering operator<=>(const LanePosition& o) const {
    return known_ ? in_program(*known_, log_->rounds[next_], o.log_->rounds[o.next_]) : place_ <=> o.place_;
  }

 private:
  const SourceLoops::Range& range(int loop) const { return loops_->loops()[size_t(loop)]; }
  void arrive() {
    if (has_ended() || known_) return;
    count_rounds();
    place_.assign(1, {line(), 0});
    for (int loop = loops_->loop_at(line()); loop >= 0; loop = range(loop).around)
      place_.emplace_back(range(loop).first, in_.at(loop).rounds);
    std::ranges::reverse(place_);
  }
  /// Comes back to a line, or to one before the last one of the innermost loop that has been there: that goes
  /// round once more. Loops that are left begin anew.
  void count_rounds() {
    if (loops_->loops().empty()) return;
    const int here = line();
    std::erase_if(in_, [&](const auto& one) {
      return !loops_->holds(one.first, here) && loops_->share_function(range(one.first).first, here);
    });
    bool again = false;
    for (int loop = loops_->loop_at(here); loop >= 0; loop = range(loop).around) {
      InLoop& in = in_[loop];
      if (!again && in.last >= here) ++in.rounds, again = true;
      in.last = here;
    }
  }

  const LaneLog* log_;
  const SourceLoops* loops_;
  const LoopRounds* known_;
  size_t next_ = 0;
  /// The loops around the lane, the outermost first, with their rounds; then its line.
  std::vector<std::pair<int, int>> place_;
  struct InLoop {
    int last = 0;  ///< line that the lane was at
    int rounds = 0;
  };
  std::map<int, InLoop> in_;  ///< by the loop's number
};

/// Reads a thread's events up to its next barrier, that one included.
void read_interval(const BlockRun& block, int thread, size_t& at, LaneLog& out) {
  const auto log = block.log(thread);
  const auto in_loops = [&](size_t event) {
    return block.rounds ? block.rounds->at(thread, uint32_t(event)) : 0;
  };
  uint32_t further = 0;  // cells of one vector access: it is one instruction
  bool inside = false;
  for (bool done = false; at < log.size() && !done; ++at) {
    const Event& e = log[at];
    done = is_barrier(e.op);
    if (e.op == Op::together) {
      further = e.a;
      inside = false;
      continue;
    }
    if (touches(e.op) && further > 0) {
      const bool first = !inside;
      inside = --further > 0;
      if (!first) continue;
    }
    if (is_instruction(e))
      out.add(e.line, in_loops(at), uint16_t(uint16_t(instruction_of(e.op)) << 8 | e.array));
  }
}

/// Counts the instructions of a warp that stands before these rounds of one line, all lanes together.
class RoundCounter {
 public:
  ActiveLanes count(std::span<const Keys> lanes) {
    const auto alike = [&](auto keys) { return std::ranges::equal(keys, lanes[0]); };
    if (std::ranges::all_of(lanes, alike))
      return {.instructions = long(lanes[0].size()),
              .active = long(lanes[0].size() * lanes.size()),
              .lanes = 0,
              .runs = 1};
    ActiveLanes all{.instructions = 0, .active = 0, .lanes = 0, .runs = 1};
    most_.clear();
    for (const auto keys : lanes) {
      mine_.assign(keys.begin(), keys.end());
      std::ranges::sort(mine_);
      all.active += long(mine_.size());
      for (size_t k = 0; k < mine_.size();) {
        size_t end = k;
        while (end < mine_.size() && mine_[end] == mine_[k]) ++end;
        long& most = most_[mine_[k]];
        most = std::max(most, long(end - k));
        k = end;
      }
    }
    for (const auto& [key, times] : most_) all.instructions += times;
    return all;
  }

 private:
  std::map<uint16_t, long> most_;
  std::vector<uint16_t> mine_;
};

/// Counts a warp: the lanes with the lowest place go on, all of them by a round.
void count_warp(std::span<LaneLog> lanes, const SourceLoops& loops, const LoopRounds* known,
                RoundCounter& counter, LinesActiveLanes& out) {
  if (known)
    for (LaneLog& l : lanes) std::swap(l.rounds, l.visits);
  else
    split_visits(lanes);
  std::vector<LanePosition> at;
  for (const LaneLog& l : lanes) at.emplace_back(l, loops, known);
  std::vector<Keys> together;
  std::vector<LanePosition*> first;  // the lanes with the lowest place
  for (;;) {
    first.clear();
    for (LanePosition& lane : at) {
      if (lane.has_ended()) continue;
      const auto order = first.empty() ? std::strong_ordering::less : lane <=> *first[0];
      if (std::is_lt(order)) first.clear();
      if (std::is_lteq(order)) first.push_back(&lane);
    }
    if (first.empty()) return;
    together.clear();
    const int line = first[0]->line();
    for (LanePosition* lane : first) together.push_back(lane->take());
    ActiveLanes round = counter.count(together);
    round.lanes = round.instructions * long(lanes.size());
    out[line] += round;
  }
}

}  // namespace

std::vector<LinesActiveLanes> active_lanes(const Launch& l, const BlockRun& block, const SourceLoops& loops) {
  std::vector<LinesActiveLanes> all;
  if (is_between_launches(l) || block.first.size() < 2) return all;
  const size_t threads = block.first.size() - 1;
  std::array<LaneLog, warp_size> lanes;
  RoundCounter counter;
  const LoopRounds* const known = block.rounds && !block.rounds->first.empty() ? &*block.rounds : nullptr;
  for (size_t first = 0; first < threads; first += warp_size) {
    const size_t count = std::min(threads - first, size_t(warp_size));
    std::array<size_t, warp_size> at{};
    for (size_t interval = 0;; ++interval) {
      bool any = false;
      for (size_t k = 0; k < count; ++k) {
        any |= at[k] < block.log(int(first + k)).size();
        lanes[k].clear();
        read_interval(block, int(first + k), at[k], lanes[k]);
      }
      if (!any) break;
      if (all.size() <= interval) all.resize(interval + 1);
      count_warp(std::span(lanes).first(count), loops, known, counter, all[interval]);
    }
  }
  return all;
}

std::vector<LinesActiveLanes> active_lanes(const Trace& t) {
  std::vector<LinesActiveLanes> all(t.launches.size());
  const std::vector<SourceLoops> loops = source_loops(t);
  for (size_t k = 0; k < t.launches.size(); ++k) {
    const Launch& l = t.launches[k];
    const SourceLoops of_source = size_t(l.source) < loops.size() ? loops[size_t(l.source)] : SourceLoops();
    std::mutex mutex;  // of all[k]
    parallel(l.blocks.size(), [&](size_t b) {
      const auto intervals = active_lanes(l, l.blocks[b], of_source);
      const std::scoped_lock lock(mutex);
      for (const auto& lines : intervals)
        for (const auto& [line, lanes] : lines) all[k][line] += lanes;
    });
  }
  return all;
}

ActiveLanes total(const std::vector<LinesActiveLanes>& all) {
  ActiveLanes sum;
  for (const auto& lines : all)
    for (const auto& [line, lanes] : lines) sum += lanes;
  return sum;
}

}  // namespace bscope
