// The generators of cuRAND against numbers that others have published, and their skips against steps;
// functions that C++ has not against their inverses.
#include "engine/cuda/machine/random_sequences.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "engine/cuda/machine/special_functions.hpp"

namespace bscope::cuda {
namespace {

using testing::ElementsAre;

TEST(RandomSequences, XorwowBeginsAsCurandDoes) {
  // what curandGenerate gave for seed 0 on a GPU: number n is the first of sequence n
  std::vector<uint32_t> numbers;
  Xorwow x(0);
  for (int k = 0; k < 8; ++k, x.skip_sequences(1)) numbers.push_back(Xorwow(x).next());
  EXPECT_THAT(numbers, ElementsAre(3179217846u, 3955638199u, 167591721u, 4161663997u, 3973448494u,
                                   1917059131u, 2866113984u, 472148682u));
}

TEST(RandomSequences, XorwowSkipsWhatItWouldHaveGiven) {
  for (const uint64_t count : {0u, 1u, 2u, 63u, 4097u}) {
    Xorwow stepped(77), skipped(77);
    for (uint64_t k = 0; k < count; ++k) stepped.next();
    skipped.skip(count);
    EXPECT_EQ(stepped.next(), skipped.next()) << count;
  }
  Xorwow twice(5), once(5);
  twice.skip_sequences(3);
  twice.skip_sequences(4);
  once.skip_sequences(7);
  EXPECT_EQ(twice.next(), once.next());
}

TEST(RandomSequences, PhiloxHasTheKnownAnswersOfItsPaper) {
  const uint32_t ones = 0xffffffff;
  EXPECT_THAT(philox({0, 0, 0, 0}, {0, 0}), ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  EXPECT_THAT(philox({ones, ones, ones, ones}, {ones, ones}),
              ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
}

TEST(RandomSequences, SkipsOfMrgAdd) {
  const std::array<uint32_t, 3> s = {12345, 12345, 12345};
  for (const bool first : {true, false}) {
    const auto seven = skipped_mrg(skipped_mrg(s, first, 3, 5), first, 4, 5);
    EXPECT_EQ(seven, skipped_mrg(s, first, 7, 5));
    EXPECT_EQ(skipped_mrg(s, first, 32, 0), skipped_mrg(s, first, 1, 5));
  }
}

TEST(SpecialFunctions, InversesLeadBack) {
  for (const double x : {-5.0, -2.5, -0.7, -1e-9, 0.0, 0.3, 0.48, 0.9, 2.0}) {
    EXPECT_NEAR(erf_inverse(std::erf(x)), x, 1e-15 + 2e-16 * std::exp(x * x)) << x;
    EXPECT_NEAR(normal_cdf_inverse(normal_cdf(x)), x, 1e-15 + 3e-16 * std::exp(x * x / 2)) << x;
  }
  for (const double x : {0.1, 1.0, 5.0, 20.0}) EXPECT_NEAR(erfc_inverse(std::erfc(x)), x, x * 1e-15) << x;
  EXPECT_TRUE(std::isnan(erf_inverse(1.5)));
  EXPECT_EQ(erfc_inverse(0), HUGE_VAL);
}

TEST(SpecialFunctions, OfLargeArguments) {
  EXPECT_NEAR(scaled_erfc(9.999) / scaled_erfc(10.001), 10.001 / 9.999, 1e-5);  // where the formula changes
  EXPECT_NEAR(scaled_erfc(1e10), 5.6418958354775629e-11, 1e-25);
  EXPECT_NEAR(modified_bessel_i0(1), 1.2660658777520084, 1e-15);
  EXPECT_NEAR(modified_bessel_i1(-1), -0.5651591039924851, 1e-15);
  EXPECT_EQ(modified_bessel_i0(1000), HUGE_VAL);
}

TEST(SpecialFunctions, HalfTurnsAreExactAtQuarters) {
  EXPECT_EQ(sine_of_half_turns(1e15), 0);
  EXPECT_EQ(sine_of_half_turns(2.5), 1);
  EXPECT_EQ(sine_of_half_turns(-1.5), 1);
  EXPECT_EQ(cosine_of_half_turns(0.5), 0);
  EXPECT_EQ(cosine_of_half_turns(1), -1);
  EXPECT_NEAR(cosine_of_half_turns(1.0 / 3), 0.5, 1e-16);
}

}  // namespace
}  // namespace bscope::cuda
