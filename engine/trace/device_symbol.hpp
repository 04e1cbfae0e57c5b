// Symbols of device code, as nvcc mangles them.
#pragma once

#include <charconv>
#include <string_view>

namespace bscope {

/// Where device code is linked (-rdc=true), nvcc puts in front of what is one file's own how that file is
/// identified: "__nv_static_21__1d49a393_4_b_cu_bias__Z3setPi" is its "_Z3setPi" (21 letters are the file's).
/// Any other symbol is itself.
inline std::string_view without_its_file(std::string_view symbol) {
  constexpr std::string_view head = "__nv_static_";
  if (!symbol.starts_with(head)) return symbol;
  size_t letters = 0;
  const char* const end = symbol.data() + symbol.size();
  const char* const file = std::from_chars(symbol.data() + head.size(), end, letters).ptr;
  if (file == end || *file != '_' || letters >= size_t(end - file) - 1 || file[1 + letters] != '_')
    return symbol;
  return symbol.substr(size_t(file - symbol.data()) + letters + 2);
}

}  // namespace bscope
