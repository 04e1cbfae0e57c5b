// Which registers a step reads and sets.
#pragma once

#include <algorithm>

#include "engine/cuda/machine/bytecode.hpp"

namespace bscope::cuda {

/// Registers, one behind the other.
struct Operands {
  ir::Operand first;
  int64_t count;
};

/// The operands of a step that computes.
void all_of_compute(const BytecodeInstruction& s, const auto& f) {
  const int n = operands_of(compute_row_of(s.op)->form);
  const ir::Operand operands[] = {s.a, s.b, s.c};
  for (int k = 0; k < n; ++k) f(Operands{operands[k], 1});
}

/// Calls f with all operands that a step reads but the base of an address or the address of an access, which
/// is its `a`.
void each_value_read(const BytecodeFunction& code, const BytecodeInstruction& s, const auto& f) {
  const auto all = [&](std::initializer_list<Operands> list) {
    for (const Operands& o : list) f(o);
  };
  const auto none = [] {};
  const auto indices = [&] {
    for (const auto& scaled : code.addresses[s.index]) f(Operands{scaled.index, 1});
  };
  const auto arguments = [&] {
    if (code.calls[s.index].name.empty()) f(Operands{s.a, 1});
    for (const ir::Operand o : code.calls[s.index].arguments) f(Operands{o, 1});
  };
  switch (s.op) {
#define COMPUTE(id, ...) \
  case BytecodeOp::id: return all_of_compute(s, f);
#include "engine/cuda/ir/instructions.def"
#define STEP(id, effect, reads, ...) \
  case BytecodeOp::id: return reads;
#include "engine/cuda/ir/instructions.def"
  }
}

inline int64_t results_of_call(const BytecodeFunction& code, const BytecodeInstruction& s) {
  return s.to < 0 ? 0 : code.calls[s.index].results;
}
/// The registers that a step sets.
inline Operands set_by(const BytecodeFunction& code, const BytecodeInstruction& s) {
  switch (s.op) {
#define STEP(id, effect, reads, sets, ...) \
  case BytecodeOp::id: return {s.to, sets};
#include "engine/cuda/ir/instructions.def"
    default: return {s.to, 1};
  }
}

}  // namespace bscope::cuda
