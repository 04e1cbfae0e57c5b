#include "engine/cuda/machine/random_sequences.hpp"

#include <bit>
#include <mutex>
#include <vector>

namespace bscope::cuda {
namespace {

constexpr int sequence_bits = 67;
constexpr uint32_t weyl = 362437;  // what d grows by

void step(Xorwow::Words& v) {
  const uint32_t t = v[0] ^ (v[0] >> 2);
  v = {v[1], v[2], v[3], v[4], v[4] ^ (v[4] << 4) ^ t ^ (t << 1)};
}

/// A linear map of the five words over GF(2): what becomes of each bit.
using BitMap = std::vector<Xorwow::Words>;

Xorwow::Words applied(const BitMap& map, const Xorwow::Words& v) {
  Xorwow::Words made = {};
  for (size_t word = 0; word < v.size(); ++word)
    for (uint32_t rest = v[word]; rest; rest &= rest - 1) {
      const Xorwow::Words& of_bit = map[word * 32 + size_t(std::countr_zero(rest))];
      for (size_t k = 0; k < made.size(); ++k) made[k] ^= of_bit[k];
    }
  return made;
}

/// The map of 2^power steps. All are made of those before them, and kept.
const BitMap& steps(int power) {
  static std::mutex mutex;
  static auto* const all = new std::array<BitMap, 2 * 64 + sequence_bits>;
  const std::scoped_lock lock(mutex);
  for (size_t k = 0; k <= size_t(power); ++k) {
    BitMap& map = (*all)[k];
    if (!map.empty()) continue;
    map.resize(5 * 32);
    for (size_t bit = 0; bit < map.size(); ++bit) {
      Xorwow::Words v = {};
      v[bit / 32] = 1u << (bit % 32);
      if (k == 0)
        step(v);
      else
        v = applied((*all)[k - 1], applied((*all)[k - 1], v));
      map[bit] = v;
    }
  }
  return (*all)[size_t(power)];
}

using Matrix = std::array<std::array<uint64_t, 3>, 3>;

Matrix product(const Matrix& a, const Matrix& b, uint64_t modulus) {
  Matrix made = {};
  for (size_t row = 0; row < 3; ++row)
    for (size_t column = 0; column < 3; ++column)
      for (size_t k = 0; k < 3; ++k)
        made[row][column] =
            uint64_t((made[row][column] + (unsigned __int128)(a[row][k]) * b[k][column]) % modulus);
  return made;
}

}  // namespace

Xorwow::Xorwow(uint64_t seed) {
  const uint32_t low = uint32_t(seed) ^ 0xaad26b49u, high = uint32_t(seed >> 32) ^ 0xf7dcefddu;
  const uint32_t a = 1099087573u * low, b = 2591861531u * high;
  d = 6615241u + b + a;
  v = {123456789u + a, 362436069u ^ a, 521288629u + b, 88675123u ^ b, 5783321u + a};
}

uint32_t Xorwow::next() {
  step(v);
  d += weyl;
  return v[4] + d;
}

void Xorwow::skip(uint64_t count) {
  v = skipped(v, count, 0);
  d += weyl * uint32_t(count);
}

void Xorwow::skip_sequences(uint64_t count) { v = skipped(v, count, sequence_bits); }

Xorwow::Words Xorwow::skipped(Words v, uint64_t count, int power) {
  for (; count; count &= count - 1) v = applied(steps(power + std::countr_zero(count)), v);
  return v;
}

std::array<uint32_t, 4> philox(std::array<uint32_t, 4> c, std::array<uint32_t, 2> key) {
  constexpr int rounds = 10;
  for (int round = 0; round < rounds; ++round) {
    const uint64_t a = uint64_t(0xd2511f53u) * c[0], b = uint64_t(0xcd9e8d57u) * c[2];
    c = {uint32_t(b >> 32) ^ c[1] ^ key[0], uint32_t(b), uint32_t(a >> 32) ^ c[3] ^ key[1], uint32_t(a)};
    key = {key[0] + 0x9e3779b9u, key[1] + 0xbb67ae85u};
  }
  return c;
}

std::array<uint32_t, 3> skipped_mrg(std::array<uint32_t, 3> s, bool first, uint64_t count, int power) {
  const uint64_t modulus = first ? 4294967087u : 4294944443u;
  Matrix step = first ? Matrix{{{0, 1, 0}, {0, 0, 1}, {modulus - 810728, 1403580, 0}}}
                      : Matrix{{{0, 1, 0}, {0, 0, 1}, {modulus - 1370589, 0, 527612}}};
  for (int k = 0; k < power; ++k) step = product(step, step, modulus);
  for (; count; count >>= 1, step = product(step, step, modulus)) {
    if (!(count & 1)) continue;
    std::array<uint32_t, 3> made = {};
    for (size_t row = 0; row < 3; ++row) {
      unsigned __int128 sum = 0;
      for (size_t k = 0; k < 3; ++k) sum += (unsigned __int128)(step[row][k]) * s[k];
      made[row] = uint32_t(sum % modulus);
    }
    s = made;
  }
  return s;
}

}  // namespace bscope::cuda
