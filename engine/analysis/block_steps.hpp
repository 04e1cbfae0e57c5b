// The steps of a block: what each of its intervals did, and what of each array it concerns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/analysis/array_state.hpp"
#include "engine/analysis/arrows.hpp"
#include "engine/analysis/padding.hpp"
#include "engine/analysis/row_turns.hpp"
#include "engine/trace/cell_ref.hpp"

namespace bscope {

struct Interval;
struct Node;
struct Run;

/// One value on its way in one interval: an Arrow of the analysis, or a load whose value is stored later.
struct Move {
  Arrow arrow;        ///< `to` without an array: only read in this interval
  bool held = false;  ///< a load that waits in a register; `to` is where its value will be stored, if it is
  /// A load (a node) that waits; without an arrow's target yet.
  static Move held_load(int id, const Node&);
  bool copy() const { return arrow.op == "copy" || arrow.op == "constant"; }
};

/// Wavefronts of an interval (or sectors, in a launch without shared memory), by what caused them.
struct Traffic {
  int read = 0, write = 0, atomic = 0, extra = 0;
  int queue = 0;  ///< atomics of this block on one cell, the most there are; 0: at most one
  int total() const { return read + write + atomic + extra; }
};

/// What one source line did in one interval.
struct LineRole {
  enum Activity : uint8_t { compute, read, write, atomic, barrier } what = compute;
  std::vector<bool> lanes;  ///< of the first warp request there that left lanes out; empty: all took part
  int warp = -1;            ///< that request's warp
};

struct BlockSteps;

/// One interval of one block. The outline (the members) is made when the block is first
/// looked at; what is asked of some steps only (the functions) when it is first asked for, and
/// kept. One thread at a time may ask a step; several may ask several.
struct Step {
  const BlockSteps* in = nullptr;
  const Interval* interval = nullptr;
  int flow_index = 0;       ///< in DataflowGraph::intervals
  std::vector<bool> works;  ///< one a thread of the block
  int working = 0;
  int phase_number = 1, phase_count = 1;  ///< "Up-sweep 3 of 4"
  /// A store or atomic, and where its loads (as in Arrow::loads) end in `loads`.
  struct Store {
    int node = -1;
    uint32_t end = 0;
  };
  std::vector<Store> wrote;  ///< in the order of the replay
  std::vector<int> loads;    ///< of all of them, side by side

  const std::vector<Move>& moves() const;
  /// The loads (nodes) that went into none of the step's own stores: they wait in registers.
  const std::vector<int>& held() const;
  /// Distance of all arrows that leave their column, padding not counted; 0: none or mixed.
  int stride() const;
  int from() const;  ///< array of the row before
  int to() const;    ///< array of the row after
  /// What is shown of an array before the step, or after it: the block's part; where rows take turns, the
  /// one that the step reads, or writes. Without cells: the block does not touch it.
  ArrayRange before(int array) const { return shown(array, false); }
  ArrayRange after(int array) const { return shown(array, true); }
  const std::map<int, LineRole>& lines() const;
  const Traffic& traffic() const;
  bool prepared() const { return stride_ && traffic_; }
  /// Cells that the block wrote in this interval: how often, and the last store or atomic (a node).
  struct Written {
    int times = 0, node = -1;
  };
  using WrittenCells = std::vector<std::pair<uint64_t, Written>>;
  /// By key, sorted: steps of 1e5 writes are gone through in every frame that shows them.
  const WrittenCells& written() const;
  const Written* writes_of(CellRef p) const {
    const auto found = written_in(p.array, p.index, 1);
    return found.empty() ? nullptr : &found.front().second;
  }
  /// Those of `count` cells of an array from `first` on.
  std::span<const std::pair<uint64_t, Written>> written_in(int array, int first, int count) const {
    return in_cells(written(), array, first, count);
  }
  static std::span<const std::pair<uint64_t, Written>> in_cells(const WrittenCells& all, int array, int first,
                                                                int count) {
    const auto before = [](const auto& entry, uint64_t k) { return entry.first < k; };
    const auto begin = std::lower_bound(all.begin(), all.end(), key({array, std::max(0, first)}), before);
    const auto end =
        std::lower_bound(begin, all.end(), key({array, 0}) + uint64_t(std::max(0, first + count)), before);
    return {begin, end};
  }
  static uint64_t key(CellRef p) { return uint64_t(uint32_t(p.array)) << 32 | uint32_t(p.index); }

 private:
  struct RowPair {
    int from = -1, to = -1;
  };
  const RowPair& rows() const;
  ArrayRange shown(int array, bool written) const;
  mutable std::optional<std::vector<Move>> moves_;
  mutable std::optional<std::vector<int>> held_;
  mutable std::optional<int> stride_;
  mutable std::optional<RowPair> rows_;
  mutable std::optional<std::map<int, LineRole>> lines_;
  mutable std::optional<Traffic> traffic_;
  mutable std::optional<WrittenCells> written_;
};

/// One block of one launch.
struct BlockSteps {
  const Run* run = nullptr;
  int launch = 0, block = 0;
  std::vector<Step> steps;
  std::map<int, ArrayRange> parts;  ///< of each array that the block touches
  int main = -1;                    ///< the array it writes most; -1: it touches none
  std::map<int, Padding> padding;   ///< of each shared array of `parts`
  std::map<int, RowTurns> turns;    ///< of those whose rows take turns
  bool sectors = false;             ///< Step::traffic counts sectors, not wavefronts
  std::vector<std::pair<int, CellRef>>
      stored_at;  ///< each load whose value is stored, and where first; sorted
};
/// Of a block that the launch has. The run must outlive it; a run without launches has one block of no steps.
std::unique_ptr<BlockSteps> block_steps(const Run&, int launch, int block);
/// f(0) ... f(n - 1); from several threads where there are enough nodes to be worth them: on a busy machine
/// threads begin milliseconds late, and one alone outlines a block of 1e5 nodes in about that time.
void for_each_step(size_t n, size_t nodes, const std::function<void(size_t)>& f);

}  // namespace bscope
