// Padding differs from cells that a run merely does not need, and strides are the source's.
#include "engine/analysis/padding.hpp"

#include <gtest/gtest.h>

#include "engine/analysis/block_steps.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope::test {
namespace {

std::vector<bool> marked_cells(const std::string& text) {
  std::vector<bool> used;
  for (const char c : text) used.push_back(c == '#');
  return used;
}

TEST(Padding, IsACellOrTwoAfterEachRow) {
  EXPECT_EQ(padding_of(marked_cells("########.########.########")), (Padding{8, 1}));
  EXPECT_EQ(padding_of(marked_cells("########.########.###")), (Padding{8, 1}));
  EXPECT_EQ(padding_of(marked_cells("################..################..")), (Padding{16, 2}));
  EXPECT_EQ(padding_of(marked_cells("########.#")).index_in_use(9), 8);
  EXPECT_EQ(padding_of(marked_cells("########.########.#")).index_in_use(18), 16);
}
TEST(Padding, IsNotWhatARunLeavesUntouched) {
  for (const char* text :
       {"", "#", "........", "########", "########....", "####.####", "#.#.#.#.#", "....####",
        "########.####.########", "########.#######..########", "########.#########.###"})
    EXPECT_EQ(padding_of(marked_cells(text)).row, 0) << text;
}

/// The strides of a block's steps, one after the other.
std::vector<int> strides(const std::string& kernel, int n, int block) {
  const RunQueries m = model_of(kernel, n, block);
  std::vector<int> all;
  for (const Step& s : m.block(0, 0).steps) all.push_back(s.stride());
  return all;
}
TEST(Padding, LeavesTheStridesOfTheSource) {
  for (int block = 1; block <= 512; block *= 2) {
    const auto plain = strides("scan/blelloch", 2 * block, block);
    EXPECT_EQ(strides("scan/blelloch-padded", 2 * block, block), plain) << "block " << block;
    for (int stride = 1; stride <= block; stride *= 2)
      EXPECT_EQ(std::ranges::count(plain, stride), 2) << "block " << block;  // upwards and downwards
  }
}

}  // namespace
}  // namespace bscope::test
