#include "engine/analysis/active_lanes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>

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
  uint32_t first = 0, last = 0;  ///< in LaneLog::keys; `last` is not in it
};

/// What a lane did between two barriers.
struct LaneLog {
  std::vector<uint16_t> keys;  ///< operation, and array or type
  std::vector<Round> rounds;
  size_t next = 0;  ///< of `rounds`

  void clear() { keys.clear(), rounds.clear(), next = 0; }
  /// A line's round ends where the lane goes to another line, or comes back to what it began the round with:
  /// so the rounds of a loop that stands in one line stay apart.
  void add(int line, uint16_t key) {
    if (rounds.empty() || rounds.back().line != line || keys[rounds.back().first] == key)
      rounds.push_back({line, uint32_t(keys.size()), uint32_t(keys.size())});
    keys.push_back(key);
    ++rounds.back().last;
  }
  std::span<const uint16_t> of(const Round& r) const {
    return std::span(keys).subspan(r.first, r.last - r.first);
  }
};

/// Reads a thread's events up to its next barrier, that one included.
void read_interval(std::span<const Event> log, size_t& at, LaneLog& out) {
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
    if (is_instruction(e)) out.add(e.line, uint16_t(uint16_t(instruction_of(e.op)) << 8 | e.array));
  }
}

/// Counts the instructions of a warp that stands before these rounds of one line, all lanes together.
class RoundCounter {
 public:
  ActiveLanes count(std::span<const std::span<const uint16_t>> lanes) {
    const auto alike = [&](auto keys) { return std::ranges::equal(keys, lanes[0]); };
    if (std::ranges::all_of(lanes, alike))
      return {.instructions = long(lanes[0].size()), .active = long(lanes[0].size() * lanes.size())};
    ActiveLanes all;
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

void count_warp(std::span<LaneLog> lanes, RoundCounter& counter, LinesActiveLanes& out) {
  std::vector<std::span<const uint16_t>> together;
  for (;;) {
    int lowest = 1 << 16;
    for (const LaneLog& l : lanes)
      if (l.next < l.rounds.size()) lowest = std::min(lowest, l.rounds[l.next].line);
    if (lowest == 1 << 16) return;
    together.clear();
    for (LaneLog& l : lanes)
      if (l.next < l.rounds.size() && l.rounds[l.next].line == lowest)
        together.push_back(l.of(l.rounds[l.next++]));
    ActiveLanes round = counter.count(together);
    round.lanes = round.instructions * long(lanes.size());
    out[lowest] += round;
  }
}

}  // namespace

std::vector<LinesActiveLanes> active_lanes(const Launch& l, const BlockRun& block) {
  std::vector<LinesActiveLanes> all;
  if (is_between_launches(l) || block.first.size() < 2) return all;
  const size_t threads = block.first.size() - 1;
  std::array<LaneLog, warp_size> lanes;
  RoundCounter counter;
  for (size_t first = 0; first < threads; first += warp_size) {
    const size_t count = std::min(threads - first, size_t(warp_size));
    std::array<size_t, warp_size> at{};
    for (size_t interval = 0;; ++interval) {
      bool any = false;
      for (size_t k = 0; k < count; ++k) {
        const auto log = block.log(int(first + k));
        any |= at[k] < log.size();
        lanes[k].clear();
        read_interval(log, at[k], lanes[k]);
      }
      if (!any) break;
      if (all.size() <= interval) all.resize(interval + 1);
      count_warp(std::span(lanes).first(count), counter, all[interval]);
    }
  }
  return all;
}

std::vector<LinesActiveLanes> active_lanes(const Trace& t) {
  std::vector<LinesActiveLanes> all(t.launches.size());
  for (size_t k = 0; k < t.launches.size(); ++k) {
    const Launch& l = t.launches[k];
    std::mutex mutex;  // of all[k]
    parallel(l.blocks.size(), [&](size_t b) {
      const auto intervals = active_lanes(l, l.blocks[b]);
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
