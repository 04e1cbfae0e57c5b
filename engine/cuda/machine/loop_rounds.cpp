#include "engine/cuda/machine/loop_rounds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace bscope::cuda {
namespace {

/// Gives each round of a block its number. Numbers count from 1; 0 is no round.
class RoundNumbers {
 public:
  uint32_t of(uint32_t around, const ThreadRounds::Mark& m) {
    const auto [at, fresh] = known_.try_emplace({around, m.loop, m.number}, uint32_t(rounds_.size() + 1));
    if (fresh) {
      rounds_.push_back({around, m.number, m.line, loop_of_line(m)});
      next_.push_back(0);
    }
    return at->second;
  }
  /// Of the round behind one of the same loop, within the same round of the loop around.
  uint32_t behind(uint32_t round, const ThreadRounds::Mark& m) {
    if (!next_[round - 1]) {
      const uint32_t next = of(rounds_[round - 1].around, m);
      next_[round - 1] = next;
    }
    return next_[round - 1];
  }
  /// Puts them into the order of the program. Returns the new number of each.
  std::vector<uint32_t> sort() {
    std::vector<uint32_t> inside(rounds_.size());  // those within a round stand together
    std::iota(inside.begin(), inside.end(), 1);
    const auto order = [&](uint32_t k) {
      const LoopRounds::Round& r = rounds_[k - 1];
      return std::tuple(r.around, r.line, r.loop, r.number);
    };
    std::ranges::sort(inside, {}, order);
    const auto around = [&](uint32_t k) { return rounds_[k - 1].around; };
    std::vector<uint32_t> number(rounds_.size() + 1), left;
    std::vector<LoopRounds::Round> sorted;
    const auto take_inside = [&](uint32_t of) {
      const auto all = std::ranges::equal_range(inside, of, {}, around);
      left.insert(left.end(), std::make_reverse_iterator(all.end()), std::make_reverse_iterator(all.begin()));
    };
    for (take_inside(0); !left.empty();) {
      const uint32_t k = left.back();
      left.pop_back();
      LoopRounds::Round r = rounds_[k - 1];
      r.around = number[r.around];
      sorted.push_back(r);
      number[k] = uint32_t(sorted.size());
      take_inside(k);
    }
    rounds_ = std::move(sorted);
    return number;
  }
  std::vector<LoopRounds::Round> take() { return std::move(rounds_); }

 private:
  struct RoundKey {
    uint32_t around, loop, number;
    bool operator==(const RoundKey&) const = default;
  };
  struct RoundHash {
    size_t operator()(const RoundKey& k) const {
      const uint64_t h = (uint64_t(k.around) << 32 | k.number) * 0x9e3779b97f4a7c15u;
      return size_t((h ^ h >> 29 ^ k.loop) * 0xbf58476d1ce4e5b9u);
    }
  };
  uint16_t loop_of_line(const ThreadRounds::Mark& m) {
    auto& loops = loops_[m.line];
    const auto next = uint16_t(std::min(loops.size(), size_t(std::numeric_limits<uint16_t>::max())));
    return loops.try_emplace(m.loop, next).first->second;
  }

