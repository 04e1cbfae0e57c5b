// What the cells of one array hold at one moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/trace/trace.hpp"

namespace bscope {

struct DataflowGraph;
struct Interval;
struct Node;

/// Some cells of an array, side by side.
struct ArrayRange {
  int array = -1, first = 0, size = 0;
};

/// The cells of one array at one moment: all of them, or those from `first` on.
struct ArrayState {
  ElementType kind = ElementType::i32;
  std::vector<uint64_t> bits;  ///< one a cell, no more of them than its kind keeps
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
    return kind == ElementType::i32 ? double(int32_t(uint32_t(b))) : number(kind, b);
  }
  std::string text(int cell) const { return text_of(kind, bits_of(cell)); }
};
using StatePtr = std::shared_ptr<const ArrayState>;

/// The cells [first, end) of an array whose bytes these are, from its first cell on. Where they end early,
/// nothing is known.
ArrayState state_of(const ArrayInfo&, const std::vector<std::byte>& bytes, int first, int end);
/// Of a shared array, before the first write.
ArrayState nothing_written(const ArrayInfo&);
/// A shared array of the interval's block as it was when the interval ended.
ArrayState shared_state(const Trace&, const Interval&, int array);

/// The largest absolute values in equal parts of the cells [first, first + count): what a strip of that many
/// columns shows. Cells that were never written count as 0.
std::vector<float> largest_in_parts(const ArrayState&, int first, int count, int parts);
/// Fills in `coarse` if the array (of so many cells) is large enough to need it.
void make_coarse(ArrayState&, int cells);
inline void make_coarse(ArrayState& s) { make_coarse(s, s.size()); }
/// Puts what this store or atomic has left into its cell, which must be held, and keeps `coarse` right.
void apply(ArrayState&, const DataflowGraph&, const Node&);

/// The value that the cell holds after a store or an atomic; needs the node's own Flow.
uint64_t written_bits(const DataflowGraph&, const Node&);
/// The same if the cell had held `old` before: for atomics, in another order than the replay's.
uint64_t written_bits(const DataflowGraph&, const Node&, uint64_t old);

}  // namespace bscope
