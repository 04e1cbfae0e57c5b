// The access patterns against arithmetic: a stride of s words meets each bank gcd(s, 32) times.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "engine/analysis/report.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"

namespace bscope::test {
namespace {

/// The request of the phase "read" that loads from this memory.
WarpAccess reading(const std::string& kernel, bool shared, int stride, int offset, int width, int pad) {
  RunSpec r;
  r.set = {{"stride", std::to_string(stride)},
           {"offset", std::to_string(offset)},
           {"width", std::to_string(width)},
           {"pad", std::to_string(pad)}};
  const Algorithm& a = find(kernel);
  const Trace t = run(a, make_problem(a, r), Device::cpu);
  const Report report = analyse(t);
  EXPECT_TRUE(report.correct) << kernel;
  for (const WarpAccess& q : report.requests_of(report.flow.intervals.size() - 1))
    if (q.shared() == shared && q.op == Op::load) return q;
  ADD_FAILURE() << kernel << " reads nothing";
  return {};
}

TEST(Patterns, AStrideMeetsABankAsOftenAsItDivides) {
  for (int stride = 1; stride <= 64; ++stride) {
    const WarpAccess q = reading("patterns/shared-stride", true, stride, 3, 4, 0);
    ASSERT_EQ(q.lanes.size(), 32u);
    EXPECT_EQ(q.wavefronts, std::gcd(stride, 32)) << stride;
    EXPECT_EQ(q.ideal, 1);
  }
  EXPECT_EQ(reading("patterns/shared-stride", true, 0, 3, 4, 0).wavefronts, 1) << "one word for all";
}

TEST(Patterns, AWordOfPaddingEndsAConflictOfPowersOfTwo) {
  for (int stride : {1, 2, 4, 8, 16, 32})
    EXPECT_EQ(reading("patterns/shared-stride", true, stride, 0, 4, 1).wavefronts, 1) << stride;
}

TEST(Patterns, WideElementsGoInHalvesAndQuarters) {
  EXPECT_EQ(reading("patterns/shared-stride", true, 1, 0, 8, 0).wavefronts, 2);
  EXPECT_EQ(reading("patterns/shared-stride", true, 1, 0, 16, 0).wavefronts, 4);
  EXPECT_EQ(reading("patterns/shared-stride", true, 16, 0, 8, 0).wavefronts, 32) << "16 a half";
  EXPECT_EQ(reading("patterns/shared-stride", true, 16, 0, 8, 1).wavefronts, 2);
}

TEST(Patterns, ComeInAsManySectorsAsTheirBytesTouch) {
  for (int width : {4, 8, 16})
    for (int pad : {0, 1})
      for (int offset : {0, 1, 7})
        for (int stride : {0, 1, 2, 5, 8, 32}) {
          std::set<int> sectors, bytes;
          for (int lane = 0; lane < 32; ++lane) {
            const int k = offset + lane * stride, at = (k + k / (128 / width) * pad) * width;
            for (int b = at; b < at + width; ++b) sectors.insert(b / 32), bytes.insert(b);
          }
          const WarpAccess q = reading("patterns/global-stride", false, stride, offset, width, pad);
          EXPECT_EQ(q.sectors, int(sectors.size()));
          EXPECT_EQ(q.ideal_sectors, int(bytes.size() + 31) / 32);
        }
}

}  // namespace
}  // namespace bscope::test
