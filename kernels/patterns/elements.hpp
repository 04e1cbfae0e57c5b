// Access patterns to play with: which element a lane reads, and where it lies.
#pragma once

#include "engine/simt/kernel.hpp"

// Where element k begins, in elements. One of them is `width` numbers of 32 bits; after each 128 bytes lie
// `pad` elements that nobody uses.
template <int width>
ANYWHERE int place_of(int k, int pad) {
  return k + k / (32 / width) * pad;
}

inline std::vector<Parameter> pattern_parameters() {
  return {{.name = "stride",
           .values = {},
           .initial = 2,
           .hint = "Elements between one lane's and the next one's.",
           .least = 0,
           .most = 64},
          {.name = "offset",
           .values = {},
           .initial = 0,
           .hint = "Elements before the first lane's.",
           .least = 0,
           .most = 31},
          {"width", {4, 8, 16}, 4, "Bytes a thread loads at once."},
          {.name = "pad",
           .values = {},
           .initial = 0,
           .hint = "Unused elements after each 128 bytes.",
           .least = 0,
           .most = 4}};
}

// Number k of the input, which comes again and again.
inline int number(const Problem& p, long long k) {
  return int(p.made ? (*p.made)(k % p.n()) : p.data[size_t(k % p.n())]);
}
// What element k of it adds up to, as int32.
inline double element_sum(const Problem& p, long long k) {
  const int width = p["width"] / 4;
  uint32_t sum = 0;
  for (int j = 0; j < width; ++j) sum += uint32_t(number(p, k * width + j));
  return int32_t(sum);
}
