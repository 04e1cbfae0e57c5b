// Arithmetic on the two halves or the four bytes of a word (__vadd4), and sums with a least or greatest
// (__viaddmax_s32). Each call is one event, or one for each operation that its name has.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "engine/cuda/machine/interpreter.hpp"

namespace bscope::cuda {
namespace {

/// What becomes of a part's result.
enum class Kept : uint8_t {
  low_bits,   ///< it wraps around
  saturated,  ///< it stays within the part's type
  mask,       ///< all ones where it is not 0
  flag,       ///< one where it is not 0
  sum,        ///< the word is the sum of all
};

struct Simd {
  const char* name;
  uint8_t arguments;
  bool with_sign;
  Kept kept;
  Op op;
  int (*of)(int, int);
};
int absolute(int a, int) { return std::abs(a); }
int negative(int a, int) { return -a; }
int added(int a, int b) { return a + b; }
int subtracted(int a, int b) { return a - b; }
int distance(int a, int b) { return std::abs(a - b); }
/// The mean, a half rounded away from zero.
int average(int a, int b) { return (a + b + (a + b >= 0)) >> 1; }
int average_below(int a, int b) { return (a + b) >> 1; }
int greatest(int a, int b) { return std::max(a, b); }
int least(int a, int b) { return std::min(a, b); }
int equal(int a, int b) { return a == b; }
int differ(int a, int b) { return a != b; }
int at_least(int a, int b) { return a >= b; }
int greater(int a, int b) { return a > b; }
int at_most(int a, int b) { return a <= b; }
int less(int a, int b) { return a < b; }

constexpr Simd simd_operations[] = {
    {"abs", 1, true, Kept::low_bits, Op::convert, absolute},
    {"absss", 1, true, Kept::saturated, Op::convert, absolute},
    {"neg", 1, true, Kept::low_bits, Op::convert, negative},
    {"negss", 1, true, Kept::saturated, Op::convert, negative},
    {"add", 2, true, Kept::low_bits, Op::add, added},
    {"addss", 2, true, Kept::saturated, Op::add, added},
    {"addus", 2, false, Kept::saturated, Op::add, added},
    {"sub", 2, true, Kept::low_bits, Op::sub, subtracted},
    {"subss", 2, true, Kept::saturated, Op::sub, subtracted},
    {"subus", 2, false, Kept::saturated, Op::sub, subtracted},
    {"absdiffs", 2, true, Kept::low_bits, Op::sub, distance},
    {"absdiffu", 2, false, Kept::low_bits, Op::sub, distance},
    {"avgs", 2, true, Kept::low_bits, Op::add, average},
    {"avgu", 2, false, Kept::low_bits, Op::add, average},
    {"haddu", 2, false, Kept::low_bits, Op::add, average_below},
    {"maxs", 2, true, Kept::low_bits, Op::max, greatest},
    {"maxu", 2, false, Kept::low_bits, Op::max, greatest},
    {"mins", 2, true, Kept::low_bits, Op::min, least},
    {"minu", 2, false, Kept::low_bits, Op::min, least},
    {"sads", 2, true, Kept::sum, Op::sub, distance},
    {"sadu", 2, false, Kept::sum, Op::sub, distance},
    {"cmpeq", 2, false, Kept::mask, Op::equal, equal},
    {"cmpne", 2, false, Kept::mask, Op::differ, differ},
    {"cmpges", 2, true, Kept::mask, Op::more_equal, at_least},
    {"cmpgeu", 2, false, Kept::mask, Op::more_equal, at_least},
    {"cmpgts", 2, true, Kept::mask, Op::more, greater},
    {"cmpgtu", 2, false, Kept::mask, Op::more, greater},
    {"cmples", 2, true, Kept::mask, Op::less_equal, at_most},
    {"cmpleu", 2, false, Kept::mask, Op::less_equal, at_most},
    {"cmplts", 2, true, Kept::mask, Op::less, less},
    {"cmpltu", 2, false, Kept::mask, Op::less, less},
    {"seteq", 2, false, Kept::flag, Op::equal, equal},
    {"setne", 2, false, Kept::flag, Op::differ, differ},
    {"setges", 2, true, Kept::flag, Op::more_equal, at_least},
    {"setgeu", 2, false, Kept::flag, Op::more_equal, at_least},
    {"setgts", 2, true, Kept::flag, Op::more, greater},
    {"setgtu", 2, false, Kept::flag, Op::more, greater},
    {"setles", 2, true, Kept::flag, Op::less_equal, at_most},
    {"setleu", 2, false, Kept::flag, Op::less_equal, at_most},
    {"setlts", 2, true, Kept::flag, Op::less, less},
    {"setltu", 2, false, Kept::flag, Op::less, less},
};

/// Part k of a word that has so many, as a number.
int part(uint64_t word, int k, int parts, bool with_sign) {
  const int bits = 32 / parts, above = 32 - bits;
  const uint32_t shifted = uint32_t(word) << (above - k * bits);
  return with_sign ? int32_t(shifted) >> above : int(shifted >> above);
}

uint32_t kept(Kept how, int value, int bits, bool with_sign) {
  const uint32_t all = (1u << bits) - 1;
  switch (how) {
    case Kept::saturated: {
      const int top = with_sign ? 1 << (bits - 1) : 1 << bits;
      return uint32_t(std::clamp(value, with_sign ? -top : 0, top - 1)) & all;
    }
    case Kept::mask: return value ? all : 0;
    default: return uint32_t(value) & all;
  }
}

template <int parts>
Value simd(Interpreter& w, const BuiltinCall& c) {
  const Simd& s = simd_operations[c.what];
  uint32_t word = 0;
  for (int k = 0; k < parts; ++k) {
    const int value = s.of(part(c[0].bits, k, parts, s.with_sign),
                           s.arguments > 1 ? part(c[1].bits, k, parts, s.with_sign) : 0);
    if (s.kept == Kept::sum)
      word += uint32_t(value);
    else
      word |= kept(s.kept, value, 32 / parts, s.with_sign) << (k * (32 / parts));
  }
  if (s.arguments == 1) return w.converted(c[0], word, ElementType::u32, c.line);
  return w.made(s.op, c[0], c[1], word, ElementType::u32, ElementType::u32, c.line);
}

/// The least or greatest of three, or of a sum and a third, or of two and 0.
struct OfThree {
  const char* name;
  bool adds, is_greatest;
};
constexpr OfThree of_three[] = {
    {"viaddmax", true, true}, {"viaddmin", true, false}, {"vimax3", false, true}, {"vimin3", false, false}};
struct PartsOfWord {
  const char* suffix;
  int parts;
  bool with_sign;
};
constexpr PartsOfWord parts_of_word[] = {
    {"_s32", 1, true}, {"_u32", 1, false}, {"_s16x2", 2, true}, {"_u16x2", 2, false}};

/// One of two words, part by part.
uint32_t extreme_of(bool is_greatest, const PartsOfWord& p, uint64_t a, uint64_t b) {
  uint32_t word = 0;
  for (int k = 0; k < p.parts; ++k) {
    const int x = part(a, k, p.parts, p.with_sign), y = part(b, k, p.parts, p.with_sign);
    const bool x_less = p.with_sign || p.parts > 1 ? x < y : uint32_t(x) < uint32_t(y);
    const uint32_t all = p.parts == 1 ? ~0u : 0xffffu;
    word |= (uint32_t(x_less == is_greatest ? y : x) & all) << (16 * k);
  }
  return word;
}
uint32_t sum_of(const PartsOfWord& p, uint64_t a, uint64_t b) {
  if (p.parts == 1) return uint32_t(a + b);
  return (uint32_t(a + b) & 0xffff) | (uint32_t((a >> 16) + (b >> 16)) << 16);
}

/// `what`: its operation, then its parts, then whether the result is 0 at least.
Value three(Interpreter& w, const BuiltinCall& c) {
  constexpr size_t kinds = std::size(parts_of_word);
  const OfThree& o = of_three[c.what / (2 * kinds)];
  const PartsOfWord& p = parts_of_word[c.what / 2 % kinds];
  const ElementType kind = p.parts == 1 && p.with_sign ? ElementType::i32 : ElementType::u32;
  const Op last = o.is_greatest ? Op::max : Op::min;
  const uint32_t first =
      o.adds ? sum_of(p, c[0].bits, c[1].bits) : extreme_of(o.is_greatest, p, c[0].bits, c[1].bits);
  const Value of_two = w.made(o.adds ? Op::add : last, c[0], c[1], first, kind, kind, c.line);
  uint32_t all = extreme_of(o.is_greatest, p, of_two.bits, c[2].bits);
  if (c.what % 2) all = extreme_of(true, p, all, 0);
  return w.made(last, of_two, c[2], all, kind, kind, c.line);
}

}  // namespace

void add_simd(Builtins& all) {
  for (uint8_t k = 0; k < uint8_t(std::size(simd_operations)); ++k) {
    const Simd& s = simd_operations[k];
    all.add(std::string("__bscope_v") + s.name + "2", {simd<2>, ElementType::u32, k, s.arguments});
    all.add(std::string("__bscope_v") + s.name + "4", {simd<4>, ElementType::u32, k, s.arguments});
  }
  uint8_t what = 0;
  for (const OfThree& o : of_three)
    for (const PartsOfWord& p : parts_of_word)
      for (const char* relu : {"", "_relu"})
        all.add(std::string("__bscope_") + o.name + p.suffix + relu, {three, ElementType::u32, what++, 3});
}

}  // namespace bscope::cuda
