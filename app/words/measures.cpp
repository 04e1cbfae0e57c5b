#include "app/words/measures.hpp"

#include <fmt/format.h>

#include <cmath>

#include "app/words/counting.hpp"

namespace bscope {

std::string rate_text(double gb) {
  if (gb >= 100) return grouped(std::llround(gb));
  return gb >= 10    ? fmt::format("{:.1f}", gb)
         : gb >= 0.1 ? fmt::format("{:.2f}", gb)
                     : fmt::format("{:.2g}", gb);
}
std::string percent_text(double share) {
  const double p = share * 100;
  return p >= 10 || p == 0 ? fmt::format("{:.0f}%", p)
         : p >= 0.095      ? fmt::format("{:.1f}%", p)
                           : fmt::format("{:.2f}%", p);
}
std::string power_of_two(int log_n) { return "2^" + std::to_string(log_n); }
std::string n_text(long long n) {
  return (n & (n - 1)) == 0 ? power_of_two(int(std::lround(std::log2(double(n))))) : grouped(n);
}
std::string number_text(double v) { return v >= 1 ? grouped(std::llround(v)) : fmt::format("{:g}", v); }
std::string seconds_text(double v) {
  return v >= 1      ? fmt::format("{:.3g} s", v)
         : v >= 1e-3 ? fmt::format("{:.3g} ms", v * 1e3)
                     : fmt::format("{:.3g} us", v * 1e6);
}

}  // namespace bscope
