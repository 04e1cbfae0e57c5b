// Half precision and bfloat16 against exact arithmetic: of all numbers of the type the nearest to the exact
// result, the even one of two.
#include "engine/trace/small_float.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>

namespace bscope::test {
namespace {

/// A number as a whole multiple of 2^-unit, with its sign: large enough for products of three values of
/// either type.
class Exact {
 public:
  static constexpr int unit = 420, limbs = 20;
  Exact() = default;
  explicit Exact(double v) {
    int exponent = 0;
    const double m = std::frexp(std::abs(v), &exponent);
    *this = of(uint64_t(std::ldexp(m, 53)), exponent - 53 + unit, v < 0);
  }
  static Exact of(uint64_t digits, int shift, bool is_negative) {
    Exact e;
    for (int k = 0; k < 64; ++k)
      if (digits >> k & 1) e.limb_[size_t((shift + k) / 32)] |= 1u << (shift + k) % 32;
    e.is_negative_ = is_negative;
    return e;
  }
  static Exact of_integer(uint64_t size, bool is_negative) { return of(size, unit, is_negative); }
  bool is_zero() const { return limb_ == std::array<uint32_t, limbs * 2>{}; }
  bool is_negative() const { return is_negative_; }
  Exact operator-() const {
    Exact e = *this;
    e.is_negative_ = !is_negative_;
    return e;
  }
  friend int compare_sizes(const Exact& a, const Exact& b) {
    for (size_t k = a.limb_.size(); k-- > 0;)
      if (a.limb_[k] != b.limb_[k]) return a.limb_[k] < b.limb_[k] ? -1 : 1;
    return 0;
  }
  friend Exact operator+(const Exact& a, const Exact& b) {
    const bool add = a.is_negative_ == b.is_negative_;
    const bool swap = !add && compare_sizes(a, b) < 0;
    const Exact &large = swap ? b : a, &small = swap ? a : b;
    Exact e = large;
    int64_t carry = 0;
    for (size_t k = 0; k < e.limb_.size(); ++k) {
      carry += int64_t(large.limb_[k]) + (add ? int64_t(small.limb_[k]) : -int64_t(small.limb_[k]));
      e.limb_[k] = uint32_t(carry);
      carry >>= 32;
    }
    return e;
  }

 private:
  std::array<uint32_t, limbs * 2> limb_{};
  bool is_negative_ = false;
};

/// The product of two numbers of up to 26 digits, which a double holds.
Exact product(double a, double b) { return Exact(a * b); }

/// Of a type: the bits that are nearest to a positive result, by how the result compares with a number.
template <int fraction, class Compare>
uint64_t nearest(Compare result_less_than, int rounding) {
  const uint64_t infinity = bscope_small_infinity(fraction);
  const auto value = [&](uint64_t bits) {  // the number behind the largest stands for infinity
    return bits == infinity ? 2 * bscope_small_value(bits - (1u << fraction), fraction)
                            : bscope_small_value(bits, fraction);
  };
  uint64_t below = 0, above = infinity + 1;
  while (above - below > 1) {
    const uint64_t middle = (below + above) / 2;
    (result_less_than(value(middle)) < 0 ? above : below) = middle;
  }
  if (below == infinity) return rounding == bscope_to_zero ? infinity - 1 : infinity;
  if (result_less_than(value(below)) == 0) return below;
  if (rounding != bscope_to_nearest) return rounding == bscope_to_zero ? below : below + 1;
  const int side = result_less_than((value(below) + value(below + 1)) / 2);
  return side < 0 || (side == 0 && below % 2 == 0) ? below : below + 1;
}
/// The bits of an exact number; `zero` where it is none.
template <int fraction>
uint64_t rounded(const Exact& e, int rounding = bscope_to_nearest, uint64_t zero = 0) {
  if (e.is_zero()) return zero;
  const bool out = rounding == (e.is_negative() ? bscope_down : bscope_up);
  const int size = rounding == bscope_to_nearest ? bscope_to_nearest : out ? bscope_up : bscope_to_zero;
  const Exact positive = e.is_negative() ? -e : e;
  const uint64_t bits = nearest<fraction>([&](double v) { return compare_sizes(positive, Exact(v)); }, size);
  return bits | (e.is_negative() ? 0x8000 : 0);
}

/// Numbers that fractions and sums go wrong with, and others.
template <int fraction>
class Operands {
 public:
  uint64_t any() {
    const uint64_t near =
        bscope_small_infinity(fraction) / 2 + random_() % (6u << fraction) - (3u << fraction);
    switch (random_() % 8) {
      case 0: return sign() | random_() % (2u << fraction);                            // small
      case 1: return sign() | (bscope_small_infinity(fraction) - 1 - random_() % 64);  // large
      case 2:
      case 3:
      case 4: return sign() | near;
      default: return sign() | random_() % bscope_small_infinity(fraction);
    }
  }
  uint64_t bits() { return uint64_t(random_()) << 32 | random_(); }

