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
  double count(size_t array) const { return double(std::ranges::count(cells_[array], true)); }
  /// Cells up to the last one of them; 0: there is none.
  double extent(size_t array) const {
    const std::vector<bool>& of = cells_[array];
    return double(std::find(of.rbegin(), of.rend(), true).base() - of.begin());
  }

 private:
  const Trace& trace_;
  std::vector<std::vector<bool>> cells_;
};

/// What a launch touches, of which the trace may have the first blocks, and of arrays the first cells.
class LaunchTraffic {
 public:
  LaunchTraffic(const Trace& t, const Launch& l, double times)
      : trace_(t), estimated_(times > 1), read_(t), written_(t) {
    for (const BlockRun& b : l.blocks)
      for (const Event& e : b.events) {
        if (!touches(e.op) || e.array >= t.arrays.size()) continue;
        if (reads(e.op)) read_.add(e.array, e.a);
        if (writes(e.op)) written_.add(e.array, e.a);
      }
    for (size_t k = 0; k < t.arrays.size(); ++k) {
      times_.push_back(times_of(k, times));
      estimated_ = estimated_ || (t.arrays[k].whole && extent(k) > 0);
    }
  }

  double bytes() const {
    double all = 0;
    for (size_t k = 0; k < trace_.arrays.size(); ++k)
      for (const TouchedCells* of : {&read_, &written_})
        all += std::min(of->count(k) * times_[k], double(trace_.arrays[k].cells())) *
               bytes_of(trace_.arrays[k].kind);
    return all;
  }
  /// How many times what is traced of an array's accesses all of them are.
  double times(int array) const { return times_[size_t(array)]; }
  bool is_estimated() const { return estimated_; }

 private:
  double extent(size_t array) const { return std::max(read_.extent(array), written_.extent(array)); }

  /// The trace has all accesses of the first blocks if these go no further into the array than the blocks
  /// into the grid. Else it has those of the array's first cells.
  double times_of(size_t array, double blocks) const {
    const ArrayInfo& a = trace_.arrays[array];
    if (!a.whole) return blocks;
    constexpr double neighbours = 2;  // of a block's own cells
    const bool has_all = blocks > 1 && extent(array) * blocks <= neighbours * double(a.whole);
    return has_all ? blocks : blocks * double(a.whole) / double(a.size);
  }

  const Trace& trace_;
  std::vector<double> times_;  ///< by array
  bool estimated_;
  TouchedCells read_, written_;
};

}  // namespace

MemoryTraffic traffic_of(const Run& run, int launch, double times) {
  const Trace& t = run.trace;
  const LaunchTraffic traffic(t, t.launches[size_t(launch)], times);
  MemoryTraffic all{traffic.bytes(), 0, traffic.is_estimated()};
  for (const WarpAccess& r : run.report.requests())
    if (r.launch == launch && !r.shared())
      all.fetched += traffic.times(r.array) * double(r.sectors) * sector_bytes;
  for (const EngineCopy& c : engine_copies(t, run.report.flow)) {
    if (c.launch != launch) continue;
    all.fetched +=
        traffic.times(c.from.shared() ? c.to.array : c.from.array) * double(c.sectors) * sector_bytes;
  }
  return all;
}

}  // namespace bscope::cuda
