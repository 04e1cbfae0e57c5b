// Inputs of full-size runs. Value i follows from i alone, so that any machine makes any part of the input
// where it is used: 2^31 numbers are said, not held.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/simt/element.hpp"

namespace bscope {

/// A pattern, its seed and its length. A small trivial struct: a GPU kernel takes it by value.
struct MadeInput {
  enum class Pattern : uint8_t { ones, ramp, random, sine, skewed, zipf, entropy };

  Pattern pattern = Pattern::random;
  uint32_t seed = 1;
  long long n = 0;
  long long first = 0;  ///< of a part: its place in the whole input, on which its values depend
  int bins = 0;         ///< keys from 0 to bins - 1 (at most 256); 0: numbers
  /// skewed keys: the share of the favourite one, on top of chance. entropy: how many random words are joined
  /// by AND, from 0 (uniform) to 4; more: one key (NVBench's axis Entropy: 1, 0.811, 0.544, 0.337, 0.201, 0).
  double shape = 0;
  /// zipf: the chance of keys up to k, as a share of 2^32; key k is 1 / (k+1) as likely as key 0.
  uint32_t up_to[256] = {};

  /// Small whole numbers: sums of some millions are exact in a float, too.
  ANYWHERE double operator()(long long i) const {
    i += first;
    uint32_t r = mixed(i, seed);
    switch (pattern) {
      case Pattern::ones: return bins ? 1 % bins : 1;
      case Pattern::ramp: return double(i % (bins ? bins : 1024));
      case Pattern::sine: {
        // the published test data: int(10 sin(0.02 * 3.14 * i))
        const double s = sin(0.02 * 3.14 * double(i));
        return bins ? floor((bins - 1) * (0.5 + 0.5 * s) + 0.5) : double(int(10 * s));
      }
      case Pattern::random: break;
      case Pattern::skewed:
        if (bins) return double((r & 0xffff) < shape * 65536 ? bins / 3 : int((r >> 16) % uint32_t(bins)));
        return double(r % 8 ? (r >> 8) % 3 : 50 + (r >> 8) % 50);  // one in eight is large
      case Pattern::zipf: {
        int low = 0, high = bins - 1;
        while (low < high) {
          const int middle = (low + high) / 2;
          if (r <= up_to[middle])
            high = middle;
          else
            low = middle + 1;
        }
        return double(low);
      }
      case Pattern::entropy:
        if (shape > 4) return 0;
        for (int k = 1; k <= int(shape); ++k) r &= mixed(i, seed + 0x10001u * uint32_t(k));
    }
    return bins ? double(r % uint32_t(bins)) : double(int(r % 17) - 8);
  }

  /// A well mixed word for an index (SplitMix64's finaliser).
  static ANYWHERE uint32_t mixed(long long i, uint32_t seed) {
    uint64_t h = uint64_t(i + 1) * 0x9E3779B97F4A7C15u + seed * 0xD1B54A32D192ED03u;
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
    h = (h ^ (h >> 27)) * 0x94D049BB133111EBu;
    return uint32_t(h >> 32);
  }
};

/// ones, ramp, random, sine, skewed, zipf, entropy.
const std::vector<std::string>& made_patterns();
/// A pattern by name, ready for use. `shape` as in MadeInput. Throws UsageError for a name that
/// there is not, for zipf and entropy of numbers.
MadeInput made_input(const std::string& pattern, long long n, uint32_t seed, int bins, double shape = 0);

}  // namespace bscope
