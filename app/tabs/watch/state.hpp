// What an array holds before and after an interval, from the trace's replay.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/analysis/flow.hpp"

namespace bscope {

/// The cells of one array at one moment.
struct ArrayState {
  Kind kind = Kind::i32;
  std::vector<uint64_t> bits;  ///< one a cell, as an Event or a Node would hold it
  std::vector<uint8_t> known;  ///< 0: never written, no value to show
  /// Of large arrays: the largest absolute value in each `coarse_cells` cells, so that a strip a screen wide
  /// need not read every cell in every frame.
  std::vector<float> coarse = {};
  static constexpr int coarse_cells = 8;
  /// The first cell held, a multiple of `coarse_cells`: not 0 if only a part of the array was asked for.
  int first = 0;
  /// One past the last cell held.
  int size() const { return first + int(bits.size()); }
  bool is_known(int cell) const { return known[size_t(cell - first)]; }
  uint64_t bits_of(int cell) const { return bits[size_t(cell - first)]; }
  double value(int cell) const {
    const uint64_t b = bits_of(cell);
    return kind == Kind::i32 ? double(int32_t(uint32_t(b))) : number(kind, b);
  }
  std::string text(int cell) const { return text_of(kind, bits_of(cell)); }
};
/// The largest absolute values in equal parts of the cells [first, first + count): what a strip of that many
/// columns shows. Cells that were never written count as 0.
std::vector<float> largest_in_parts(const ArrayState&, int first, int count, int parts);
/// Fills in `coarse` if the array (of so many cells) is large enough to need it.
void make_coarse(ArrayState&, int cells);
inline void make_coarse(ArrayState& s) { make_coarse(s, s.size()); }

using StatePtr = std::shared_ptr<const ArrayState>;

/// A shared array of the interval's block as it was when the interval ended.
ArrayState shared_state(const Trace&, const Interval&, int array);

/// Global arrays at any moment of the replay. A moment is a position in Flow::sequence: the state before the
/// access that stands there. States asked for are kept, so that stepping on costs only the writes between.
class GlobalHistory {
 public:
  GlobalHistory(const Trace&, const Flow&);
  StatePtr at(int array, int moment) const;
  /// At least the cells [first, first + count) at that moment. Costs a search a cell, however much was
  /// written before, and is not kept: for a part that is small beside the array.
  ArrayState part_at(int array, int moment, int first, int count) const;
  /// First position of the interval's accesses, and one past the last. An interval without accesses lies
  /// at the end of the one before it in its block, or at its launch's start.
  std::pair<int, int> moments(const Interval&) const;
  /// The last store or atomic on the cell before the moment (a node); -1: none.
  int writer(Place, int moment) const;

 private:
  /// The node of the access at a moment; at the end, one past all nodes.
  int node_at(int moment) const;
  int moment_of(int node) const;
  /// The launch that a moment is replayed from: its own if what was left before it is known, else the first.
  int launch_before(int moment) const;
  /// Cells [first, end) before a launch, from what is known to have been left by the one before.
  ArrayState at_start(int array, int launch, int first, int end) const;
  const Trace& trace_;
  const Flow& flow_;
  std::vector<int32_t> launch_start_;  // one a launch, and the end
  mutable std::vector<std::map<int, StatePtr>> kept_;
  mutable std::unordered_map<const Interval*, std::pair<int, int>> moments_;  // answers given
};

/// The value that the cell holds after a store or an atomic; needs the node's own Flow.
uint64_t written_bits(const Flow&, const Node&);
/// The same if the cell had held `old` before: for atomics, in another order than the replay's.
uint64_t written_bits(const Flow&, const Node&, uint64_t old);

}  // namespace bscope
