// What this machine's CPU does with the same job: one core, and all of them through TBB.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/simt/made_input.hpp"
#include "engine/timing/meter.hpp"
#include "engine/timing/recording.hpp"

namespace bscope {

/// One job for the CPU. Sums of int32 wrap, as on a GPU; sums of floats may be off by what rounding explains.
struct Baseline {
  std::string family;             ///< reduce | scan | histogram
  std::string type = "int32";     ///< int32 | float | double; histograms take bytes
  bool inclusive = true;          ///< scans
  MadeInput input;                ///< its pattern and 64-bit length; keys of 1 to 256 bins for histograms
  std::vector<double> held = {};  ///< the values themselves, in place of a pattern

  long long n() const { return held.empty() ? input.n : (long long)held.size(); }
};

/// The CPU's name, its number of threads, today's date and its measured copy bandwidth (all threads, arrays
/// far larger than a cache); no records yet.
Recording cpu_recording(const Patience& = {});

/// Times the job serially and with TBB (where built with it): `serial/FAMILY` and `tbb/FAMILY`, results
/// checked. Then `copy/FAMILY`: memcpy of as many bytes, half of them read and half written, on one core or
/// on all, whichever is faster; the others' of_copy is a share of it. (A small job runs in the caches:
/// against the memory's bandwidth it would reach several hundred percent.) Small inputs stay in the CPU's
/// caches between samples, as they would in a program that just made them. `stop`, asked between samples,
/// ends early: fewer records, never half ones. Throws TooLarge when the arrays do not fit into the memory
/// that is free, or when a beginning of the job tells that one run would last longer than `longest_run`
/// seconds (to make the input and to check the result may take ten times that), UsageError for a
/// family it does not know.
std::vector<Record> cpu_baselines(const Baseline&, const Recording& run, const Patience& = {},
                                  const std::function<bool()>& stop = {},
                                  double longest_run = std::numeric_limits<double>::infinity());

/// The CPU as a meter: `references` are the baselines of the algorithm's family; it times no kernels
/// (`kernel` throws UsageError, as `references` does for operators other than add).
std::unique_ptr<Meter> cpu_meter(const Patience&, std::function<bool()> stop = {},
                                 double longest_run = std::numeric_limits<double>::infinity());

}  // namespace bscope
