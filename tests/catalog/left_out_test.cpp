// A barrier that is left out is not met, in any kernel of the catalog.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/trace.hpp"

namespace bscope::test {
namespace {

Schedule lockstep(std::vector<LeftOut> without = {}) {
  Schedule s;
  s.kind = Schedule::lockstep;
  s.without = std::move(without);
  return s;
}

/// "file:line" of each barrier that is met.
std::set<LeftOut> barriers(const Trace& t) {
  std::set<LeftOut> all;
  for (const Launch& l : t.launches) {
    const std::string& path = t.sources[size_t(l.source)].path;
    for (const BlockRun& b : l.blocks)
      for (const Event& e : b.events)
        if (e.op == Op::sync) all.insert({path.substr(path.rfind('/') + 1), int(e.line)});
  }
  return all;
}

TEST(LeftOut, IsNotMet) {
  size_t tried = 0;
  for (const Algorithm* a : catalog()) {
    RunSpec r;
    r.kernel = a->name;
    const Problem p = make_problem(*a, r);
    const auto met = barriers(run(*a, p, Device::cpu, lockstep()));
    for (const LeftOut& one : met) {
      const Trace t = run(*a, p, Device::cpu, lockstep({one}));
      EXPECT_FALSE(barriers(t).contains(one)) << a->name << " " << one.file << ":" << one.line;
      EXPECT_NE(t.driver.find(one.file + ":" + std::to_string(one.line)), std::string::npos) << a->name;
      ++tried;
    }
  }
  EXPECT_GT(tried, 40u);
}

TEST(LeftOut, OfAnotherFileChangesNothing) {
  const Schedule s = lockstep({{"4_three_phase.cu", 24}, {"5_blelloch.cu", 24}});
  EXPECT_EQ(within(s, "kernels/scan/5_blelloch.cu").without, (std::vector<LeftOut>{{"5_blelloch.cu", 24}}));
}

std::string refused(const std::string& schedule, const std::string& kernel) {
  const Algorithm& a = find(kernel);
  RunSpec r;
  r.kernel = a.name;
  try {
    run(a, make_problem(a, r), Device::cpu, parse_schedule(schedule));
  } catch (const UsageError& e) { return e.what(); }
  return "";
}

TEST(LeftOut, IsABarrierOfTheRunOrIsRefused) {
  for (const Algorithm* a : catalog()) {
    RunSpec r;
    r.kernel = a->name;
    const auto met = barriers(run(*a, make_problem(*a, r), Device::cpu, lockstep()));
    for (const std::string& order : {"auto", "to-barrier", "lockstep", "shuffle:3"}) {
      EXPECT_NE(refused(order + " without nosuch.cu:21", a->name), "") << a->name;
      const std::string file = a->source.substr(a->source.rfind('/') + 1);
      EXPECT_NE(refused(order + " without " + file + ":9999", a->name), "") << a->name;
    }
    if (met.empty()) continue;
    const std::string first = met.begin()->file + ":" + std::to_string(met.begin()->line);
    // one that there is does not hide one that there is not
    EXPECT_NE(refused("lockstep without " + first + " " + met.begin()->file + ":1", a->name).find(first),
              std::string::npos)
        << a->name;
  }
}

TEST(LeftOut, IsNamedByItsFileWithOrWithoutFolders) {
  for (const char* name : {"5_blelloch.cu:25", "./5_blelloch.cu:25", "kernels/scan/5_blelloch.cu:25"}) {
    EXPECT_EQ(parse_left_out(name), (LeftOut{"5_blelloch.cu", 25})) << name;
    EXPECT_EQ(refused(std::string("lockstep without ") + name, "scan/blelloch"), "") << name;
  }
  EXPECT_THROW(parse_left_out("kernels/:24"), UsageError);
}

TEST(LeftOut, SaysWhichBarriersThereAre) {
  const std::string all =
      " The run's barriers: 5_blelloch.cu:25, 5_blelloch.cu:29, 5_blelloch.cu:37, "
      "5_blelloch.cu:47.";
  EXPECT_EQ(refused("lockstep without 5_blelloch.cu:26", "scan/blelloch"),
            "Line 26 of 5_blelloch.cu is no barrier of this run: did you mean 5_blelloch.cu:25?" + all);
  EXPECT_EQ(refused("lockstep without nosuch.cu:30", "scan/blelloch"),
            "This run has no source nosuch.cu: did you mean 5_blelloch.cu:29?" + all);
}

}  // namespace
}  // namespace bscope::test
