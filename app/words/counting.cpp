#include "app/words/counting.hpp"

#include <algorithm>
#include <charconv>

#include "engine/trace/trace.hpp"

namespace bscope {

int launch_number(const Trace& t, int launch) {
  const auto end = t.launches.begin() + std::clamp(launch + 1, 0, int(t.launches.size()));
  return int(std::count_if(t.launches.begin(), end, [](const Launch& l) { return !is_between_launches(l); }));
}

int launch_count(const Trace& t) { return launch_number(t, int(t.launches.size())); }

std::optional<int> launch_at(const Trace& t, long long number) {
  for (size_t k = 0; k < t.launches.size(); ++k)
    if (!is_between_launches(t.launches[k]) && --number == 0) return int(k);
  return {};
}

std::string grouped(long long n) {
  std::string s = std::to_string(n < 0 ? -n : n);
  for (int at = int(s.size()) - 3; at > 0; at -= 3) s.insert(size_t(at), ",");
  return n < 0 ? "-" + s : s;
}

std::string grouped(const std::string& value) {
  long long n = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
  return error == std::errc() && end == value.data() + value.size() ? grouped(n) : value;
}

}  // namespace bscope
