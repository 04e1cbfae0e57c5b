#include "engine/cuda/machine/value.hpp"

#include <algorithm>
#include <array>

namespace bscope::cuda {

std::optional<Kind> kind_named(std::string_view type) {
  static constexpr std::array<std::pair<std::string_view, Kind>, 17> kinds = {{
      {"int", Kind::i32},
      {"float", Kind::f32},
      {"unsigned int", Kind::u32},
      {"double", Kind::f64},
      {"char", Kind::i8},
      {"signed char", Kind::i8},
      {"unsigned char", Kind::u8},
      {"bool", Kind::u8},
      {"short", Kind::i16},
      {"unsigned short", Kind::u16},
      {"long", Kind::i64},
      {"unsigned long", Kind::u64},
      {"long long", Kind::i64},
      {"unsigned long long", Kind::u64},
      {"wchar_t", Kind::i32},
      {"char16_t", Kind::u16},
      {"char32_t", Kind::u32},
  }};
  const auto it = std::ranges::find(kinds, type, &std::pair<std::string_view, Kind>::first);
  if (it == kinds.end()) return {};
  return it->second;
}

}  // namespace bscope::cuda
