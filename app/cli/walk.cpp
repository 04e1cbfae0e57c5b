#include "app/cli/walk.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <ostream>

#include "app/cli/text.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"

namespace bscope {
namespace {

std::string screen(const Run& run, const Frames& frames, int step, const Console& c) {
  const Interval& v = run.report.flow.intervals[size_t(step)];
  const Launch& l = run.trace.launches[size_t(v.launch)];
  const Ink ink = c.ink();
  std::string s = frames.heading() + "\n";
  s += ink(Role::idle, fmt::format("{}{}   ", launch_name(run.trace, v.launch),
                                   l.grid > 1 ? fmt::format(", block {}", v.block) : "")) +
       frames.caption(v, step);
  s += frames.timeline(v) + "\n" + frames.states(v, true) + "\n" + frames.sentences(v, 12) + "\n" +
       frames.source(v, 1);
  return s;
}

}  // namespace

void walk(const Run& run, Console& c, const std::string& how_to_get_the_window) {
  const Frames frames(run, c.ink(), c.width);
  const int count = int(run.report.flow.intervals.size());
  if (!c.key) {
    for (int step = 0; step < count; ++step)
      c.out << (step ? std::string(size_t(std::min(c.width, 100)), '-') + "\n" : "")
            << screen(run, frames, step, c) << "\n";
    c.out << frames.totals() << "\n" << how_to_get_the_window << "\n";
    return;
  }
  for (int step = 0; step < count && c.out;) {
    c.out << "\x1b[2J\x1b[H" << screen(run, frames, step, c) << "\n"
          << c.ink()(Role::idle, "Enter or Right: next   Left: back   Home, End   q: quit") << std::flush;
    switch (c.key()) {
      case ConsoleKey::next: ++step; break;
      case ConsoleKey::back: step = std::max(0, step - 1); break;
      case ConsoleKey::first: step = 0; break;
      case ConsoleKey::last: step = count - 1; break;
      case ConsoleKey::quit: step = count; break;
    }
  }
  c.out << "\n\n" << frames.totals() << "\n" << how_to_get_the_window << "\n";
}

}  // namespace bscope
