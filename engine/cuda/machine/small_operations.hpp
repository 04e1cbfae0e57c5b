// Operations of half precision and bfloat16: what __bscope_NAME_f16 and __bscope_NAME_bf16 compute is
// bscope_small_NAME of engine/trace/small_floats.h, for the interpreter and in native code.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include "engine/cuda/machine/value.hpp"
#include "engine/trace/small_float.hpp"

namespace bscope::cuda {

struct SmallOperation {
  std::string_view name;
  uint8_t operands;  ///< that are data
  Op event;          ///< the trace's word for it; of three operands behind the product
  uint64_t (*compute)(uint64_t, uint64_t, uint64_t, int);
  ElementType result = ElementType::other;  ///< other: the type that it works on
};
// clang-format off
#define BSCOPE_OPERATION(name, ...) SmallOperation{#name, __VA_ARGS__, bscope_small_##name}
#define BSCOPE_OPERATION_TO(name, result, ...) SmallOperation{#name, __VA_ARGS__, bscope_small_##name, ElementType::result}
inline constexpr SmallOperation small_operations[] = {
    BSCOPE_OPERATION(add, 2, Op::add), BSCOPE_OPERATION(sub, 2, Op::sub), BSCOPE_OPERATION(mul, 2, Op::mul),
    BSCOPE_OPERATION(div, 2, Op::div), BSCOPE_OPERATION(add_sat, 2, Op::add),
    BSCOPE_OPERATION(sub_sat, 2, Op::sub), BSCOPE_OPERATION(mul_sat, 2, Op::mul),
    BSCOPE_OPERATION(fma, 3, Op::add), BSCOPE_OPERATION(fma_sat, 3, Op::add),
    BSCOPE_OPERATION(fma_relu, 3, Op::add), BSCOPE_OPERATION(neg, 1, Op::sub),
    BSCOPE_OPERATION(abs, 1, Op::convert), BSCOPE_OPERATION(min, 2, Op::min), BSCOPE_OPERATION(max, 2, Op::max),
    BSCOPE_OPERATION(min_nan, 2, Op::min), BSCOPE_OPERATION(max_nan, 2, Op::max),
    BSCOPE_OPERATION_TO(eq, u8, 2, Op::equal), BSCOPE_OPERATION_TO(ne, u8, 2, Op::differ),
    BSCOPE_OPERATION_TO(lt, u8, 2, Op::less), BSCOPE_OPERATION_TO(le, u8, 2, Op::less_equal),
    BSCOPE_OPERATION_TO(gt, u8, 2, Op::more), BSCOPE_OPERATION_TO(ge, u8, 2, Op::more_equal),
    BSCOPE_OPERATION_TO(equ, u8, 2, Op::equal), BSCOPE_OPERATION_TO(neu, u8, 2, Op::differ),
    BSCOPE_OPERATION_TO(ltu, u8, 2, Op::less), BSCOPE_OPERATION_TO(leu, u8, 2, Op::less_equal),
    BSCOPE_OPERATION_TO(gtu, u8, 2, Op::more), BSCOPE_OPERATION_TO(geu, u8, 2, Op::more_equal),
    BSCOPE_OPERATION_TO(is_nan, u8, 1, Op::convert), BSCOPE_OPERATION_TO(is_infinite, i32, 1, Op::convert),
    BSCOPE_OPERATION(from_f32, 1, Op::convert), BSCOPE_OPERATION(from_f64, 1, Op::convert),
    BSCOPE_OPERATION(from_i32, 1, Op::convert), BSCOPE_OPERATION(from_u32, 1, Op::convert),
    BSCOPE_OPERATION(from_i64, 1, Op::convert), BSCOPE_OPERATION(from_u64, 1, Op::convert),
    BSCOPE_OPERATION_TO(to_f32, f32, 1, Op::convert), BSCOPE_OPERATION_TO(to_i8, i8, 1, Op::convert),
    BSCOPE_OPERATION_TO(to_u8, u8, 1, Op::convert), BSCOPE_OPERATION_TO(to_i16, i16, 1, Op::convert),
    BSCOPE_OPERATION_TO(to_u16, u16, 1, Op::convert), BSCOPE_OPERATION_TO(to_i32, i32, 1, Op::convert),
    BSCOPE_OPERATION_TO(to_u32, u32, 1, Op::convert), BSCOPE_OPERATION_TO(to_i64, i64, 1, Op::convert),
    BSCOPE_OPERATION_TO(to_u64, u64, 1, Op::convert),
};
// clang-format on
#undef BSCOPE_OPERATION
#undef BSCOPE_OPERATION_TO

/// "add"; nullptr: there is none of that name.
inline const SmallOperation* small_operation_named(std::string_view name) {
  const auto* const it = std::ranges::find(small_operations, name, &SmallOperation::name);
  return it == std::end(small_operations) ? nullptr : it;
}
constexpr bool is_small_float(ElementType k) { return k == ElementType::f16 || k == ElementType::bf16; }

}  // namespace bscope::cuda