 private:
  uint64_t sign() { return random_() % 2 * 0x8000; }
  std::mt19937 random_{7};
};

template <class T>
struct SmallFloats : testing::Test {};
using Fractions = testing::Types<std::integral_constant<int, 10>, std::integral_constant<int, 7>>;
TYPED_TEST_SUITE(SmallFloats, Fractions);

TYPED_TEST(SmallFloats, EachIsTheNumberThatItsBitsMean) {
  constexpr int f = TypeParam::value;
  for (uint64_t bits = 0; bits < 65536; ++bits) {
    const double v = bscope_small_value(bits, f);
    const uint64_t wanted = bscope_is_small_nan(bits, f) ? BSCOPE_SMALL_NAN : bits;
    for (int rounding = bscope_to_nearest; rounding <= bscope_up; ++rounding)
      EXPECT_EQ(bscope_small_of(v, f, rounding), wanted);
    if (!std::isfinite(v)) continue;
    const int exponent = int((bits & 0x7fff) >> f), shift = exponent > 0 ? exponent - 1 : 0;
    const double digits = double((bits & ((1u << f) - 1)) + (exponent ? 1u << f : 0));
    EXPECT_EQ(v, std::ldexp(bits >> 15 ? -digits : digits, shift - (1 << (14 - f)) + 2 - f));
  }
}

TYPED_TEST(SmallFloats, ArithmeticIsRoundedOnce) {
  constexpr int f = TypeParam::value;
  Operands<f> operands;
  for (int k = 0; k < 20'000; ++k) {
    const uint64_t a = operands.any(), b = operands.any(), c = operands.any();
    const double x = bscope_small_value(a, f), y = bscope_small_value(b, f), z = bscope_small_value(c, f);
    const uint64_t minus = (a ^ b) & 0x8000;  // of a product that is zero
    ASSERT_EQ(bscope_small_add(a, b, 0, f),
              rounded<f>(Exact(x) + Exact(y), bscope_to_nearest, a & b & 0x8000))
        << a << " " << b;
    ASSERT_EQ(bscope_small_sub(a, b, 0, f),
              rounded<f>(Exact(x) + Exact(-y), bscope_to_nearest, a & ~b & 0x8000))
        << a << " " << b;
    ASSERT_EQ(bscope_small_mul(a, b, 0, f), rounded<f>(product(x, y), bscope_to_nearest, minus))
        << a << " " << b;
    ASSERT_EQ(bscope_small_fma(a, b, c, f),
              rounded<f>(product(x, y) + Exact(z), bscope_to_nearest, minus & c))
        << a << " " << b << " " << c;
    if (x == 0 || y == 0) continue;
    const uint64_t quotient =
        nearest<f>([&](double v) { return compare_sizes(Exact(std::abs(x)), product(v, std::abs(y))); },
                   bscope_to_nearest);
    ASSERT_EQ(bscope_small_div(a, b, 0, f), quotient | minus) << a << " " << b;
  }
}

TYPED_TEST(SmallFloats, AFusedSumSeesWhatLiesBeyondAMiddle) {
  constexpr int f = TypeParam::value;
  const uint64_t one = bscope_small_one(f), last = one + 1;
  for (uint64_t tiny : {uint64_t(1), uint64_t(0x8001), one - (20u << f), (one - (20u << f)) | 0x8000})
    for (uint64_t a = one; a < one + (1u << f); ++a) {
      const double x = bscope_small_value(a, f), y = bscope_small_value(last, f),
                   z = bscope_small_value(tiny, f);
      EXPECT_EQ(bscope_small_fma(a, last, tiny, f), rounded<f>(product(x, y) + Exact(z))) << a << " " << tiny;
    }
}

TYPED_TEST(SmallFloats, ConversionsRoundAsTheySay) {
  constexpr int f = TypeParam::value;
  Operands<f> operands;
  for (int k = 0; k < 4'000; ++k) {
    const uint64_t near = operands.any(), bits = operands.bits();
    // a double and a float beside what is in the middle of two
    const double v =
        std::ldexp(std::nextafter((bscope_small_value(near, f) + bscope_small_value(near + 1, f)) / 2,
                                  bits % 2 ? 1e300 : -1e300),
                   -int(bits % 3 == 0) * 60);
    const auto word = float(v);
    const uint64_t whole = bits >> bits % 64;
    for (int rounding = bscope_to_nearest; rounding <= bscope_up; ++rounding) {
      const auto how = uint64_t(rounding);
      if (std::abs(v) < 1e76) {  // which Exact holds
        ASSERT_EQ(bscope_small_from_f64(bscope_bits_of(v), how, 0, f), rounded<f>(Exact(v), rounding)) << v;
      }
      if (std::isfinite(word) && word != 0) {
        ASSERT_EQ(bscope_small_from_f32(std::bit_cast<uint32_t>(word), how, 0, f),
                  rounded<f>(Exact(word), rounding))
            << word;
      }
      ASSERT_EQ(bscope_small_from_u64(whole, how, 0, f),
                rounded<f>(Exact::of_integer(whole, false), rounding))
          << whole;
      const bool below = whole >> 63;
      ASSERT_EQ(bscope_small_from_i64(whole, how, 0, f),
                rounded<f>(Exact::of_integer(below ? 0 - whole : whole, below), rounding))
          << whole;
      const auto narrow = int32_t(whole);
      ASSERT_EQ(bscope_small_from_i32(uint32_t(narrow), how, 0, f),
                rounded<f>(Exact(double(narrow)), rounding));
      ASSERT_EQ(bscope_small_from_u32(uint32_t(narrow), how, 0, f),
                rounded<f>(Exact(double(uint32_t(narrow))), rounding));
    }
  }
}

TYPED_TEST(SmallFloats, WholeNumbersStopAtTheEndsOfTheirType) {
  constexpr int f = TypeParam::value;
  for (uint64_t bits = 0; bits < 65536; ++bits) {
    const double v = bscope_small_value(bits, f);
    const std::array<double, 4> by_rounding = {std::nearbyint(v), std::trunc(v), std::floor(v), std::ceil(v)};
    for (size_t k = 0; k < 4; ++k) {
      const double whole = by_rounding[k];
      const auto stopped = [&](double least, double most) {
        return std::isnan(v) ? 0 : std::clamp(whole, least, most);
      };
      EXPECT_EQ(int32_t(bscope_small_to_i32(bits, k, 0, f)), int32_t(stopped(-2147483648.0, 2147483647.0)));
      EXPECT_EQ(uint32_t(bscope_small_to_u32(bits, k, 0, f)), uint32_t(stopped(0, 4294967295.0)));
      EXPECT_EQ(int16_t(bscope_small_to_i16(bits, k, 0, f)), int16_t(stopped(-32768, 32767)));
      EXPECT_EQ(bscope_small_to_u16(bits, k, 0, f), uint64_t(stopped(0, 65535)));
      EXPECT_EQ(int8_t(bscope_small_to_i8(bits, k, 0, f)), int8_t(stopped(-128, 127)));
      EXPECT_EQ(bscope_small_to_u8(bits, k, 0, f), uint64_t(stopped(0, 255)));
      if (std::abs(whole) < 9e18) { EXPECT_EQ(int64_t(bscope_small_to_i64(bits, k, 0, f)), int64_t(whole)); }
    }
  }
  EXPECT_EQ(bscope_small_to_i64(bscope_small_infinity(f), 0, 0, f), uint64_t(INT64_MAX));
  EXPECT_EQ(bscope_small_to_i64(BSCOPE_SMALL_NAN, 0, 0, f), uint64_t(INT64_MIN));
  EXPECT_EQ(bscope_small_to_u64(bscope_small_infinity(f), 0, 0, f), UINT64_MAX);
  EXPECT_EQ(bscope_small_to_u64(bscope_small_infinity(f) | 0x8000, 0, 0, f), 0u);
}

TYPED_TEST(SmallFloats, WhatIsNoNumber) {
  constexpr int f = TypeParam::value;
  const uint64_t nan = 0x7fff, other = 0xffff, infinity = bscope_small_infinity(f), one = bscope_small_one(f);
  EXPECT_EQ(bscope_small_add(other, one, 0, f), nan);
  EXPECT_EQ(bscope_small_sub(infinity, infinity, 0, f), nan);
  EXPECT_EQ(bscope_small_mul(infinity, 0, 0, f), nan);
  EXPECT_EQ(bscope_small_div(0, 0, 0, f), nan);
  EXPECT_EQ(bscope_small_fma(infinity, one, infinity | 0x8000, f), nan);
  EXPECT_EQ(bscope_small_div(one, 0, 0, f), infinity);
  EXPECT_EQ(bscope_small_min(nan, one, 0, f), one);
  EXPECT_EQ(bscope_small_max(one, other, 0, f), one);
  EXPECT_EQ(bscope_small_min(other, other, 0, f), nan);
  EXPECT_EQ(bscope_small_min_nan(one, other, 0, f), nan);
  EXPECT_EQ(bscope_small_min(0, 0x8000, 0, f), 0x8000u);
  EXPECT_EQ(bscope_small_max(0x8000, 0, 0, f), 0u);
  EXPECT_EQ(bscope_small_add_sat(other, one, 0, f), 0u);
  EXPECT_EQ(bscope_small_add_sat(one, one, 0, f), one);
  EXPECT_EQ(bscope_small_sub_sat(0, one, 0, f), 0u);
  EXPECT_EQ(bscope_small_fma_relu(one, one | 0x8000, 0, f), 0u);
  EXPECT_EQ(bscope_small_fma_relu(other, one, 0, f), nan);
  for (const auto& [ordered, unordered] : {std::pair(&bscope_small_eq, &bscope_small_equ),
                                           {&bscope_small_ne, &bscope_small_neu},
                                           {&bscope_small_lt, &bscope_small_ltu},
                                           {&bscope_small_le, &bscope_small_leu},
                                           {&bscope_small_gt, &bscope_small_gtu},
                                           {&bscope_small_ge, &bscope_small_geu}}) {
    EXPECT_EQ(ordered(nan, one, 0, f), 0u);
    EXPECT_EQ(unordered(nan, one, 0, f), 1u);
    for (const uint64_t b : {one - 1, one, one + 1})
      EXPECT_EQ(ordered(one, b, 0, f), unordered(one, b, 0, f));
  }
  EXPECT_EQ(bscope_small_eq(0, 0x8000, 0, f), 1u);
  EXPECT_EQ(bscope_small_lt(one, one + 1, 0, f), 1u);
}

TEST(SmallFloat, ValuesAreWrittenAsProgramsPrintThem) {
  EXPECT_EQ(text_of(ElementType::f16, 0x2e66), "0.0999756");
  EXPECT_EQ(text_of(ElementType::f16, 0x6800), "2048");
  EXPECT_EQ(text_of(ElementType::bf16, 0x3dcd), "0.100098");
  EXPECT_EQ(text_of(ElementType::f16, 0xfc00), "-inf");
  EXPECT_EQ(number(ElementType::f16, uint64_t(0x7bff)), 65504);
}

}  // namespace
}  // namespace bscope::test
