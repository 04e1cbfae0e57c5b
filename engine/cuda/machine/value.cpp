#include "engine/cuda/machine/value.hpp"

#include <algorithm>
#include <array>

namespace bscope::cuda {

std::optional<ElementType> kind_named(std::string_view type) {
  static constexpr std::array<std::pair<std::string_view, ElementType>, 19> kinds = {{
      {"int", ElementType::i32},          {"float", ElementType::f32},
      {"unsigned int", ElementType::u32}, {"double", ElementType::f64},
      {"char", ElementType::i8},          {"signed char", ElementType::i8},
      {"unsigned char", ElementType::u8}, {"bool", ElementType::u8},
      {"short", ElementType::i16},        {"unsigned short", ElementType::u16},
      {"long", ElementType::i64},         {"unsigned long", ElementType::u64},
      {"long long", ElementType::i64},    {"unsigned long long", ElementType::u64},
      {"wchar_t", ElementType::i32},      {"char16_t", ElementType::u16},
      {"char32_t", ElementType::u32},     {"_Float16", ElementType::f16},
      {"__bf16", ElementType::bf16},
  }};
  const auto it = std::ranges::find(kinds, type, &std::pair<std::string_view, ElementType>::first);
  if (it == kinds.end()) return {};
  return it->second;
}

}  // namespace bscope::cuda
