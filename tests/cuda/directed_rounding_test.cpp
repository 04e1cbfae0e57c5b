// Directed rounding without the processor's modes gives what the processor gives in them.
#include "engine/cuda/machine/directed_rounding.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace bscope::cuda {
namespace {

constexpr std::pair<RoundingDirection, int> directions[] = {{RoundingDirection::toward_zero, FE_TOWARDZERO},
                                                            {RoundingDirection::upward, FE_UPWARD},
                                                            {RoundingDirection::downward, FE_DOWNWARD}};

/// What the processor makes of `work` in that mode.
template <class Work>
auto in_mode(int mode, Work work) {
  std::fesetround(mode);
  const volatile auto result = work();  // not behind the next line
  std::fesetround(FE_TONEAREST);
  return result;
}
template <class T>
bool same(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

/// Numbers of all kinds, and near each other.
template <class T>
std::vector<T> numbers(std::mt19937_64& random) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> all = {0,
                        -T(0),
                        1,
                        -1,
                        3,
                        T(0.1),
                        Limits::max(),
                        -Limits::max(),
                        Limits::min(),
                        Limits::denorm_min(),
                        -Limits::denorm_min(),
                        Limits::infinity(),
                        Limits::epsilon(),
                        std::nextafter(T(1), T(0))};
  for (int k = 0; k < 60; ++k) {
    T any;
    if constexpr (sizeof(T) == 4)
      any = std::bit_cast<float>(uint32_t(random()));
    else
      any = std::bit_cast<double>(uint64_t(random()));
    all.push_back(any);
    all.push_back(std::ldexp(T(random() % 4096), int(random() % 40) - 20));
    all.push_back(std::ldexp(T(random() % 4096), (random() % 2 ? -1 : 1) * (Limits::max_exponent - 8)));
  }
  return all;
}

template <class T>
class DirectedRounding : public testing::Test {};
using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(DirectedRounding, Numbers);

TYPED_TEST(DirectedRounding, IsTheProcessors) {
  using T = TypeParam;
  std::mt19937_64 random(34);
  const std::vector<T> all = numbers<T>(random);
  size_t wrong = 0;
  const auto expect = [&](T ours, T processors, const char* what, T a, T b, T c) {
    if (!same(ours, processors) && ++wrong < 20)
      ADD_FAILURE() << what << " of " << a << ", " << b << ", " << c << ": " << ours << ", not "
                    << processors;
  };
  for (const auto& [d, mode] : directions)
    for (const T x : all)
      for (const T y : all) {
        const T z = all[random() % all.size()];
        const volatile T a = x, b = y;
        expect(rounded_sum(x, y, d), in_mode(mode, [&]() -> T { return a + b; }), "sum", x, y, 0);
        expect(rounded_product(x, y, d), in_mode(mode, [&]() -> T { return a * b; }), "product", x, y, 0);
        expect(rounded_quotient(x, y, d), in_mode(mode, [&]() -> T { return a / b; }), "quotient", x, y, 0);
        expect(rounded_root(x, d), in_mode(mode, [&]() -> T { return std::sqrt(a); }), "root", x, 0, 0);
        for (const T addend : {z, -T(x * y)}) {
          const volatile T added = addend;
          expect(rounded_fma(x, y, addend, d),
                 in_mode(mode, [&]() -> T { return std::fma(T(a), T(b), T(added)); }), "fma", x, y, addend);
        }
      }
  EXPECT_EQ(wrong, 0u);
}

TYPED_TEST(DirectedRounding, OfConversionsIsTheProcessors) {
  using T = TypeParam;
  std::mt19937_64 random(35);
  const auto check = [&](auto from) {
    for (const auto& [d, mode] : directions) {
      const volatile auto there = from;
      // its conversion of an unsigned 0 subtracts, which gives -0 downward
      const T processors = from == 0 ? T(from) : in_mode(mode, [&]() -> T { return T(there); });
      EXPECT_TRUE(same(rounded_number<T>(from, d), processors)) << from << " in mode " << mode;
    }
  };
  for (const double x : numbers<double>(random)) check(x);
  for (int k = 0; k < 2000; ++k) {
    const uint64_t bits = random() >> random() % 64;
    check(int32_t(bits));
    check(uint32_t(bits));
    check(int64_t(bits));
    check(-int64_t(bits >> 1));
    check(uint64_t(bits));
  }
  check(std::numeric_limits<uint64_t>::max());
  check(std::numeric_limits<int64_t>::min());
}

}  // namespace
}  // namespace bscope::cuda
