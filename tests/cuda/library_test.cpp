// Functions of a library's in users' kernels, and calls of a library's on the host: how they stand in a
// trace, and what is said of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "engine/analysis/library_calls.hpp"
#include "engine/analysis/proof.hpp"
#include "engine/analysis/replay.hpp"
#include "engine/trace/library_launch.hpp"
#include "tests/cuda/machine_support.hpp"
#include "tests/places.hpp"

namespace bscope::cuda {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr const char* file = "device/library.cu";

std::vector<int> counted(int n) {
  std::vector<int> v(static_cast<size_t>(n));
  std::iota(v.begin(), v.end(), 1);
  return v;
}

class Library : public testing::Test {
 protected:
  Trace traced(const std::string& kernel) {
    const uint64_t in = d.array(counted(64));
    out = d.array(std::vector<int>(64));
    const LaunchOutcome o = d.launch(kernel, {}, {64}, in, out);
    EXPECT_EQ(o.message.english(), "");
    return d.trace();
  }
  static std::vector<std::string> phases_of(const DataflowGraph& f) {
    std::vector<std::string> all;
    for (const Interval& v : f.intervals) all.push_back(v.phase);
    return all;
  }
  /// "20: sentences", of each finding.
  static std::vector<std::string> told(const std::vector<Finding>& findings) {
    std::vector<std::string> all;
    for (const Finding& f : findings) all.push_back(std::to_string(f.line) + ": " + f.text());
    return all;
  }
  static int line(const std::string& name) { return line_named(name, file); }

