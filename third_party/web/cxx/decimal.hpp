// Reading a number as std::from_chars reads it (chars_format::general, the C locale): libc++ has that for
// floating-point numbers from its version 20 on only. tests/web/decimal_test.cpp holds it against
// libstdc++'s.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>
#include <system_error>
#include <type_traits>

namespace bscope_web {

/// Where the number that begins at `first` ends; `first` where there is none.
inline const char* end_of_decimal(const char* first, const char* last) {
  const auto digit = [last](const char* p) { return p != last && *p >= '0' && *p <= '9'; };
  const auto word = [last](const char* p, const char* lower) {
    for (; *lower; ++p, ++lower)
      if (p == last || (*p | 0x20) != *lower) return false;
    return true;
  };
  const char* p = first;
  if (p != last && *p == '-') ++p;
  if (word(p, "infinity")) return p + 8;
  if (word(p, "inf")) return p + 3;
  if (word(p, "nan")) {
    p += 3;
    if (p == last || *p != '(') return p;
    const char* q = p + 1;
    while (q != last && (digit(q) || (*q | 0x20) - 'a' + 0u < 26u || *q == '_')) ++q;
    return q != last && *q == ')' ? q + 1 : p;
  }
  bool any = false;
  for (; digit(p); ++p) any = true;
  if (p != last && *p == '.') {
    const char* q = p + 1;
    for (; digit(q); ++q) any = true;
    p = q;
  }
  if (!any) return first;
  if (p != last && (*p | 0x20) == 'e') {
    const char* q = p + 1;
    if (q != last && (*q == '+' || *q == '-')) ++q;
    if (digit(q)) {
      while (digit(q)) ++q;
      p = q;
    }
  }
  return p;
}

/// `Result` is std::from_chars_result.
template <class Result, class T>
  requires std::is_floating_point_v<T>
Result read_decimal(const char* first, const char* last, T& value) {
  const char* end = end_of_decimal(first, last);
  if (end == first) return {first, std::errc::invalid_argument};
  const std::string text(first, end);  // strtod wants an end
  T read;
  if constexpr (std::is_same_v<T, float>)
    read = std::strtof(text.c_str(), nullptr);
  else
    read = T(std::strtod(text.c_str(), nullptr));
  const bool named = text.find_first_of("iInN") != std::string::npos;
  const bool nothing = read == 0 && text.find_first_of("123456789") < text.find_first_of("eE");
  if (!named && (std::isinf(read) || nothing)) return {end, std::errc::result_out_of_range};
  value = read;
  return {end, std::errc()};
}

}  // namespace bscope_web
