// Inputs that no thread reads, or two blocks read, and outputs that no thread writes: on runs made for it,
// and on the series of kernels, where there is none.
#include "engine/analysis/unread.hpp"

#include <gmock/gmock.h>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/program.hpp"

namespace bscope::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Each thread copies the elements that `from` and `to` let it.
struct Copy {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> in, Array<T> out, int from, int to, int every) const {
    const int k = t.block() * every + t.rank();
    if (k >= from && k < to) {
      const T x = in[k];
      out[k] = x;
    }
  }
};
Coverage copied(int n, int from, int to, Property property, LaunchShape shape = {1, 64}, int every = 64) {
  Gpu gpu(Schedule{.kind = Schedule::to_barrier});
  auto in = gpu.array("in", std::vector<int>(size_t(n), 1));
  auto out = gpu.array<int>("out", n);
  gpu.launch("copy", shape, Copy{}, read_only(in), out, from, to, every);
  gpu.trace.output = 1;
  gpu.trace.property = property;
  return coverage(gpu.trace, replay_trace(gpu.trace));
}

TEST(Coverage, NamesWhatIsLeftOut) {
  Coverage c = copied(19, 0, 16, Property::inclusive_scan);
  EXPECT_THAT(c.unread, ElementsAre(16, 17, 18));
  EXPECT_THAT(c.unwritten, ElementsAre(16, 17, 18));
  ASSERT_EQ(c.gaps.size(), 2u);
  EXPECT_THAT(c.gaps[0].sentences().english(),
              AllOf(HasSubstr("x16, x17 and x18 of 19 inputs are never read"), HasSubstr("line ")));
  EXPECT_THAT(c.gaps[1].sentences().english(),
              HasSubstr("out: cell 16, cell 17 and cell 18 of 19 are never written"));
  EXPECT_FALSE(c.whole());

  c = copied(30, 2, 20, Property::reduction);
  EXPECT_THAT(c.gaps.at(0).sentences().english(),
              HasSubstr("x0, x1 and x20..x29 of 30 inputs are never read"));
  c = copied(3, 1, 1, Property::histogram);
  EXPECT_THAT(c.gaps.at(0).sentences().english(), HasSubstr("No thread loads an input at all"));
  EXPECT_THAT(c.unwritten, IsEmpty()) << "bins may stay empty";
}

TEST(Coverage, AnExclusiveScanNeedsNotItsLastInput) {
  EXPECT_TRUE(copied(10, 0, 9, Property::exclusive_scan).whole());
  EXPECT_FALSE(copied(10, 0, 9, Property::inclusive_scan).whole());
  EXPECT_FALSE(copied(10, 0, 8, Property::exclusive_scan).whole());
}

TEST(Coverage, PromisesNothingForOthers) {
  const Coverage c = copied(10, 0, 3, Property::none);
  EXPECT_THAT(c.unread, IsEmpty());
  EXPECT_TRUE(c.gaps.empty());
}

TEST(Coverage, NamesWhatTwoBlocksRead) {
  const Coverage c = copied(10, 0, 10, Property::inclusive_scan, {3, 4}, 3);
  EXPECT_THAT(c.unread, IsEmpty());
  EXPECT_THAT(c.twice, ElementsAre(3, 6));
  ASSERT_EQ(c.gaps.size(), 1u);
  EXPECT_THAT(c.gaps[0].sentences().english(),
              AllOf(HasSubstr("x3 and x6 of 10 inputs are read by two blocks"),
                    HasSubstr("x3 by block 0 and by block 1")));
  EXPECT_TRUE(c.whole()) << "no failure by itself";
}

TEST(Coverage, OfTheLaddersIsWhole) {
  for (const Algorithm* a : catalog()) {
    if (a->family() == "mistakes") continue;
    for (int n : {1, 2, 7, 16, 33, 500})
      for (int block : {4, 32}) {
        RunSpec r;
        r.n = n;
        r.block = block;
        const Trace t = run(*a, make_problem(*a, r), Device::cpu, {.kind = Schedule::to_barrier});
        const Coverage c = coverage(t, replay_trace(t));
        EXPECT_TRUE(c.gaps.empty()) << a->name << " n " << n << " block " << block;
      }
  }
}

}  // namespace
}  // namespace bscope::test
