#include "app/run/numbers.hpp"

#include <cmath>

#include "app/words/words.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

/// The whole number that was written in another way: 1e6, 64.0. 0: none.
long long written_otherwise(const std::string& text) {
  constexpr double most = 1e15;  // beyond these a double skips whole numbers
  double v = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  const bool whole = error == std::errc{} && end == text.data() + text.size() && v >= 1 && v <= most;
  return whole && v == std::floor(v) ? (long long)(v) : 0;
}

/// The power of two nearest to it: "2^20" of a million.
std::string nearest_power(long long n) { return "2^" + std::to_string(std::lround(std::log2(double(n)))); }

}  // namespace

long long whole_number(const std::string& option, const std::string& text) {
  if (text.starts_with("2^")) {
    const auto power = number<int>(option, text.substr(2), tr_noop("a power of two"), text);
    if (power < 0 || power > 62)
      throw UsageError(message("{} {} is out of range", option_message(option), text));
    return 1ll << power;
  }
  if (text.find_first_of("eE.") != std::string::npos)
    if (const long long n = written_otherwise(text))
      throw UsageError(message("{} {} is no whole number: write {} or {}", option_message(option), text, n,
                               nearest_power(n)));
  return number<long long>(option, text, tr_noop("a whole number"));
}
uint32_t seed_number(const std::string& option, const std::string& text) {
  return number<uint32_t>(option, text, tr_noop("a whole number from 0 to 4294967295"));
}
std::pair<int, int> two_numbers(const std::string& option, const std::string& text, std::string_view between,
                                const char* what) {
  const size_t at = text.find(between);
  return {number<int>(option, text.substr(0, at), what, text),
          number<int>(option, text.substr(at + between.size()), what, text)};
}
double share(const std::string& option, const std::string& text) {
  return number<double>(option, text, tr_noop("a number from 0 to 1"));
}

}  // namespace bscope
