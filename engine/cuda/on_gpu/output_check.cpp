#include "engine/cuda/on_gpu/output_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "engine/cuda/toolchain/source_copy.hpp"

namespace bscope::cuda {
namespace {

constexpr double rounding = 1e-4;  // of a fraction, relative
constexpr size_t most_letters = 200;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> all;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
    all.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

/// A number that begins here, and how many letters it takes; 0: none does.
std::pair<double, size_t> number_at(std::string_view text) {
  const std::string piece(text.substr(0, 64));
  char* end = nullptr;
  const double v = std::strtod(piece.c_str(), &end);
  return {v, size_t(end - piece.c_str())};
}
bool is_fraction(std::string_view number) { return number.find_first_of(".eE") != std::string_view::npos; }

/// The same but for fractions that rounding explains.
bool nearly(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const auto [x, x_length] = number_at(a);
    const auto [y, y_length] = number_at(b);
    if (x_length && y_length && (is_fraction(a.substr(0, x_length)) || is_fraction(b.substr(0, y_length)))) {
      if (!(std::abs(x - y) <= rounding * std::max({std::abs(x), std::abs(y), 1e-6}))) return false;
      a.remove_prefix(x_length);
      b.remove_prefix(y_length);
    } else if (a[0] != b[0]) {
      return false;
    } else {
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.empty() && b.empty();
}

std::string shown(const std::vector<std::string_view>& lines, size_t k) {
  return k < lines.size() ? as_shown(lines[k].substr(0, most_letters)) : std::string();
}

}  // namespace

Compared compare_outputs(std::string_view a, std::string_view b) {
  std::vector<std::string_view> as = lines_of(a), bs = lines_of(b);
  const auto [x, y] = std::ranges::mismatch(as, bs);
  const auto at = size_t(x - as.begin());
  if (x == as.end() && y == bs.end()) return {};
  Compared c{Alike::different, {int(at) + 1, shown(as, at), shown(bs, at)}};
  if (as.size() != bs.size()) return c;
  size_t far = 0;
  while (far < as.size() && nearly(as[far], bs[far])) ++far;
  if (far == as.size()) {
    c.alike = Alike::rounded;
    return c;
  }
  c.first = {int(far) + 1, shown(as, far), shown(bs, far)};
  std::ranges::sort(as);
  std::ranges::sort(bs);
  if (as == bs) c.alike = Alike::reordered;
  return c;
}

}  // namespace bscope::cuda
