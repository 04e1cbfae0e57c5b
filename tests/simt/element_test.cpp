// The laws that scans and reductions rest on, for every element whose + is another operation.
#include "engine/simt/element.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace bscope::test {
namespace {

/// In every bit: -0 is not 0, and a NaN is itself.
template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0;  // NOLINT(bugprone-suspicious-memory-comparison)
}

template <class T>
class Elements : public testing::Test {
 protected:
  std::mt19937 dice{1};
  T any() { return T(double(int(dice() % 20001) - 10000)); }
};
using All = testing::Types<Min<int>, Min<float>, Min<double>, Max<int>, Max<float>, Max<double>, Affine>;
TYPED_TEST_SUITE(Elements, All);

TYPED_TEST(Elements, AreMonoids) {
  for (int k = 0; k < 1000; ++k) {
    const TypeParam a = this->any(), b = this->any(), c = this->any();
    EXPECT_TRUE(same((a + b) + c, a + (b + c)));
    EXPECT_TRUE(same(a + identity<TypeParam>(), a));
    EXPECT_TRUE(same(identity<TypeParam>() + a, a));
    TypeParam d = a;
    d += b;
    EXPECT_TRUE(same(d, a + b));
  }
}

TEST(AffineMaps, AreAppliedFromLeftToRight) {
  const Affine twice_plus_one{2, 1}, thrice_plus_five{3, 5};
  const Affine both = twice_plus_one + thrice_plus_five;  // 3 (2y + 1) + 5
  EXPECT_EQ(both.slope, 6);
  EXPECT_EQ(both.offset, 8);
  EXPECT_FALSE(same(both, thrice_plus_five + twice_plus_one));
  EXPECT_TRUE(same(Affine(-4.0), Affine{uint16_t(-4), 1}));
}

}  // namespace
}  // namespace bscope::test
