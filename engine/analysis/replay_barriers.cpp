#include "engine/analysis/replay_barriers.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "engine/analysis/replay.hpp"

namespace bscope::replay {
namespace {

constexpr size_t most_unseen_memory = size_t(256) << 20;  // bytes replayed without a snapshot to compare with

}  // namespace

void Barriers::begin_launch() {
  for (int b = 0; b < s_.launch->grid; ++b) open(b);
  for (size_t t = 0; t < s_.threads.size(); ++t)  // no thread waits for one that does nothing
    if (s_.threads[t].size == 0) end_thread(s_.threads[t], s_.its_block(int(t)));
}

void Barriers::end_launch() {
  for (int b = 0; b < s_.launch->grid && !s_.stopped; ++b)
    if (!s_.blocks[size_t(b)].closed) close(b, 0);
}

void Barriers::open(int b) {
  ReplayBlock& block = s_.blocks[size_t(b)];
  const bool first = block.intervals.empty();
  const size_t expected = first ? 0 : block.intervals.back().nodes.size();
  const size_t computations = first ? 0 : block.intervals.back().work.size();
  Interval& v = block.intervals.emplace_back();
  v.launch = s_.number;
  v.block = b;
  v.index = int(block.intervals.size()) - 1;
  v.nodes.reserve(expected);
  v.work.reserve(computations);
  const ReplayThread& of = s_.threads[size_t(b) * size_t(s_.launch->block)];
  block.phase = of.phase;
  block.phases = of.phases;
  const auto threads = size_t(s_.launch->block);
  block.library = library_at_open(std::span(s_.threads).subspan(size_t(b) * threads, threads));
}

std::string Barriers::phase_of(int b, int line) {
  ReplayBlock& block = s_.blocks[size_t(b)];
  const Interval& v = block.intervals.back();
  const auto threads = size_t(s_.launch->block);
  if (v.nodes.empty() && line == 0)
    take_earliest_phase(std::span(s_.threads).subspan(size_t(b) * threads, threads), block.phase,
                        block.phases);
  if (const auto library = s_.launch->phases.find(block.library); library != s_.launch->phases.end())
    return library->second;
  if (block.phases == 0) return unnamed_phase(s_.trace, *s_.launch);
  const auto named = s_.launch->phases.find(block.phase);
  if (named != s_.launch->phases.end()) return named->second;
  return v.index > 0 ? block.intervals[size_t(v.index) - 1].phase : unnamed_phase(s_.trace, *s_.launch);
}

void Barriers::close(int b, int line) {
  ReplayBlock& block = s_.blocks[size_t(b)];
  Interval& v = block.intervals.back();
  const std::vector<std::byte>& real = s_.launch->blocks[size_t(b)].snapshots;
  const size_t size = s_.launch->shared_bytes, from = size_t(v.index) * size;
  const bool seen = from + size <= real.size();
  if (!seen && (unseen_ += size + 4 * memory_.shared_cells()) > most_unseen_memory) {
    s_.fault(-1, {.message = message("there are no snapshots of shared memory, and too many intervals to go "
                                     "without")});
    s_.stopped = true;
    return;
  }
  if (!block.started) memory_.start(block);
  v.line = line;
  const bool same = seen && (size == 0 || std::memcmp(block.bytes.data(), real.data() + from, size) == 0);
  if (same) v.shared = {real.data() + from, size};
  if (block.wrote_anew || v.index == 0)
    v.written = std::make_shared<const std::vector<bool>>(block.written);
  else
    v.written = block.intervals[size_t(v.index) - 1].written;
  block.wrote_anew = false;
  v.phase = phase_of(b, line);
  if (size == 0) return;
  check(b, v, seen ? real.data() + from : nullptr, same);
  if (!same && v.shared.empty()) {
    s_.flow.own_memory.push_back(std::make_shared<const std::vector<std::byte>>(block.bytes));
    v.shared = *s_.flow.own_memory.back();
  }
  block.accesses += v.nodes.size();
  if (block.odd || block.accesses >= std::max(kept_apart, memory_.shared_cells())) {
    v.kept_holders = block.node;
    block.accesses = 0;
  }
  block.odd = false;
}

void Barriers::check(int b, Interval& v, const std::byte* real, bool same) {
  const size_t size = s_.launch->shared_bytes;
  const auto fault = [&](Message what) { s_.fault(-1, {.block = b, .message = std::move(what)}); };
  const Message which = s_.interval(v.index, b);
  if (!real) {
    if (!s_.launch->blocks[size_t(b)].events.empty()) {
      s_.flow.snapshots_match = false;
      fault(message("{} has no snapshot", which));
    }
    return;
  }
  ++s_.flow.snapshots;
  if (same) return;
  if (s_.searching()) {
    ReplayBlock& block = s_.blocks[size_t(b)];
    memory_.repair(block, real);
    if (std::memcmp(block.bytes.data(), real, size) == 0) {
      v.shared = {real, size};
      return;
    }
  }
  s_.flow.snapshots_match = false;
  fault(message("the snapshot of shared memory after {} differs from the replay", which));
}

bool Barriers::opens(int b) const {
  const ReplayBlock& block = s_.blocks[size_t(b)];
  const size_t size = s_.launch->shared_bytes, real = s_.launch->blocks[size_t(b)].snapshots.size();
  if (size == 0 || real < size || real >= (block.intervals.size() + 1) * size) return true;
  const int first = b * s_.launch->block;
  for (int t = first; t < first + s_.launch->block; ++t)
    if (const ReplayThread& one = s_.threads[size_t(t)]; one.at_barrier && one.pos < one.size) return true;
  return false;
}

void Barriers::settle(int t) {
  ReplayThread& me = s_.threads[size_t(t)];
  const int b = s_.block_of(t), all = s_.launch->block;
  ReplayBlock& block = s_.blocks[size_t(b)];
  if (!me.done && !me.at_barrier && me.pos == me.size) end_thread(me, block);
  while (!block.closed && !s_.stopped && block.waiting + block.done == all) {
    if (block.waiting == 0 || !opens(b)) {
      close(b, 0);
      block.closed = true;
      block.bytes = {};
      block.written = {};
      block.node = block.past = {};
      return;
    }
    int line = 0;
    for (int u = b * all; u < (b + 1) * all; ++u) {
      ReplayThread& other = s_.threads[size_t(u)];
      if (!other.at_barrier) continue;
      const Event& met = other.log[other.pos - 1];
      if (!line) line = met.line;
      if (other.library) block.library = other.library;
      block.intervals.back().of_grid |= met.op == Op::sync_grid;
      other.at_barrier = false;
      if (other.pos == other.size) end_thread(other, block);
    }
    block.waiting = 0;
    close(b, line);
    if (!s_.stopped) open(b);
  }
}

}  // namespace bscope::replay
