#include "engine/catalog/patterns.hpp"

#include <cmath>

#include "engine/simt/made_input.hpp"
#include "engine/simt/problem.hpp"

namespace bscope {
namespace {

/// SplitMix64: the standard library's distributions differ from one library to another.
class Random {
 public:
  explicit Random(uint32_t seed) : state_(seed) {}
  uint64_t bits() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }
  int below(int n) { return int(bits() % uint64_t(n)); }
  double unit() { return double(bits() >> 11) * 0x1p-53; }  // 0 included, 1 not

 private:
  uint64_t state_;
};

constexpr double step = 0.02 * 3.14;  // radians an element, as in the published test data

template <class F>
std::vector<double> made(int n, F f) {
  std::vector<double> v(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) v[size_t(i)] = f(i);
  return v;
}

}  // namespace

const std::vector<std::string>& pattern_names() {
  static const std::vector<std::string> names{"ones", "ramp", "random", "sine", "skewed"};
  return names;
}

std::string pattern_of(const Problem& p) { return p.made ? made_patterns()[size_t(p.made->pattern)] : ""; }

bool is_pattern_of_keys(const std::string& name) { return name == "zipf" || name == "entropy"; }

std::vector<double> value_pattern(const std::string& name, int n, uint32_t seed) {
  Random random(seed);
  if (name == "ones") return made(n, [](int) { return 1.0; });
  if (name == "ramp") return made(n, [](int i) { return double(i); });
  if (name == "random") return made(n, [&](int) { return double(random.below(10)); });
  if (name == "sine") return made(n, [](int i) { return std::trunc(10 * std::sin(step * i)); });
  if (name == "skewed")  // one in eight is large
    return made(n, [&](int) { return double(random.below(8) ? random.below(3) : 50 + random.below(50)); });
  return {};
}

std::vector<double> key_pattern(const std::string& name, int n, uint32_t seed, int bins, double skew) {
  Random random(seed);
  if (name == "ones") return made(n, [&](int) { return double(1 % bins); });
  if (name == "ramp") return made(n, [&](int i) { return double(i % bins); });
  if (name == "random") return made(n, [&](int) { return double(random.below(bins)); });
  if (name == "sine")
    return made(n, [&](int i) { return std::round((bins - 1) * (0.5 + 0.5 * std::sin(step * i))); });
  if (name == "skewed")
    return made(n, [&](int) { return double(random.unit() < skew ? bins / 3 : random.below(bins)); });
  return {};
}

std::vector<double> taught_values(const MadeInput& in) {
  const std::string& name = made_patterns()[size_t(in.pattern)];
  if (in.pattern >= MadeInput::Pattern::zipf) {
    std::vector<double> keys(static_cast<size_t>(in.n));
    for (size_t i = 0; i < keys.size(); ++i) keys[i] = in((long long)i);
    return keys;
  }
  return in.bins ? key_pattern(name, int(in.n), in.seed, in.bins, in.shape)
                 : value_pattern(name, int(in.n), in.seed);
}

}  // namespace bscope
