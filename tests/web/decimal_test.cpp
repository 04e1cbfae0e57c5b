// The page's library reads floating-point numbers by our own function; everybody else by libstdc++'s.
#include "third_party/web/cxx/decimal.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <type_traits>

namespace {

template <class T>
void expect_alike(const std::string& text) {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  T ours = T(-12.5), theirs = T(-12.5);
  const char *first = text.data(), *last = first + text.size();
  const auto a = bscope_web::read_decimal<std::from_chars_result>(first, last, ours);
  const auto b = std::from_chars(first, last, theirs);
  ASSERT_EQ(a.ec, b.ec) << text;
  ASSERT_EQ(a.ptr - first, b.ptr - first) << text;
  if (std::isnan(theirs))
    ASSERT_TRUE(std::isnan(ours)) << text;
  else
    ASSERT_EQ(std::bit_cast<Bits>(ours), std::bit_cast<Bits>(theirs))
        << text << ": " << ours << " and " << theirs;
}

void expect_alike(const std::string& text) {
  expect_alike<double>(text);
  expect_alike<float>(text);
}

TEST(DecimalOfThePage, ReadsWhatFromCharsReads) {
  for (const char* text :
       {"",      "-",     "+1",   " 1",        "1 ",    "1e",     "1e+",    "1e+5x",    "1.",      ".5",
        ".",     "-.",    "1.e3", "0x10",      "inf",   "-inf",   "INFx",   "infinity", "infinit", "nan",
        "NaN()", "nan(1", "-nan", "nan(a_1)z", "1e400", "-1e400", "1e-400", "0e999",    "1e-46",   "3.5e38",
        "1e39",  "0.0",   "-0",   "007",       "1..2",  "1e5e5",  "--1",    "e5",       "1e-320",  "1e-45"})
    expect_alike(text);
}

TEST(DecimalOfThePage, ReadsRandomTextsAlike) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const std::string letters = "0123456789.-+eE infa";
  for (int k = 0; k < 200000; ++k) {
    std::string text;
    for (size_t n = random() % 12; n; --n) text += letters[random() % letters.size()];
    expect_alike(text);
    if (HasFatalFailure()) return;
  }
}

TEST(DecimalOfThePage, ReadsEveryNumberThatIsWritten) {
  std::mt19937_64 random(std::random_device{}());
  for (int k = 0; k < 100000; ++k) {
    const uint64_t bits = random();
    double v;
    std::memcpy(&v, &bits, sizeof v);
    char text[64];
    expect_alike(std::string(text, std::to_chars(text, text + sizeof text, v).ptr));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
