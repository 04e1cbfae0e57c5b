// A barrier that is left out is not met, in any kernel of the catalog.
#include <gtest/gtest.h>

#include <set>

#include "engine/catalog/catalog.hpp"

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
    Request r;
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
  const Algorithm& a = find("scan/blelloch");
  Request r;
  r.kernel = a.name;
  const Problem p = make_problem(a, r);
  const Trace whole = run(a, p, Device::cpu, lockstep());
  for (const LeftOut& one : barriers(whole)) {
    const Trace t = run(a, p, Device::cpu, lockstep({{"4_three_phase.cu", one.line}}));
    EXPECT_EQ(barriers(t), barriers(whole));
  }
}

}  // namespace
}  // namespace bscope::test
