// The suffixes of builtins' names.
#pragma once

#include <array>
#include <span>

#include "engine/cuda/machine/value.hpp"

namespace bscope::cuda {

struct SuffixedKind {
  const char* suffix;
  ElementType kind;
};
inline constexpr std::array<SuffixedKind, 8> number_kinds = {{{"i32", ElementType::i32},
                                                              {"u32", ElementType::u32},
                                                              {"i64", ElementType::i64},
                                                              {"u64", ElementType::u64},
                                                              {"f32", ElementType::f32},
                                                              {"f64", ElementType::f64},
                                                              {"f16", ElementType::f16},
                                                              {"bf16", ElementType::bf16}}};
inline constexpr std::span<const SuffixedKind> integer_kinds(number_kinds.data(), 4);
inline constexpr std::span<const SuffixedKind> word_kinds(number_kinds.data(), 2);
inline constexpr std::span<const SuffixedKind> float_kinds(number_kinds.data() + 4, 2);
/// Of 16 bits.
inline constexpr std::span<const SuffixedKind> small_kinds(number_kinds.data() + 6, 2);

}  // namespace bscope::cuda
