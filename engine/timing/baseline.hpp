// What this machine's CPU does with the same job: one core, and all of them through TBB.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "engine/timing/recording.hpp"

namespace bscope {

/// One job for the CPU, on input of its own: random whole numbers from -8 to 8 (small, so that float sums are
/// exact and every order of adding gives the same), or random keys.
struct Baseline {
  std::string family;  ///< reduce | scan | histogram
  long long n = 0;
  std::string type = "int32";  ///< int32 | float | double; histograms take bytes
  bool inclusive = true;       ///< scans
  int bins = 256;              ///< histograms: 1 to 256
  double skew = 0;             ///< histograms: share of the keys that is made one key, on top of chance
  uint32_t seed = 1;
};

/// The CPU's name, its number of threads, today's date and its measured copy bandwidth (all threads, arrays
/// far larger than a cache); no records yet.
Recording cpu_recording(const Patience& = {});

/// Times the job serially and with TBB (where built with it): `serial/FAMILY` and `tbb/FAMILY`, results
/// checked. Then `copy/FAMILY`: memcpy of as many bytes, half of them read and half written, on one core or
/// on all, whichever is faster; the others' of_copy is a share of it. (A small job runs in the caches:
/// against the memory's bandwidth it would reach several hundred percent.) Small inputs stay in the CPU's
/// caches between samples, as they would in a program that just made them. `stop`, asked between samples,
/// ends early: fewer records, never half ones. Throws std::bad_alloc when the arrays do not fit,
/// std::invalid_argument for a family it does not know.
std::vector<Record> cpu_baselines(const Baseline&, const Recording& run, const Patience& = {},
                                  const std::function<bool()>& stop = {});

}  // namespace bscope
