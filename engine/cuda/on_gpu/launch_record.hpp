// What launch_times.cu writes down of one run of a program on a GPU. The program could have written anything
// there, so nothing of it is trusted.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace/fields.hpp"

namespace bscope::cuda {

/// Kernel, grid, block and dynamic shared memory: what tells one launch from another.
struct LaunchConfiguration {
  std::string kernel;  ///< as in the source: scan, fill<int>
  std::array<uint64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint64_t shared = 0;  ///< bytes of extern __shared__
  bool operator==(const LaunchConfiguration&) const = default;
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    const Field extent{.required = true, .least = 1, .most = 4294967295};
    visit("kernel", s.kernel);
    visit("grid", s.grid, extent);
    visit("block", s.block, extent);
    visit("shared", s.shared, Field{.most = 1e9});
  }
};

struct TimedLaunch {
  LaunchConfiguration shape;
  double seconds = 0;
  template <class Self, class Visit>
  static void fields(Self& l, Visit&& visit) {
    LaunchConfiguration::fields(l.shape, visit);
    visit("seconds", l.seconds, Field{.least = 0});
  }
};

/// A line tells of the device, one of each launch, and the last one of the end.
struct LaunchRecord {
  std::string device, driver;
  double peak_gb_per_s = 0, empty_seconds = 0;  ///< of a kernel that does nothing; 0: unknown
  std::vector<TimedLaunch> launches;
  bool ended = false;           ///< the program came to its end; else there may be launches that are missing
  long graphs = 0, failed = 0;  ///< launches of graphs, and launches that could not be timed
  /// All but the launches.
  template <class Self, class Visit>
  static void fields(Self& r, Visit&& visit) {
    visit("device", r.device);
    visit("driver", r.driver);
    visit("peak_gb_per_s", r.peak_gb_per_s, Field{.least = 0});
    visit("empty_s", r.empty_seconds, Field{.least = 0});
    visit("ended", r.ended);
    visit("graphs", r.graphs, Field{.least = 0});
    visit("failed", r.failed, Field{.least = 0});
  }
};

/// Nothing if it is no such record.
std::optional<LaunchRecord> launch_record_of(std::string_view lines);

/// "fill<int>" of _Z4fillIiEvPT_i, as a debugger calls it: without what it returns, takes, and lies in.
std::string kernel_name(const std::string& symbol);
/// Compilers spell numbers in templates differently: fill<256u>, fill<256U>.
bool same_kernel(const std::string& a, const std::string& b);

}  // namespace bscope::cuda
