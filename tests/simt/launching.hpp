// What the tests of the dialect and the executor share: a machine, launches, and what was found.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "engine/simt/program.hpp"

namespace bscope {
/// How GoogleTest names a schedule in what it prints.
inline void PrintTo(const Schedule& s, std::ostream* out) { *out << name_of(s); }
}  // namespace bscope

namespace bscope::test {

inline const std::vector<Schedule>& schedules() {
  static const std::vector<Schedule> all{{.kind = Schedule::to_barrier},
                                         {.kind = Schedule::lockstep},
                                         {.kind = Schedule::shuffled, .seed = 7, .resident_blocks = 3},
                                         {.kind = Schedule::shuffled, .seed = 8, .resident_blocks = 1}};
  return all;
}

/// All findings of a trace, one a line.
inline std::string findings(const Trace& t) {
  std::string s;
  for (const auto& f : t.findings) s += f.text() + "\n";
  return s;
}

/// What each thread's array `out` holds after one launch of `kernel` on it, ints.
template <class Kernel>
std::vector<int> launched(Gpu& gpu, LaunchShape shape, Kernel kernel, int cells = 0) {
  auto out = gpu.array<int>("out", cells ? cells : shape.grid * shape.block);
  gpu.launch("test", shape, kernel, out);
  return gpu.values(out);
}

inline int count(const Trace& t, Op op) {
  int n = 0;
  for (const auto& l : t.launches)
    for (const auto& b : l.blocks)
      for (const auto& e : b.events) n += e.op == op;
  return n;
}

}  // namespace bscope::test
