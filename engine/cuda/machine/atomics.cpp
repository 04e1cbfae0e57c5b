// Atomics: what they leave, and the names that device code calls them by.
#include "engine/cuda/machine/atomics.hpp"

#include <algorithm>
#include <string>

#include "engine/cuda/ir/constants.hpp"
#include "engine/cuda/machine/builtins.hpp"
#include "engine/cuda/machine/interpreter.hpp"
#include "engine/cuda/machine/kinds.hpp"
#include "engine/cuda/machine/semantics.h"
#include "engine/trace/small_float.hpp"

namespace bscope::cuda {
namespace {

template <class T>
T combined(Atomic what, T now, T operand) {
  switch (what) {
    case Atomic::add: return T(now + operand);
    case Atomic::sub: return T(now - operand);
    case Atomic::min: return std::min(now, operand);
    case Atomic::max: return std::max(now, operand);
    default: return operand;
  }
}

uint64_t integer_after(Atomic what, ElementType kind, uint64_t now, uint64_t v) {
  const int bits = bytes_of(kind) * 8;
  const bool less = is_unsigned(kind) ? v < now : ir::sign_extended(v, bits) < ir::sign_extended(now, bits);
  switch (what) {
    case Atomic::min: return less ? v : now;
    case Atomic::max: return less ? now : v;
    case Atomic::bit_and: return now & v;
    case Atomic::bit_or: return now | v;
    case Atomic::bit_xor: return now ^ v;
    case Atomic::inc: return now >= v ? 0 : now + 1;
    case Atomic::dec: return now == 0 || now > v ? v : now - 1;
    default: return ir::cut_to(combined(what, now, v), bits);
  }
}

Value run_atomic(Interpreter& w, const BuiltinCall& c) {
  const auto what = Atomic(c.what);
  return w.atomic(what, c[0], c.kind, c[1], what == Atomic::compare ? c[2] : Value{}, c.line);
}

Value block_scope(Interpreter& w, const BuiltinCall& c) {
  if (!w.quiet()) {
    const std::string name = w.text_at(c[0].bits, 0);
    w.narrow_next_atomic({name + "_block", name});
  }
  return {};
}
/// The same of an atomic of PTX or libcu++.
Value scope_of_block(Interpreter& w, const BuiltinCall&) {
  w.narrow_next_atomic({"thread_scope_block", "thread_scope_device"});
  return {};
}
Value thread_scope(Interpreter& w, const BuiltinCall& c) {
  c.what ? w.begin_thread_scope() : w.end_thread_scope();
  return {};
}

}  // namespace

uint64_t after_atomic(Atomic what, ElementType kind, uint64_t now, uint64_t operand, uint64_t wanted) {
  if (what == Atomic::compare) return now == operand ? wanted : now;
  if (kind == ElementType::f32 && what != Atomic::exchange)
    return semantics::computed_f32(combined(what, as<float>(now), as<float>(operand)));
  if (kind == ElementType::f64) return bits_from(combined(what, as<double>(now), as<double>(operand)));
  if (kind == ElementType::f16) return bits_from(combined(what, as<Half>(now), as<Half>(operand)));
  if (kind == ElementType::bf16) return bits_from(combined(what, as<Bfloat16>(now), as<Bfloat16>(operand)));
  return integer_after(what, kind, now, operand);
}

void add_atomics(Builtins& all) {
  all.add("__bscope_block_scope", {block_scope, ElementType::i32, 0, 1});
  all.add("__bscope_scope_of_block", {scope_of_block, ElementType::i32, 0, 0});
  all.add("__bscope_thread_scope_begins", {thread_scope, ElementType::i32, 1, 0});
  all.add("__bscope_thread_scope_ends", {thread_scope, ElementType::i32, 0, 0});
  struct Named {
    const char* name;
    Atomic what;
    std::span<const SuffixedKind> kinds;
  };
  static constexpr std::array<SuffixedKind, 1> u32 = {{{"u32", ElementType::u32}}};
  for (const auto& [name, what, kinds] :
       std::initializer_list<Named>{{"add", Atomic::add, number_kinds},
                                    {"sub", Atomic::sub, number_kinds},
                                    {"exch", Atomic::exchange, number_kinds},
                                    {"min", Atomic::min, number_kinds},
                                    {"max", Atomic::max, number_kinds},
                                    {"and", Atomic::bit_and, integer_kinds},
                                    {"or", Atomic::bit_or, integer_kinds},
                                    {"xor", Atomic::bit_xor, integer_kinds},
                                    {"inc", Atomic::inc, u32},
                                    {"dec", Atomic::dec, u32}})
    for (const auto& [suffix, kind] : kinds)
      all.add("__bscope_atomic_" + std::string(name) + "_" + suffix, {run_atomic, kind, uint8_t(what), 2});
  for (const auto& [suffix, kind] : integer_kinds)
    all.add(std::string("__bscope_atomic_cas_") + suffix, {run_atomic, kind, uint8_t(Atomic::compare), 3});
  all.add("__bscope_atomic_cas_u16", {run_atomic, ElementType::u16, uint8_t(Atomic::compare), 3});
}

}  // namespace bscope::cuda
