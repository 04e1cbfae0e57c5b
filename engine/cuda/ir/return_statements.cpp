#include "engine/cuda/ir/return_statements.hpp"

#include <algorithm>

namespace bscope::cuda::ir {
namespace {

/// The first and the last block of each loop, as the text has them: a `break` stands between them.
bool is_inside_a_loop(const Function& f, const NaturalLoops& loops, size_t block) {
  for (size_t l = 0; l < loops.all().size(); ++l) {
    if (block < size_t(loops.all()[l].header)) continue;
    for (size_t b = block; b < f.blocks.size(); ++b)
      if (const int of = loops.of_block(b); of >= 0 && loops.lies_in(of, int(l))) return true;
  }
  return false;
}

bool has_switch(const Function& f) {
  return std::ranges::any_of(
      f.blocks, [](const BasicBlock& b) { return !b.body.empty() && b.body.back().op == Opcode::switch_; });
}

/// The block that does nothing but return; as many as there are blocks: none, or several.
size_t end_of(const Function& f) {
  size_t end = f.blocks.size();
  for (size_t b = 0; b < f.blocks.size(); ++b) {
    if (f.blocks[b].body.empty() || f.blocks[b].body.back().op != Opcode::ret) continue;
    if (end < f.blocks.size() || f.blocks[b].body.size() > 1) return f.blocks.size();
    end = b;
  }
  return end;
}

}  // namespace

std::vector<bool> return_statements(const Function& f, const NaturalLoops& loops) {
  std::vector<bool> returns(f.blocks.size());
  const size_t end = end_of(f);
  if (end == f.blocks.size()) return returns;
  // A last `if` or loop leads to the end by its condition, a last `else` by a jump without a line; what
  // stands behind the former, and all where there is one of the latter, may be the end of a branch.
  size_t last = 0;
  bool by_condition = false, by_else = has_switch(f);
  for (size_t b = 0; b < f.blocks.size(); ++b)
    each_target(f.blocks[b], [&](size_t to) {
      if (to != end || by_condition) return;
      const Instruction& jump = f.blocks[b].body.back();
      by_condition = jump.op != Opcode::jump;
      by_else |= !by_condition && !jump.at.line;
      last = b;
    });
  for (size_t b = 0; b < f.blocks.size(); ++b) {
    const std::vector<Instruction>& body = f.blocks[b].body;
    if (body.empty() || body.back().op != Opcode::jump || size_t(body.back().b) != end) continue;
    returns[b] = body.size() == 1 || (!by_else && b < last && !is_inside_a_loop(f, loops, b));
  }
  return returns;
}

}  // namespace bscope::cuda::ir
