// The generators of cuRAND: Marsaglia's xorwow (Xorshift RNGs, 2003), Philox 4x32-10 (Salmon et al., Parallel
// random numbers: as easy as 1, 2, 3, 2011) and L'Ecuyer's MRG32k3a (1999), with their skips ahead.
#pragma once

#include <array>
#include <cstdint>

namespace bscope::cuda {

/// Xorwow: five words that are shifted and one that counts.
struct Xorwow {
  using Words = std::array<uint32_t, 5>;
  uint32_t d = 0;
  Words v = {};

  /// As cuRAND's seed sets it.
  explicit Xorwow(uint64_t seed);
  uint32_t next();
  void skip(uint64_t count);
  void skip_sequences(uint64_t count);  ///< of 2^67 numbers each
  /// The words after count * 2^power numbers.
  static Words skipped(Words, uint64_t count, int power);
};

/// The four numbers that stand at a counter, for a key.
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

/// One of MRG32k3a's two recurrences, the first or the second, after count * 2^power numbers.
std::array<uint32_t, 3> skipped_mrg(std::array<uint32_t, 3>, bool first, uint64_t count, int power);

}  // namespace bscope::cuda