  std::vector<LoopRounds::Round> rounds_;
  std::vector<uint32_t> next_;  // of each: the round behind it; 0: not known
  std::unordered_map<RoundKey, uint32_t, RoundHash> known_;
  std::map<uint16_t, std::map<uint32_t, uint16_t>> loops_;  // by line
};

/// Whether two lanes made the same kinds of events: line, op and array.
bool are_alike(std::span<const Event> a, std::span<const Event> b) {
  if (a.size() != b.size()) return false;
  static_assert(offsetof(Event, bits) == sizeof(uint32_t));
  const auto difference = [&](size_t k) {
    uint32_t x = 0, y = 0;
    std::memcpy(&x, &a[k], sizeof x);
    std::memcpy(&y, &b[k], sizeof y);
    return x ^ y;
  };
  uint32_t any = 0;
  size_t k = 0;
  for (; k + 4 <= a.size(); k += 4)
    any |= difference(k) | difference(k + 1) | difference(k + 2) | difference(k + 3);
  for (; k < a.size(); ++k) any |= difference(k);
  return any == 0;
}

/// Adds the marks of the next thread of the table.
void add_marks(std::span<const ThreadRounds::Mark> marks, RoundNumbers& numbers, LoopRounds& table) {
  std::vector<uint32_t> path(1);  // the round at each depth, from 1 on
  const ThreadRounds::Mark* before = nullptr;
  for (const ThreadRounds::Mark& m : marks) {
    if (before && m.depth && m.depth == before->depth && m.loop == before->loop &&
        m.number == before->number + 1) {
      path.back() = numbers.behind(path.back(), m);
    } else {
      path.resize(std::max<size_t>(m.depth, 1), path.back());
      if (m.depth) path.push_back(numbers.of(path.back(), m));
    }
    if (before && before->event == m.event)
      table.marks.back().round = path.back();  // of a loop further inside
    else
      table.marks.push_back({m.event, path.back()});
    before = &m;
  }
}

}  // namespace

void ThreadRounds::leave_for(uint32_t depth) {
  while (now_.depth > depth && !around_.empty()) {
    now_ = around_.back();
    around_.pop_back();
  }
}

/// Of two marks without an event between them the later one counts, unless it is of a loop further inside.
void ThreadRounds::mark() {
  const auto is_replaced = [&](const Mark& m) { return m.event == now_.event && m.depth >= now_.depth; };
  while (!marks_.empty() && is_replaced(marks_.back())) marks_.pop_back();
  if (marks_.empty() ? now_.depth > 0 : !marks_.back().is_same(now_)) marks_.push_back(now_);
}

void ThreadRounds::leave(uint32_t depth, uint32_t event) {
  leave_for(depth);
  now_.event = event;
  mark();
}

void ThreadRounds::enter(uint32_t depth, uint32_t loop, uint16_t line, uint32_t event) {
  leave_for(depth - 1);
  around_.push_back(now_);
  now_ = {.event = event, .depth = uint16_t(depth), .line = line, .loop = loop, .number = 0};
  mark();
}

void ThreadRounds::clear() {
  now_ = {};
  around_.clear();
  marks_.clear();
}

// A thread's log is in the cache when it ends: later the comparison would wait for memory.
void BlockRounds::add(int rank, std::span<const Event> log, const ThreadRounds& rounds) {
  const size_t warp = size_t(rank) / warp_size;
  if (threads_.size() <= size_t(rank)) threads_.resize(size_t(rank) + 1);
  if (first_of_warp_.size() <= warp) first_of_warp_.resize(warp + 1);
  Marks marks = rounds.marks();
  while (!marks.empty() && marks.back().event >= log.size())  // it made no event there
    marks = marks.first(marks.size() - 1);
  Thread& now = threads_[size_t(rank)];
  if (const size_t first = first_of_warp_[warp]; first && !lanes_differ_) {
    now = threads_[first - 1];
    lanes_differ_ = !std::ranges::equal(marks, marks_of(now)) || (!marks.empty() && !are_alike(log, now.log));
    if (!lanes_differ_) return;
  }
  first_of_warp_[warp] = size_t(rank) + 1;
  now = {log, marks_.size(), marks_.size() + marks.size()};
  marks_.resize(now.end);
  if (!marks.empty()) std::memcpy(&marks_[now.first], marks.data(), marks.size_bytes());
}

LoopRounds BlockRounds::table(int threads) const {
  if (!lanes_differ_ || marks_.empty()) return {};
  LoopRounds table;
  RoundNumbers numbers;
  for (size_t k = 0; k < size_t(threads); ++k) {
    table.first.push_back(uint32_t(table.marks.size()));
    if (k < threads_.size()) add_marks(marks_of(threads_[k]), numbers, table);
  }
  table.first.push_back(uint32_t(table.marks.size()));
  const std::vector<uint32_t> number = numbers.sort();
  for (LoopRounds::Mark& m : table.marks) m.round = number[m.round];
  table.rounds = numbers.take();
  return table;
}

}  // namespace bscope::cuda
