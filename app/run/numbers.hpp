// Numbers as users type them for an option.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/trace/error.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

/// A number that is typed for an option, which the error names. Throws UsageError; `what` says what is
/// expected.
/// `typed` is the whole word, `text` the part of it that is to be a number.
template <class T>
T number(const std::string& option, const std::string& text, const char* what, const std::string& typed) {
  T v{};
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), v);
  if (error == std::errc::result_out_of_range)
    throw UsageError(message("{} {} is out of range: {} is expected", option_message(option), typed,
                             Message::plain(what)));
  if (error != std::errc{} || end != text.data() + text.size() || text.empty() || text.starts_with("+-"))
    throw UsageError(message("{} {} is not a number: {} is expected", option_message(option),
                             typed.empty() ? "''" : typed, Message::plain(what)));
  return v;
}
template <class T>
T number(const std::string& option, const std::string& text, const char* what) {
  return number<T>(option, text, what, text);
}

/// Numbers as they are typed for an option, which errors name. Throw UsageError.
long long whole_number(const std::string& option, const std::string& text);  ///< also 2^20
uint32_t seed_number(const std::string& option, const std::string& text);
/// "11..200", "0/8": two numbers, and what stands `between` them, which `text` holds.
std::pair<int, int> two_numbers(const std::string& option, const std::string& text, std::string_view between,
                                const char* what);
double share(const std::string& option, const std::string& text);  ///< 0.5; its range is the kernels' matter

}  // namespace bscope
