#include "engine/cuda/machine/used_rows.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

namespace bscope::cuda {
namespace {

constexpr uint32_t corner = 2;      ///< blocks in x and y that are looked at: neighbours of either direction
constexpr int most_times = 4;       ///< a line's first accesses by each thread
constexpr double nearly_all = 0.8;  ///< what is done at the rim may differ

/// What a thread reached by a line's n-th access, by the thread's place in the grid (y, x).
using Reached = std::map<std::pair<uint32_t, uint32_t>, long>;
/// By line and n.
using Accesses = std::map<std::pair<int, int>, Reached>;
/// By global array.
using AllAccesses = std::map<int, Accesses>;

/// How often each number was met.
class NumberCounter {
 public:
  void add(long number, size_t times = 1) { times_[number] += times, all_ += times; }
  /// The number that nearly all were; 0 if none.
  long winner() const {
    for (const auto& [number, times] : times_)
      if (double(times) >= nearly_all * double(all_)) return number;
    return 0;
  }
  size_t all() const { return all_; }

 private:
  std::map<long, size_t> times_;
  size_t all_ = 0;
};

AllAccesses accesses(const Launch& l) {
  AllAccesses all;
  const Extent grid = *l.grid_extent, block = *l.block_extent;
  for (uint32_t b = 0; b < l.blocks.size(); ++b) {
    const Extent at = grid.place(b);
    if (at.x >= corner || at.y >= corner || at.z || l.blocks[b].first.empty()) continue;
    for (uint32_t t = 0; t < block.x * block.y; ++t) {
      const Extent in = block.place(t);
      std::map<std::pair<int, int>, int> times;  // by array and line
      for (const Event& e : l.blocks[b].log(int(t))) {
        if (!touches(e.op) || e.array >= first_shared) continue;
        int& n = times[{e.array, e.line}];
        if (n == most_times) continue;
        all[e.array][{e.line, n++}][{at.y * block.y + in.y, at.x * block.x + in.x}] = long(e.a);
      }
    }
  }
  return all;
}

/// From each thread to the one that is so far away.
NumberCounter differences(const Reached& from, const Reached& to, uint32_t down, uint32_t right) {
  NumberCounter all;
  for (const auto& [place, index] : from)
    if (const auto other = to.find({place.first + down, place.second + right}); other != to.end())
      all.add(std::abs(other->second - index));
  return all;
}

/// Cells from a row to the next, as these threads have it; 0: they show none.
long row_of(const Accesses& all, const std::pair<int, int>& which) {
  const Reached& r = all.at(which);
  uint32_t height = 0, width = 0;
  for (const auto& [place, index] : r)
    height = std::max(height, place.first + 1), width = std::max(width, place.second + 1);
  const long down = differences(r, r, 1, 0).winner(), right = differences(r, r, 0, 1).winner();
  if (down > right && down >= right * long(width)) return down;
  if (right > down && right >= down * long(height)) return right;
  return 0;
}

/// The same of a loop in which neighbours go down a column side by side.
long row_of_loop(const Accesses& all, const std::pair<int, int>& which) {
  const auto next = all.find({which.first, which.second + 1});
  if (next == all.end()) return 0;
  const Reached& r = all.at(which);
  const NumberCounter below = differences(r, r, 1, 0), beside = differences(r, r, 0, 1);
  if (beside.winner() != 1 || (below.all() && below.winner())) return 0;
  return differences(r, next->second, 0, 0).winner();
}

}  // namespace

std::vector<int> used_rows(const Trace& t) {
  std::vector<NumberCounter> rows(t.arrays.size());
  for (const Launch& l : t.launches) {
    if (!l.grid_extent || !l.block_extent || (l.grid_extent->y < 2 && l.block_extent->y < 2)) continue;
    for (const auto& [array, all] : accesses(l))
      for (const auto& [which, reached] : all) {
        long row = row_of(all, which);
        if (row < 2) row = row_of_loop(all, which);
        if (row >= 2) rows[size_t(array)].add(row, reached.size());
      }
  }
  std::vector<int> used;
  for (size_t id = 0; id < rows.size(); ++id) {
    const long row = rows[id].winner(), size = t.arrays[id].size;
    used.push_back(row >= 2 && row < size && size % row == 0 ? int(size / row) : 1);
  }
  return used;
}

}  // namespace bscope::cuda
