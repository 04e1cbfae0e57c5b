#include "engine/analysis/bank_slots.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

int words_in_worst_bank(const std::set<uint32_t>& words) {
  int in_bank[bank_count] = {}, most = 0;
  for (uint32_t w : words) most = std::max(most, ++in_bank[w % bank_count]);
  return most;
}

}  // namespace

std::vector<BankSlot> bank_slots(const WarpAccess& q) {
  int group = lanes_of_pass(q);
  if (group < 32) {  // all in one go if each bank is asked for one word
    std::set<uint32_t> words;
    for (const auto& lane : q.lanes)
      for (uint32_t b = 0; b < uint32_t(lane.bytes); b += bank_bytes)
        words.insert((lane.address + b) / bank_bytes);
    if (words_in_worst_bank(words) == 1) group = 32;
  }
  std::vector<BankSlot> all;
  int base = 0;
  for (size_t k = 0; k < q.lanes.size();) {
    const int pass = q.lanes[k].lane / group;
    std::map<uint32_t, std::vector<int>> words;
    for (; k < q.lanes.size() && q.lanes[k].lane / group == pass; ++k) {
      const auto& lane = q.lanes[k];
      const uint32_t last = (lane.address + uint32_t(std::max(1, lane.bytes)) - 1) / bank_bytes;
      for (uint32_t w = lane.address / bank_bytes; w <= last; ++w) words[w].push_back(lane.lane);
    }
    const int ideal = int((words.size() + bank_count - 1) / bank_count);
    int depth[bank_count] = {}, deepest = 0;
    for (auto& [word, lanes] : words) {
      const int bank = int(word % bank_count), row = depth[bank]++;
      deepest = std::max(deepest, row + 1);
      all.push_back({bank, base + row, word, std::move(lanes), row >= ideal});
    }
    base += deepest;
  }
  return all;
}

int wavefronts_if_padded(const Run& run, const WarpAccess& q) {
  const Launch& launch = run.trace.launches[size_t(q.launch)];
  const ArrayInfo& array = run.trace.array(launch, q.array);
  const auto cell = uint32_t(bytes_of(array.kind)), row = uint32_t(array.row_size()) * cell;
  const bool tile = is_tile(run.trace, launch, q.array) && row > 0;
  const auto padded_word = [&](uint32_t byte) {
    if (tile) return (byte + byte / row * cell) / bank_bytes;
    const uint32_t word = byte / bank_bytes;
    return word + word / bank_count;
  };
  std::map<int, std::set<uint32_t>> of_pass;
  const int group = lanes_of_pass(q);
  for (const auto& lane : q.lanes)
    for (uint32_t b = 0; b < uint32_t(std::max(1, lane.bytes)); b += bank_bytes)
      of_pass[lane.lane / group].insert(padded_word(lane.address + b - array.offset));
  int sum = 0;
  for (const auto& [pass, words] : of_pass) sum += words_in_worst_bank(words);
  return sum;
}

std::optional<StraightWords> straight_words(const WarpAccess& q) {
  if (q.lanes.size() < 2) return {};
  const auto word = [](const WarpAccess::LaneAccess& l) { return long(l.address) / bank_bytes; };
  const long between = q.lanes[1].lane - q.lanes[0].lane, rise = word(q.lanes[1]) - word(q.lanes[0]);
  if (rise % between) return {};
  const StraightWords fit{rise / between, word(q.lanes[0]) - rise / between * q.lanes[0].lane};
  for (const auto& lane : q.lanes)
    if (lane.bytes < bank_bytes || word(lane) != fit.step * lane.lane + fit.start) return {};
  return fit;
}

std::vector<bool> touched_words(const Run& run, const WarpAccess& q) {
  const Launch& l = run.trace.launches[size_t(q.launch)];
  std::vector<bool> touched(size_t(l.shared_bytes) / bank_bytes + 1);
  const DataflowGraph& flow = run.report.flow;
  for (const Interval& v : flow.of_block(q.launch, q.block))
    for (int k : v.nodes) {
      const Node& n = flow.nodes[k];
      if (!n.place.shared()) continue;
      const ArrayInfo& a = run.trace.array(l, n.place.array);
      const size_t width = size_t(std::max(1, bytes_of(a.kind)));
      const size_t first = a.offset + size_t(n.place.index) * width;
      for (size_t w = first / bank_bytes; w <= (first + width - 1) / bank_bytes && w < touched.size(); ++w)
        touched[w] = true;
    }
  return touched;
}

}  // namespace bscope
