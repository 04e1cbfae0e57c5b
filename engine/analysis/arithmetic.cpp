#include "engine/analysis/arithmetic.hpp"

#include <algorithm>
#include <type_traits>

#include "engine/trace/small_float.hpp"

namespace bscope {
namespace {
template <class T>
uint64_t combine(Op op, uint64_t old, uint64_t operand) {
  T a, b;
  std::memcpy(static_cast<void*>(&a), &old, sizeof(T));
  std::memcpy(static_cast<void*>(&b), &operand, sizeof(T));
  using Sum = std::conditional_t<std::is_integral_v<T>, uint64_t, T>;  // integers wrap
  T result = a;
  switch (op) {
    case Op::atomic_add: result = T(Sum(a) + Sum(b)); break;
    case Op::atomic_sub: result = T(Sum(a) - Sum(b)); break;
    case Op::atomic_max: result = std::max(a, b); break;
    case Op::atomic_min: result = std::min(a, b); break;
    case Op::atomic_inc: result = a >= b ? T(0) : T(Sum(a) + Sum(1)); break;
    case Op::atomic_dec: result = a == T(0) || a > b ? b : T(Sum(a) - Sum(1)); break;
    default: break;
  }
  uint64_t bits = 0;
  std::memcpy(&bits, &result, sizeof(T));
  return bits;
}
}  // namespace

uint64_t after_atomic(Op op, ElementType kind, uint64_t old, uint64_t operand) {
  switch (op) {
    case Op::atomic_exch:
    case Op::atomic_cas: return operand & mask_of(kind);
    case Op::atomic_cas_failed: return old;
    case Op::atomic_and: return old & operand;
    case Op::atomic_or: return old | (operand & mask_of(kind));
    case Op::atomic_xor: return old ^ (operand & mask_of(kind));
    default: break;
  }
  switch (kind) {
    case ElementType::i8: return combine<int8_t>(op, old, operand);
    case ElementType::u8: return combine<uint8_t>(op, old, operand);
    case ElementType::i16: return combine<int16_t>(op, old, operand);
    case ElementType::u16: return combine<uint16_t>(op, old, operand);
    case ElementType::i32: return combine<int32_t>(op, old, operand);
    case ElementType::u32: return combine<uint32_t>(op, old, operand);
    case ElementType::i64: return combine<int64_t>(op, old, operand);
    case ElementType::u64: return combine<uint64_t>(op, old, operand);
    case ElementType::f32: return combine<float>(op, old, operand);
    case ElementType::f64: return combine<double>(op, old, operand);
    case ElementType::counted: return combine<uint64_t>(op, old, operand);
    case ElementType::f16: return combine<Half>(op, old, operand);
    case ElementType::bf16: return combine<Bfloat16>(op, old, operand);
    case ElementType::affine:
    case ElementType::other: break;
  }
  return old;
}

std::optional<Op> joined_by(Op atomic) {
  const Op joins = row_of(atomic).joins;
  return is_atomic(atomic) && joins != atomic ? std::optional(joins) : std::nullopt;
}

}  // namespace bscope
