// Names, numbers and texts of what a trace holds.
#include <gtest/gtest.h>

#include <set>

#include "tests/trace/hand_made.hpp"

namespace bscope::test {
namespace {

template <class T>
uint64_t bits(T v) {
  uint64_t b = 0;
  memcpy(&b, &v, sizeof v);
  return b;
}

TEST(Names, EveryOpAndKindHasOne) {
  for (int k = 0; k < op_count; ++k) EXPECT_GT(strlen(name_of(Op(k))), 1u);
  std::set<std::string> kinds;
  for (int k = 0; k < kind_count; ++k) kinds.insert(name_of(ElementType(k)));
  EXPECT_EQ(kinds.size(), size_t(kind_count));
  EXPECT_STREQ(name_of(Op::load), "load");
  EXPECT_STREQ(name_of(Op::add), "add");
  EXPECT_STREQ(name_of(Op::differ), "differ");
  EXPECT_STREQ(name_of(ElementType::f32), "float");
  EXPECT_STREQ(name_of(ElementType::i32), "int32");
}

TEST(Texts, AreShortAndReadBack) {
  EXPECT_EQ(text_of(ElementType::i32, bits(-7)), "-7");
  EXPECT_EQ(text_of(ElementType::u8, bits(uint8_t(200))), "200");
  EXPECT_EQ(text_of(ElementType::i8, bits(int8_t(-1))), "-1");
  EXPECT_EQ(text_of(ElementType::i64, bits(int64_t(-1) << 40)), "-1099511627776");
  EXPECT_EQ(text_of(ElementType::u64, ~0ull), "18446744073709551615");
  EXPECT_EQ(text_of(ElementType::f32, bits(0.1f)), "0.1");
  EXPECT_EQ(text_of(ElementType::f64, bits(0.1)), "0.1");
  EXPECT_EQ(text_of(ElementType::f32, bits(3.0f)), "3");
}

TEST(Numbers, AreTheCells) {
  EXPECT_EQ(number(ElementType::i16, bits(int16_t(-300))), -300);
  EXPECT_EQ(number(ElementType::f64, bits(2.5)), 2.5);
  const float x = 1.25f;
  EXPECT_EQ(number(ElementType::f32, reinterpret_cast<const std::byte*>(&x)), 1.25);
}

TEST(Digest, SeesWhatHappenedAndNotWhoRanWhen) {
  const Trace t = hand_made();
  Trace u = t;
  u.device = "another";
  for (auto& l : u.launches) l.turns.clear();
  u.findings.clear();
  EXPECT_EQ(digest(u), digest(t));
  u = t;
  u.launches[0].blocks[0].events[0].bits ^= 1;
  EXPECT_NE(digest(u), digest(t));
  u = t;
  u.launches[0].name += "x";
  EXPECT_NE(digest(u), digest(t));
}

}  // namespace
}  // namespace bscope::test
