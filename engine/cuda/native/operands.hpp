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

/// Calls f with all operands that a step reads but the base of an address or the address of an access, which
/// is its `a`.
void each_value_read(const Code& code, const BytecodeInstruction& s, const auto& f) {
  const auto all = [&](std::initializer_list<Operands> list) {
    for (const Operands& o : list) f(o);
  };
  switch (s.op) {
    case BytecodeOp::local:
    case BytecodeOp::load:
    case BytecodeOp::fence:
    case BytecodeOp::jump:
    case BytecodeOp::unsupported:
    case BytecodeOp::unreachable: return;
    case BytecodeOp::store:
    case BytecodeOp::index: return all({{s.b, 1}});
    case BytecodeOp::address:
      for (const auto& scaled : code.addresses[s.index]) f(Operands{scaled.index, 1});
      return;
    case BytecodeOp::copy:
    case BytecodeOp::negate:
    case BytecodeOp::cast:
    case BytecodeOp::branch:
    case BytecodeOp::switch_: return all({{s.a, 1}});
    case BytecodeOp::integer:
    case BytecodeOp::floating:
    case BytecodeOp::compare:
    case BytecodeOp::atomic_rmw: return all({{s.a, 1}, {s.b, 1}});
    case BytecodeOp::compare_exchange: return all({{s.a, 1}, {s.b, 1}, {s.c, 1}});
    case BytecodeOp::select: return all({{s.a, 1}, {s.b, s.number}, {s.c, s.number}});
    case BytecodeOp::element: return all({{s.a, s.number}, {s.b, 1}});
    case BytecodeOp::put_element: return all({{s.b, 1}, {s.c, 1}});
    case BytecodeOp::ret: return all({{s.a, s.number}});
    case BytecodeOp::call:
    case BytecodeOp::builtin:
      if (code.calls[s.index].name.empty()) f(Operands{s.a, 1});
      for (const ir::Operand o : code.calls[s.index].arguments) f(Operands{o, 1});
  }
}

/// The registers that a step sets.
inline Operands set_by(const Code& code, const BytecodeInstruction& s) {
  switch (s.op) {
    case BytecodeOp::store:
    case BytecodeOp::fence:
    case BytecodeOp::ret:
    case BytecodeOp::jump:
    case BytecodeOp::branch:
    case BytecodeOp::switch_:
    case BytecodeOp::unsupported:
    case BytecodeOp::unreachable: return {s.to, 0};
    case BytecodeOp::select: return {s.to, s.number};
    case BytecodeOp::put_element: return {s.to, s.number};
    case BytecodeOp::compare_exchange: return {s.to, 2};
    case BytecodeOp::call:
    case BytecodeOp::builtin: return {s.to, s.to < 0 ? 0 : code.calls[s.index].results};
    default: return {s.to, 1};
  }
}

}  // namespace bscope::cuda
