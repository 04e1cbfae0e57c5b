// Which registers a step reads and sets.
#pragma once

#include <algorithm>

#include "engine/cuda/machine/code.hpp"

namespace bscope::cuda {

/// Registers, one behind the other.
struct Operands {
  ir::Operand first;
  int64_t count;
};

/// Calls f with all operands that a step reads but the base of an address or the address of an access, which
/// is its `a`.
void each_value_read(const Code& code, const Step& s, const auto& f) {
  const auto all = [&](std::initializer_list<Operands> list) {
    for (const Operands& o : list) f(o);
  };
  switch (s.op) {
    case Do::local:
    case Do::load:
    case Do::fence:
    case Do::jump:
    case Do::unsupported:
    case Do::unreachable: return;
    case Do::store:
    case Do::index: return all({{s.b, 1}});
    case Do::address:
      for (const auto& scaled : code.addresses[s.index]) f(Operands{scaled.index, 1});
      return;
    case Do::copy:
    case Do::negate:
    case Do::cast:
    case Do::branch:
    case Do::choose: return all({{s.a, 1}});
    case Do::integer:
    case Do::floating:
    case Do::compare:
    case Do::modify: return all({{s.a, 1}, {s.b, 1}});
    case Do::compare_exchange: return all({{s.a, 1}, {s.b, 1}, {s.c, 1}});
    case Do::select: return all({{s.a, 1}, {s.b, s.number}, {s.c, s.number}});
    case Do::element: return all({{s.a, s.number}, {s.b, 1}});
    case Do::put_element: return all({{s.b, 1}, {s.c, 1}});
    case Do::give_back: return all({{s.a, s.number}});
    case Do::call:
    case Do::builtin:
      if (code.calls[s.index].name.empty()) f(Operands{s.a, 1});
      for (const ir::Operand o : code.calls[s.index].arguments) f(Operands{o, 1});
  }
}

/// The registers that a step sets.
inline Operands set_by(const Code& code, const Step& s) {
  switch (s.op) {
    case Do::store:
    case Do::fence:
    case Do::give_back:
    case Do::jump:
    case Do::branch:
    case Do::choose:
    case Do::unsupported:
    case Do::unreachable: return {s.to, 0};
    case Do::select: return {s.to, s.number};
    case Do::put_element: return {s.to, s.number};
    case Do::compare_exchange: return {s.to, 2};
    case Do::call:
    case Do::builtin: return {s.to, s.to < 0 ? 0 : code.calls[s.index].results};
    default: return {s.to, 1};
  }
}

}  // namespace bscope::cuda
