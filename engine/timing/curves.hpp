// Which curves recordings make: over N, over what they sweep at one length, over several GPUs; and what each
// curve is. They are distinguished, not named: the code that shows them has the words.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/timing/recording.hpp"

namespace bscope {

/// A recording that is shown.
struct ShownRecording {
  const Recording* run = nullptr;
  bool recorded = false;  ///< elsewhere or earlier; else on this machine, now
  std::string key;        ///< what it is known by
};

/// Which curves are asked for: of one family, of which one kernel is open.
struct CurvesAsked {
  std::vector<ShownRecording> runs = {};  ///< outlive the curves
  std::string kernel = {};                ///< the open one
  std::vector<std::string> series = {};   ///< its family's kernels, in order
  std::string type = "int32";
  std::map<std::string, std::string> chosen =
      {};  ///< values to be near to: block, skew, any kernel's parameters
  /// What the open kernel declares, its block too, and its own values, which count where nothing is chosen.
  std::vector<std::pair<std::string, std::string>> parameters = {};
  int log_n = 26;                        ///< the length to be near to
  std::vector<std::string> hidden = {};  ///< curves, by their keys

  std::string family() const;
};

/// Records of one kernel with one set of parameters on one device.
struct Curve {
  std::string key = {};                    ///< the same in every session
  std::vector<const Record*> points = {};  ///< in order, one a place
  const Recording* run = nullptr;
  /// current: the open kernel, with the chosen values where it was measured with those.
  /// limit: a copy or a pure read of as many bytes.
  bool recorded = false, current = false, reference = false, cpu = false, limit = false, hidden = false;
  bool sibling = false;                 ///< the open kernel with other values than those chosen
  int variant = -1;                     ///< number in the series; -1: not of it
  std::vector<std::string> apart = {};  ///< what tells it from its kernel's others: "type", "n", parameters
  bool by_device = false,               ///< another device has a curve that nothing else tells from it
      by_date = false;                  ///< and the device was measured twice

  const Record& first() const { return *points.front(); }
  /// The record whose values distinguish it: of a curve over GPUs, one of several.
  const Record& told_by() const { return *points.back(); }
  const Record* at(long long n) const;
};

/// In the order of the recordings; hidden ones too. Of the other kernels a recording gives the variant that
/// is nearest to what is chosen, then fastest; of the open one all that do the same job (type, operator, kind
/// of scan), and of what was measured now, all. A curve of another job than the open kernel's tells so.
/// Points that belong to a sweep over something else than N are no curve where the kernel has one.
std::vector<Curve> curves_over_n(const CurvesAsked&);

/// What a recording sweeps at one length: "block", what the open kernel declares, "keys" (how uneven they
/// are).
std::vector<std::string> swept_axes(const CurvesAsked&);
struct Sweep {
  std::string axis;
  long long n = 0;                    ///< of all of them: near the one asked for
  std::vector<std::string> ticks;     ///< values, in order
  std::vector<Curve> lines;           ///< points: one a value
  std::vector<Curve> levels;          ///< of one point: CUB's and the limit's at this N
  double place(const Record&) const;  ///< in `ticks`; -1: nowhere
};
Sweep sweep_over(const CurvesAsked&, const std::string& axis);

/// One a kernel, length and exchange: its points are numbers of GPUs, two at least; each begins at one alone.
std::vector<Curve> curves_over_gpus(const CurvesAsked&);

/// The recording with its warm times for the cold ones; what has none is left out, but for a CPU's, whose
/// runs are in a row always, and for several GPUs, which have one way only.
Recording with_warm_times(Recording);
/// Whether any record of the family has warm times.
bool has_warm_times(const Recording&, const std::string& family);

/// GB/s of the slowest and the fastest run, but for the outermost twentieths where there are samples.
std::pair<double, double> usual_rates(const Record&);
/// Single runs against their median, in shares; without samples the slowest and the fastest.
std::vector<double> deviations(const Record&);

}  // namespace bscope