  Device d{{}, {}, file, {"device/library/"}};
  uint64_t out = 0;
};

TEST_F(Library, HeadsTheStepsOfACall) {
  const Trace t = traced("sum_once");
  EXPECT_EQ(d.content<int>(out, 1)[0], 64 * 65 / 2);
  const DataflowGraph f = d.replayed(t);
  EXPECT_THAT(phases_of(f), ElementsAre("BlockSum::Sum", "BlockSum::Sum"));
  EXPECT_THAT(phases_of(replay_in_order(t)), ElementsAre("BlockSum::Sum", "BlockSum::Sum"));
  EXPECT_EQ(f.intervals[0].line, line("sum"));
  for (const Node& n : f.nodes) EXPECT_THAT(n.line, testing::AnyOf(line("sum"), line("result"), 0));
  const LibraryCalls calls(t, 0);
  for (const Node& n : f.nodes)
    if (touches(n.op)) EXPECT_EQ(calls.of(n) != 0, n.place.shared()) << n.event;
}

TEST_F(Library, LeavesWhatACallDoesToIt) {
  const Trace t = traced("careless");
  const DataflowGraph f = replay_trace(t);
  EXPECT_EQ(f.hazards_found, 0u);
  EXPECT_THAT(told(f.faults), IsEmpty());
  EXPECT_THAT(told(t.findings), IsEmpty());
}

TEST_F(Library, TellsOfRacesWithTheKernelsOwnCode) {
  const DataflowGraph f = replay_trace(traced("beside_own_code"));
  ASSERT_GT(f.hazards_found, 0u);
  for (const Hazard& h : f.hazards) EXPECT_THAT(h.lines, Contains(line("own store")));
}

TEST_F(Library, WantsABarrierBetweenTwoCallsOnOneStorage) {
  const Trace t = traced("again");
  EXPECT_THAT(told(storage_reused(t, 0)),
              ElementsAre(std::to_string(line("second")) + ": BlockSum::Sum in line " +
                          std::to_string(line("second")) + " uses the TempStorage of BlockSum::Sum in line " +
                          std::to_string(line("first")) +
                          " again, with no barrier in between. Put __syncthreads() between line " +
                          std::to_string(line("first")) + " and line " + std::to_string(line("second")) +
                          ", or give the second call a TempStorage of its own."));
  EXPECT_EQ(replay_trace(t).hazards_found, 0u);  // the sentence above tells of them
}

TEST_F(Library, TakesABarrierOfTheKernelBetweenThem) {
  const Trace t = traced("again_with_barrier");
  EXPECT_THAT(told(storage_reused(t, 0)), IsEmpty());
  EXPECT_THAT(storage_reused(t, 0, line("between")), SizeIs(1));
  for (const Barrier& b : barriers(t, replay_trace(t))) EXPECT_TRUE(b.needed) << b.message.english();
}

TEST_F(Library, WantsItInALoopWhateverTheCallDoesInside) {
  const Trace t = traced("careful_rounds");
  EXPECT_EQ(replay_trace(t).hazards_found, 0u);
  EXPECT_THAT(told(storage_reused(t, 0)),
              ElementsAre(HasSubstr("BlockSum::Careful in line " + std::to_string(line("round")) +
                                    " uses its TempStorage again in the next round")));
  EXPECT_THAT(phases_of(replay_trace(t)), Each("BlockSum::Careful"));
}

TEST_F(Library, TakesAWarpsCallForTheWarps) {
  const DataflowGraph f = replay_trace(traced("one_for_two_warps"));
  ASSERT_GT(f.hazards_found, 0u);
  for (const Hazard& h : f.hazards) {
    EXPECT_EQ(h.lines[0], line("exchange"));
    EXPECT_NE(h.threads[0] / warp_size, h.threads[1] / warp_size);
  }
}

TEST_F(Library, LeavesEachWarpsCallToIt) {
  EXPECT_EQ(replay_trace(traced("one_for_each_warp")).hazards_found, 0u);
}

TEST_F(Library, MakesOneLaunchOfACallOnTheHost) {
  const std::string path = std::string(BARRIERSCOPE_ROOT "/tests/cuda/") + file;
  const uint64_t v = d.array(std::vector<int>(8));
  d.array(counted(4));
  const uint64_t storage = d.machine.allocate(32, Placement::device);
  d.machine.locate_allocations_with([&](uint64_t address) -> Machine::AllocationSite {
    if (address == storage) return {.by = "cudaMalloc", .line = 1, .within = "thrust::sequence"};
    return {.by = "cudaMalloc", .line = 1, .variable = address == v ? "v" : "untouched"};
  });
  d.machine.ask_caller_with([&] { return d.library; });
  d.library = {"thrust::sequence", path, line("sum")};
  d.launch("DeviceFillKernel", {2}, {4}, storage, 8, 3);
  d.launch("DeviceFillKernel", {2}, {4}, v, 8, 5);
  d.machine.free(storage);
  d.library = {"thrust::fill", path, line("result")};
  d.launch("DeviceFillKernel", {1}, {4}, v, 4, 100);
  EXPECT_THAT(d.content<int>(v, 8), ElementsAre(100, 101, 102, 103, 9, 10, 11, 12));
  const Trace t = d.trace();
  ASSERT_THAT(t.launches, SizeIs(2));
  EXPECT_EQ(t.launches[0].name, "thrust::sequence, line " + std::to_string(line("sum")));
  EXPECT_EQ(t.launches[1].name, "thrust::fill, line " + std::to_string(line("result")));
  for (const Launch& l : t.launches) {
    EXPECT_TRUE(is_library_launch(l));
    EXPECT_TRUE(is_between_launches(l));
    EXPECT_EQ(t.sources.at(size_t(l.source)).path, "library.cu");
  }
  ASSERT_THAT(t.arrays, SizeIs(1));  // neither the library's own storage nor what it did not touch
  EXPECT_EQ(t.arrays[0].name, "v");
  EXPECT_EQ(number(ElementType::i32, t.arrays[0].initial.data()), 0);
  const DataflowGraph f = d.replayed(t);
  EXPECT_THAT(f.intervals, SizeIs(2));
  EXPECT_EQ(f.intervals[0].nodes.size(), 8u);
  EXPECT_EQ(f.intervals[1].nodes.size(), 4u);
}

TEST_F(Library, ShowsWhatKernelsDoBehindACallOnTheHost) {
  d.library = {"thrust::fill", std::string(BARRIERSCOPE_ROOT "/tests/cuda/") + file, line("sum")};
  const uint64_t v = d.array(std::vector<int>(64)), sum = d.array(std::vector<int>(1));
  d.launch("DeviceFillKernel", {1}, {64}, v, 64, 1);
  d.library = {};
  d.launch("sum_once", {}, {64}, v, sum);
  const Trace t = d.trace();
  ASSERT_THAT(t.launches, SizeIs(2));
  EXPECT_FALSE(is_library_launch(t.launches[1]));
  EXPECT_EQ(d.content<int>(sum, 1)[0], 64 * 65 / 2);
  d.replayed(t);
}

TEST_F(Library, TellsAFaultOfItsKernelInTheLineOfTheCall) {
  d.library = {"thrust::fill", std::string(BARRIERSCOPE_ROOT "/tests/cuda/") + file, line("sum")};
  const uint64_t v = d.array(std::vector<int>(8));
  const LaunchOutcome o = d.launch("DeviceFillKernel", {1}, {32}, v, 9, 1);
  EXPECT_EQ(o.code, LaunchOutcome::fault);
  EXPECT_THAT(o.message.english(), HasSubstr("in line " + std::to_string(line("sum"))));
  EXPECT_THAT(o.message.english(), Not(HasSubstr("cub.cuh")));
  EXPECT_THAT(told(d.trace().findings), SizeIs(1));
}

}  // namespace
}  // namespace bscope::cuda
