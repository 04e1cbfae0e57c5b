#include "engine/simt/made_input.hpp"

#include <algorithm>

#include "engine/trace/error.hpp"

namespace bscope {

const std::vector<std::string>& made_patterns() {
  static const std::vector<std::string> names{"ones", "ramp", "random", "sine", "skewed", "zipf", "entropy"};
  return names;
}

MadeInput made_input(const std::string& pattern, long long n, uint32_t seed, int bins, double shape) {
  const auto& names = made_patterns();
  const auto it = std::ranges::find(names, pattern);
  if (it == names.end()) throw UsageError(message("no pattern {}", pattern));
  MadeInput in;
  in.pattern = MadeInput::Pattern(it - names.begin());
  if (in.pattern >= MadeInput::Pattern::zipf && bins == 0)
    throw UsageError(message("{} is a pattern of keys", pattern));
  in.n = n;
  in.seed = seed;
  in.bins = bins;
  in.shape = shape;
  if (in.pattern == MadeInput::Pattern::zipf) {
    double all = 0, so_far = 0;
    for (int k = 0; k < bins; ++k) all += 1.0 / (k + 1);
    for (int k = 0; k < bins; ++k) {
      so_far += 1.0 / (k + 1) / all;
      in.up_to[k] = k + 1 < bins ? uint32_t(so_far * 4294967295.0) : ~0u;
    }
  }
  return in;
}

}  // namespace bscope
