#include "engine/catalog/phase_names.hpp"

#include <gmock/gmock.h>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/problem.hpp"
#include "engine/simt/stamps.hpp"
#include "engine/timing/timeline.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using testing::UnorderedElementsAre;

/// A timeline whose launches came to every phase that a trace of the kernel comes to, and to one line more.
Timeline as_traced(const Trace& trace, int more) {
  Timeline t;
  for (const Launch& from : trace.launches) {
    TimelineLaunch& l = t.launches.emplace_back();
    l.name = from.name;
    auto& path = l.paths.emplace_back();
    for (const Event& e : from.blocks[0].log(0))
      if (e.op == Op::phase) path.push_back({Stamp::phase, int(e.line)});
    path.push_back({Stamp::phase, more});
  }
  return t;
}

TEST(PhaseNames, AreThoseOfATraceByTheirLines) {
  const Algorithm& a = find("reduce/warp-shuffle");
  const Problem p = make_problem(a, {.kernel = a.name, .n = 100'000, .block = 64});
  const Problem small = make_problem(a, {.kernel = a.name, .n = 200, .block = 64});
  Timeline t = as_traced(run(a, small, Device::cpu), 9999);
  name_phases(t, a, p);
  ASSERT_THAT(t.launches, SizeIs(testing::Ge(2u)));
  for (const TimelineLaunch& l : t.launches)
    EXPECT_THAT(l.phases, UnorderedElementsAre(Pair(testing::_, "halves"), Pair(testing::_, "shuffles")));
}

TEST(PhaseNames, OfALevelThatOnlyLongInputsHaveAreFoundByTheLine) {
  const Algorithm& a = find("scan/kogge-stone");
  const Problem p = make_problem(a, {.kernel = a.name, .n = 5000, .block = 32});
  Timeline t = as_traced(run(a, p, Device::cpu), 9999);
  t.launches.front().name = "a level of its own";
  name_phases(t, a, p);
  EXPECT_THAT(t.launches.front().phases, testing::Not(IsEmpty()));
  for (const auto& [line, name] : t.launches.front().phases) EXPECT_NE(line, 9999) << name;
}

}  // namespace
}  // namespace bscope
