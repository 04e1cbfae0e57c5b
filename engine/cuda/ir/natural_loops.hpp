// The loops of a function, as the jumps between its blocks make them.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/cuda/ir/module.hpp"

namespace bscope::cuda::ir {

/// Calls f with each block that a block's jumps lead to.
void each_target(const BasicBlock& b, const auto& f) {
  for (const Instruction& i : b.body) {
    if (i.op == Opcode::jump || i.op == Opcode::branch || i.op == Opcode::switch_) f(size_t(i.b));
    if (i.op == Opcode::branch) f(size_t(i.c));
    for (const auto& [value, to] : i.cases) f(size_t(to));
  }
}

/// The natural loops: a header, which every path into the loop goes through, and the blocks that lead back to
/// it. Blocks that jump to each other without such a header, as `goto` can make them, are none.
class NaturalLoops {
 public:
  explicit NaturalLoops(const Function&);

  struct Loop {
    int header = 0;   ///< a block
    int around = -1;  ///< the number of the next outer loop; -1: none
    int depth = 1;    ///< how many loops hold its blocks, itself included
    Location at;      ///< its first line
  };
  /// An outer loop stands before those inside.
  const std::vector<Loop>& all() const { return loops_; }
  /// The innermost loop that holds a block; -1: none does.
  int of_block(size_t block) const { return loops_.empty() ? -1 : of_block_[block]; }
  /// Whether a loop is another one or lies within it.
  bool lies_in(int loop, int outer) const;

 private:
  std::vector<Loop> loops_;
  std::vector<int> of_block_;
};

}  // namespace bscope::cuda::ir
