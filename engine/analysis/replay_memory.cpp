#include "engine/analysis/replay_memory.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

namespace bscope::replay {
namespace {

constexpr int past_depth = 1024;  // further back no reader is looked for while others may still move

ArrayView cells_of(const ArrayInfo& a, bool shared) {
  return {nullptr,         nullptr, nullptr, uint32_t(a.size), a.kind, uint8_t(bytes_of(a.kind)),
          mask_of(a.kind), shared};
}

}  // namespace

ReplayMemory::ReplayMemory(ReplayState& s) : s_(s) {
  for (const ArrayInfo& array : s.trace.arrays) {
    auto& bytes = global_bytes_.emplace_back(array.initial);
    bytes.resize(size_t(array.size) * size_t(bytes_of(array.kind)));
    global_node_.emplace_back(array.size, -1);
    global_past_.emplace_back();
  }
}

void ReplayMemory::begin_launch() {
  history_.clear();
  global_.clear();
  for (size_t a = 0; a < s_.trace.arrays.size(); ++a) {
    const ArrayInfo& array = s_.trace.arrays[a];
    if (s_.searching()) global_past_[a].assign(size_t(array.size), -1);
    ArrayView& c = global_.emplace_back(cells_of(array, false));
    c.bytes = global_bytes_[a].data();
    c.node = global_node_[a].data();
    c.past = global_past_[a].data();
  }
  shared_.clear();
  first_cell_.clear();
  shared_cells_ = 0;
  for (const ArrayInfo& array : s_.launch->shared) {
    first_cell_.push_back(int(shared_cells_));
    shared_cells_ += size_t(array.size);
    shared_.push_back(cells_of(array, true));
  }
}

void ReplayMemory::start(ReplayBlock& block) const {
  block.started = true;
  block.bytes.resize(s_.launch->shared_bytes);
  block.written.resize(s_.launch->shared_bytes);
  block.node.assign(shared_cells_, -1);
  if (s_.searching()) block.past.assign(shared_cells_, -1);
}

ArrayView ReplayMemory::cells(ReplayBlock& block, int array) {
  if (array < first_shared) return global_[size_t(array)];
  const auto k = size_t(array - first_shared);
  ArrayView c = shared_[k];
  c.bytes = block.bytes.data() + s_.launch->shared[k].offset;
  c.node = block.node.data() + first_cell_[k];
  if (s_.searching()) c.past = block.past.data() + first_cell_[k];
  return c;
}

bool ReplayMemory::has(int array, uint64_t cells) const {
  const auto& all = array < first_shared ? global_ : shared_;
  const auto k = size_t(array < first_shared ? array : array - first_shared);
  return k < all.size() && cells <= all[k].size;
}

void ReplayMemory::write(ReplayBlock& block, const ArrayView& array, uint32_t cell, uint64_t bits, int id,
                         uint8_t touched) {
  if (s_.searching()) remember(array, cell, read(array, cell), bits, id);
  std::byte* const at = array.at(cell);
  write_bits(at, bits, array.width);
  if (array.shared && array.node[cell] < 0) {
    const auto first = size_t(at - block.bytes.data());
    for (size_t k = 0; k < array.width; ++k) block.written[first + k] = true;
    block.wrote_anew = true;
  }
  ByteWriters& writers = array.shared ? block.byte_writers : global_byte_writers_;
  writers.write(number(array, cell), touched, id, array.node[cell]);
  array.node[cell] = id;
}

int32_t ReplayMemory::writer(const ReplayBlock& block, const ArrayView& array, uint32_t cell,
                             uint8_t touched) const {
  const ByteWriters& writers = array.shared ? block.byte_writers : global_byte_writers_;
  return writers.of(number(array, cell), touched, array.node[cell]);
}

std::optional<int32_t> ReplayMemory::past(int t, const ArrayView& array, uint32_t cell, uint64_t bits) {
  const int interval = s_.its_block(t).intervals.back().index;
  const bool far = s_.lenience >= Lenience::past;
  int32_t k = array.past[cell];
  for (int depth = 0; k >= 0 && s_.patience && (far || depth < past_depth);
       ++depth, --s_.patience, k = history_[size_t(k)].before) {
    const Past& p = history_[size_t(k)];
    if (p.bits == bits) return p.node;
    if (p.node < 0) continue;
    const Node& writer = s_.flow.nodes[size_t(p.node)];
    if (writer.launch != s_.number || writer.thread == t ||
        (s_.block_of(writer.thread) == s_.block_of(t) && writer.interval < interval))
      break;
  }
  return std::nullopt;
}

void ReplayMemory::remember(const ArrayView& array, uint32_t cell, uint64_t before, uint64_t now,
                            int32_t id) {
  int32_t& last = array.past[cell];
  if (last < 0) {
    history_.push_back({before, array.node[cell], -1});
    last = int32_t(history_.size()) - 1;
  }
  history_.push_back({now, id, last});
  last = int32_t(history_.size()) - 1;
}

void ReplayMemory::settle_race(const ArrayView& array, uint32_t cell, const std::byte* real) {
  const uint64_t want = read_bits(real, array.width), held = read(array, cell);
  if (held == want) return;
  std::unordered_set<int> later;        // threads that wrote after the write at hand
  std::unordered_map<int, int> latest;  // the last interval in which a block did
  for (int32_t k = array.past[cell]; k >= 0 && s_.patience; --s_.patience, k = history_[size_t(k)].before) {
    const Past p = history_[size_t(k)];  // a copy: remember() may move the history
    if (p.node < 0) break;
    const Node& writer = s_.flow.nodes[size_t(p.node)];
    if (writer.launch != s_.number) break;
    int& last = latest.try_emplace(s_.block_of(writer.thread), writer.interval).first->second;
    const bool overtaken = later.contains(writer.thread) || last > writer.interval;
    if (p.bits == want && !overtaken && is_store(writer.op)) {
      remember(array, cell, held, want, p.node);
      write_bits(array.at(cell), want, array.width);
      array.node[cell] = p.node;
      return;
    }
    later.insert(writer.thread);
    last = std::max(last, writer.interval);
  }
}

void ReplayMemory::repair(ReplayBlock& block, const std::byte* real) {
  block.odd = true;
  for (size_t a = 0; a < s_.launch->shared.size(); ++a) {
    const ArrayView array = cells(block, first_shared + int(a));
    const std::byte* from = real + s_.launch->shared[a].offset;
    for (uint32_t k = 0; k < array.size; ++k) settle_race(array, k, from + size_t(k) * array.width);
  }
}

void ReplayMemory::compare_global() {
  const Launch& l = *s_.launch;
  for (size_t a = 0; a < l.after.size() && a < global_bytes_.size(); ++a) {
    const std::vector<std::byte>& real = l.after[a];
    const std::vector<std::byte>& ours = global_bytes_[a];
    ++s_.flow.snapshots;
    if (real.size() == ours.size() && s_.searching() && real != ours)
      for (uint32_t k = 0; k < global_[a].size; ++k)
        settle_race(global_[a], k, real.data() + size_t(k) * global_[a].width);
    if (real == ours) continue;
    s_.flow.snapshots_match = false;
    // this one says more than one more read
    if (s_.flow.faults.size() == ReplayState::most_faults) s_.flow.faults.pop_back();
    s_.fault(-1, {.message = message("{} after launch {} differs from the replay", s_.trace.arrays[a].name,
                                     l.name)});
  }
}

}  // namespace bscope::replay
