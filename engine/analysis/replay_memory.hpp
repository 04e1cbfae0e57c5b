// Memory as the replay has written it: global arrays, each block's shared ones, and, while an order is
// searched, what every cell held before.
#pragma once

#include <optional>

#include "engine/analysis/arithmetic.hpp"
#include "engine/analysis/replay_state.hpp"

namespace bscope::replay {

/// The cells of one array, wherever they are.
struct ArrayView {
  std::byte* bytes;
  int32_t* node;  ///< who wrote each
  int32_t* past;  ///< its latest entry in the memory's history; -1: none
  uint32_t size;
  ElementType kind;
  uint8_t width;
  uint64_t mask;
  bool shared;
  std::byte* at(uint32_t cell) const { return bytes + size_t(cell) * width; }
};

class ReplayMemory {
 public:
  explicit ReplayMemory(ReplayState&);
  void begin_launch();
  /// A block's shared memory, when it first does something.
  void start(ReplayBlock&) const;
  ArrayView cells(ReplayBlock&, int array);
  /// Whether the array has so many cells.
  bool has(int array, uint64_t cells) const;
  static uint64_t read(const ArrayView& array, uint32_t cell) {
    return read_bits(array.at(cell), array.width);
  }
  /// `touched`: the bytes of the cell that the node writes.
  void write(ReplayBlock&, const ArrayView&, uint32_t cell, uint64_t bits, int id,
             uint8_t touched = whole_cell);
  /// The last node that wrote these bytes of a cell; -1: none.
  int32_t writer(const ReplayBlock&, const ArrayView&, uint32_t cell, uint8_t touched) const;
  size_t shared_cells() const { return shared_cells_; }
  const std::vector<int32_t>& writers_of(size_t global_array) const { return global_node_[global_array]; }

  /// In a search: the write that left this value in the cell before now, if t could still have seen it:
  /// nothing it wrote itself, or its block before the last barrier, may lie between.
  std::optional<int32_t> past(int t, const ArrayView&, uint32_t cell, uint64_t bits);
  /// Where threads raced to write a cell of the block, the real memory tells who came last.
  void repair(ReplayBlock&, const std::byte* real);
  /// Holds the global arrays against what the launch has really left.
  void compare_global();

 private:
  /// A value that a cell held, who wrote it, and the one before.
  struct Past {
    uint64_t bits;
    int32_t node, before;
  };
  static uint64_t number(const ArrayView& array, uint32_t cell) {
    return reinterpret_cast<uintptr_t>(array.node + cell);
  }
  void remember(const ArrayView&, uint32_t cell, uint64_t before, uint64_t now, int32_t id);
  void settle_race(const ArrayView&, uint32_t cell, const std::byte* real);

  ReplayState& s_;
  std::vector<std::vector<std::byte>> global_bytes_;
  std::vector<std::vector<int32_t>> global_node_, global_past_;
  ByteWriters global_byte_writers_;
  // of the launch at hand
  std::vector<ArrayView> global_, shared_;
  std::vector<int> first_cell_;  // of each shared array
  size_t shared_cells_ = 0;
  std::vector<Past> history_;
};

}  // namespace bscope::replay
