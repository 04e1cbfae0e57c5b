#include "engine/cuda/on_gpu/traffic.hpp"

#include <algorithm>
#include <vector>

#include "engine/analysis/engine_copies.hpp"
#include "engine/analysis/requests.hpp"

namespace bscope::cuda {
namespace {

/// Which cells of the global arrays were touched.
class TouchedCells {
 public:
  explicit TouchedCells(const Trace& t) : trace_(t), cells_(t.arrays.size()) {}
  void add(int array, uint32_t cell) {
    std::vector<bool>& of = cells_[size_t(array)];
    if (of.empty()) of.resize(size_t(trace_.arrays[size_t(array)].size));
    if (cell < of.size()) of[cell] = true;
  }
  double bytes(double times) const {
    double all = 0;
    for (size_t k = 0; k < cells_.size(); ++k)
      all += std::min(times * double(std::ranges::count(cells_[k], true)), double(cells_[k].size())) *
             bytes_of(trace_.arrays[k].kind);
    return all;
  }

 private:
  const Trace& trace_;
  std::vector<std::vector<bool>> cells_;
};

}  // namespace

MemoryTraffic traffic_of(const Run& run, int launch, double times) {
  const Trace& t = run.trace;
  TouchedCells read(t), written(t);
  for (const BlockRun& b : t.launches[size_t(launch)].blocks)
    for (const Event& e : b.events) {
      if (!touches(e.op) || e.array >= t.arrays.size()) continue;
      if (reads(e.op)) read.add(e.array, e.a);
      if (writes(e.op)) written.add(e.array, e.a);
    }
  MemoryTraffic all{read.bytes(times) + written.bytes(times), 0};
  for (const WarpAccess& r : run.report.requests())
    if (r.launch == launch && !r.shared()) all.fetched += times * double(r.sectors) * sector_bytes;
  for (const EngineCopy& c : engine_copies(t, run.report.flow))
    if (c.launch == launch) all.fetched += times * double(c.sectors) * sector_bytes;
  return all;
}

}  // namespace bscope::cuda
