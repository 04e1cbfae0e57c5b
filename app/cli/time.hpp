// The verb `time`: full-size runs, measured. The Time tab measures through the same functions.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/cli/options.hpp"
#include "engine/timing/recording.hpp"

namespace bscope {

/// Prints a table to stdout, progress to stderr, and writes `out` if given. Returns the exit code; throws
/// UsageError, NoDevice.
int time_command(const TimeOptions&);

/// Told before each point is measured ("scan/blelloch, N = 2^20") and after, with what there is so far. False
/// stops the measuring: what there is is returned.
using MeasureProgress =
    std::function<bool(const Recording& so_far, const std::string& doing, int done, int all)>;

/// Powers of two from 2^10 to 2^28 (GPU) or 2^26 (CPU).
std::vector<long long> sweep_sizes(Device);
/// Times the kernels and CUB's counterparts on the GPU: at each size, or with the request's own length if it
/// has one. The block, if not given, is the kernel's full-size one. Results are checked against a serial run.
/// Throws NoDevice, UsageError, std::runtime_error when the device fails.
Recording measure_gpu(const std::vector<const Algorithm*>&, const Request&,
                      const std::vector<long long>& sizes, const Patience&, const MeasureProgress& = {});
/// Times the families' jobs on the CPU, serially and with TBB. A histogram's bins and skew are the request's.
/// `stop`, asked between samples from this thread, ends early without the point in hand.
Recording measure_cpu(const std::vector<std::string>& families, const Request&,
                      const std::vector<long long>& sizes, const Patience&, const MeasureProgress& = {},
                      const std::function<bool()>& stop = {});
/// Recorded curves that come with the program, oldest first.
std::vector<Recording> recorded_curves();

/// "2^20" for powers of two, else the number.
std::string power_text(long long n);

}  // namespace bscope
