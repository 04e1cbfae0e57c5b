#include "app/cli/timeline_text.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "engine/timing/timeline.hpp"

namespace bscope {
namespace {

std::string launch_text(const Timeline& t, const TimelineLaunch& l) {
  const TimelineMeasures m = measures_of(t, l);
  const double us = t.clock_mhz > 0 ? 1 / t.clock_mhz : 0;
  const int places = l.resident * t.multiprocessors;
  std::string text = fmt::format("\nlaunch \"{}\": {} blocks of {} threads\n", l.name, l.grid, l.block);
  text += fmt::format("  room               {} blocks on each of {} multiprocessors ({} without stamps)\n",
                      l.resident, t.multiprocessors, l.untraced_resident);
  text += fmt::format("  a thread, a block  {} registers ({} without stamps), {} bytes of shared memory\n",
                      l.registers, l.untraced_registers, l.shared_bytes);
  if (l.padding > 0)
    text += fmt::format("  kept apart         by {} bytes of it that no array uses\n", l.padding);
  if (l.whole)
    text += fmt::format("  kept               {} blocks; what is counted is of all\n", l.blocks.size());
  text += fmt::format("  took               {} cycles, {:.2f} us\n", m.cycles, double(m.cycles) * us);
  text +=
      fmt::format("  waves              {:.2f}; {} multiprocessors had a block, one of them {} at a time\n",
                  places ? double(l.grid) / places : 0.0, m.multiprocessors, m.most_blocks);
  text += fmt::format(
      "  tail               {} cycles, {:.2f} us: from when the first multiprocessor had none left\n", m.tail,
      double(m.tail) * us);
  text += fmt::format(
      "  warps              {:.2f} on a multiprocessor on average, {:.2f} of them at a barrier, "
      "{:.2f} waiting for other blocks or the copy engine\n",
      m.warps, m.waiting_warps, m.awaiting_warps);
  double all = 0;
  size_t width = 5;
  for (const TimelineShare& s : m.phases) {
    all += s.cycles + s.waiting + s.awaiting;
    width = std::max(width, s.phase.size());
  }
  text +=
      fmt::format("  {:<{}}  {:>9}  {:>10}  {:>10}\n", "phase", width, "at work", "at barrier", "for others");
  for (const TimelineShare& s : m.phases)
    text += fmt::format("  {:<{}}  {:>8.1f}%  {:>9.1f}%  {:>9.1f}%\n", s.phase.empty() ? "-" : s.phase, width,
                        100 * s.cycles / all, 100 * s.waiting / all, 100 * s.awaiting / all);
  return text;
}

}  // namespace

std::string timeline_text(const Timeline& t) {
  std::string parameters;
  for (const auto& [name, value] : t.parameters) parameters += ", " + name + " " + value;
  std::string text = fmt::format("{} on {}, driver {}, {}: N = {}{}\n", t.kernel, t.device, t.driver, t.date,
                                 t.n, parameters);
  text += fmt::format("multiprocessors at {:.0f} MHz\n", t.clock_mhz);
  if (t.untraced_s > 0)
    text += fmt::format("with stamps {:.5f} ms, without {:.5f} ms: {:.4f} times\n", t.stamped_s * 1e3,
                        t.untraced_s * 1e3, t.stamped_s / t.untraced_s);
  for (const TimelineLaunch& l : t.launches) text += launch_text(t, l);
  for (const std::string& sentence : contradictions(t)) text += "cannot be: " + sentence + "\n";
  return text;
}

}  // namespace bscope
