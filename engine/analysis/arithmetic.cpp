#include "engine/analysis/arithmetic.hpp"

#include <algorithm>

namespace bscope {
namespace {
template <class T>
uint64_t combine(Op op, uint64_t old, uint64_t operand) {
  T a, b;
  std::memcpy(&a, &old, sizeof(T));
  std::memcpy(&b, &operand, sizeof(T));
  T result;
  if constexpr (std::is_integral_v<T>)
    result = op == Op::atomic_add ? T(uint64_t(a) + uint64_t(b)) : std::max(a, b);
  else
    result = op == Op::atomic_add ? a + b : std::max(a, b);
  uint64_t bits = 0;
  std::memcpy(&bits, &result, sizeof(T));
  return bits;
}
}  // namespace

uint64_t after_atomic(Op op, Kind kind, uint64_t old, uint64_t operand) {
  if (op == Op::atomic_exch) return operand & mask_of(kind);
  switch (kind) {
    case Kind::i8: return combine<int8_t>(op, old, operand);
    case Kind::u8: return combine<uint8_t>(op, old, operand);
    case Kind::i16: return combine<int16_t>(op, old, operand);
    case Kind::u16: return combine<uint16_t>(op, old, operand);
    case Kind::i32: return combine<int32_t>(op, old, operand);
    case Kind::u32: return combine<uint32_t>(op, old, operand);
    case Kind::i64: return combine<int64_t>(op, old, operand);
    case Kind::u64: return combine<uint64_t>(op, old, operand);
    case Kind::f32: return combine<float>(op, old, operand);
    case Kind::f64: return combine<double>(op, old, operand);
    case Kind::counted: return combine<uint64_t>(op, old, operand);
    case Kind::affine:
    case Kind::other: break;
  }
  return old;
}

}  // namespace bscope
