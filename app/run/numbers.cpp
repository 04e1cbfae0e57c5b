#include "app/run/numbers.hpp"

#include "app/words/words.hpp"
#include "engine/trace/error.hpp"

namespace bscope {

long long whole_number(const std::string& option, const std::string& text) {
  if (text.starts_with("2^")) {
    const auto power = number<int>(option, text.substr(2), tr_noop("a power of two"), text);
    if (power < 0 || power > 62)
      throw UsageError(message("{} {} is out of range", option_message(option), text));
    return 1ll << power;
  }
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
