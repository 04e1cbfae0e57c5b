// What a program did on the GPU beside what it did on the CPU.
#include <algorithm>
#include <optional>

#include "engine/cuda/on_gpu/measure.hpp"
#include "engine/cuda/on_gpu/traffic.hpp"
#include "engine/cuda/run_files/program_report.hpp"
#include "engine/cuda/toolchain/own_program.hpp"

namespace bscope::cuda {
namespace {

std::array<uint64_t, 3> extent_of(int flat, const std::optional<Extent>& e) {
  if (e) return {e->x, e->y, e->z};
  return {uint64_t(flat), 1, 1};
}

/// A launch of the trace, and how many times as many blocks the one has that was timed.
struct Traced {
  int launch;
  double times;
};

/// The launches of the trace that are like it; else those that show the first blocks of such.
std::vector<Traced> traced(const Trace& t, const ProgramReport& report, const LaunchConfiguration& shape) {
  const auto count = [](const std::array<uint64_t, 3>& e) {
    return double(e[0]) * double(e[1]) * double(e[2]);
  };
  const bool in_part = std::ranges::any_of(report.launches, [&](const ReportedLaunch& l) {
    return l.shown == "in_part" && same_kernel(l.kernel, shape.kernel) && l.grid == shape.grid &&
           l.block == shape.block;
  });
  std::vector<Traced> whole, parts;
  for (size_t k = 0; k < t.launches.size(); ++k) {
    const Launch& l = t.launches[k];
    if (!same_kernel(l.name, shape.kernel) || extent_of(l.block, l.block_extent) != shape.block) continue;
    const std::array<uint64_t, 3> grid = extent_of(l.grid, l.grid_extent);
    if (grid == shape.grid)
      whole.push_back({int(k), 1});
    else if (in_part && count(grid) < count(shape.grid))
      parts.push_back({int(k), count(shape.grid) / count(grid)});
  }
  return whole.empty() ? parts : whole;
}

void add_traffic(TimedKernel& k, const Run& run, const ProgramReport& report) {
  const std::vector<Traced> launches = traced(run.trace, report, k.shape);
  if (launches.empty()) return;  // a recording may know them from elsewhere
  MemoryTraffic all;
  for (const Traced& l : launches) {
    const MemoryTraffic one = traffic_of(run, l.launch, l.times);
    all.bytes += one.bytes / double(launches.size());
    all.fetched += one.fetched / double(launches.size());
    all.estimated = all.estimated || one.estimated;
  }
  k.bytes = all.bytes;
  k.fetched = all.fetched;
  k.estimated = all.estimated;
  k.shape.kernel = run.trace.launches[size_t(launches.front().launch)].name;
}

/// Why it may print something else on a GPU; empty: it should not.
Message excuse(const InPlace& p, const Run& run, const ProgramRun& cpu) {
  const DataflowGraph& flow = run.report.flow;
  if (is_stopped(cpu.report) || cpu.report.ended == "crashed")
    return message("it did not come to its end on the CPU");
  if (!p.ended.empty()) return message("it did not come to its end on the GPU");
  if (cpu.output_cut) return message("it prints more than is kept");
  if (!run.trace.findings.empty()) return message("the check has a finding: a GPU may do anything");
  if (flow.hazards_found > 0) return message("it has a race: the order of the threads decides");
  if (flow.order_matters) return message("what an atomic returns is used: the order of the threads decides");
  if (p.unsteady) return message("it does not print the same each time on the GPU");
  return {};
}

}  // namespace

void add_traffic(InPlace& p, const Run& run, const ProgramReport& report) {
  for (TimedKernel& k : p.kernels) add_traffic(k, run, report);
}

void compare_with_cpu(InPlace& p, const Run& run, const ProgramRun& cpu) {
  add_traffic(p, run, cpu.report);
  const Compared c = compare_outputs(p.output, cpu.output);
  p.check = OutputCheck{c.alike, c.first, p.exit, cpu.report.exit, excuse(p, run, cpu)};
}

}  // namespace bscope::cuda
