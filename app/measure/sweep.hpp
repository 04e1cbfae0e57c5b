// What `time` measures: every combination of the values asked for, as a list of points.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/catalog/run_spec.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct Algorithm;
struct Problem;

/// One axis of a sweep: n, block, skew, entropy, pattern, seed or a kernel's parameter, and its values.
struct SweepAxis {
  std::string name;
  std::vector<std::string> values;
};
/// The task of a job array: every `of`-th point from `index` on.
struct SweepPart {
  int index = 0, of = 1;
};

/// "n=2^10..2^29", "unroll=1,2,4,8", "skew=0,0.5": what --sweep takes. A..B is A, 2A, 4A and so on up to B.
/// Whole numbers are brought into one spelling (2^10 is 1024). Throws UsageError.
SweepAxis parse_axis(const std::string& text);

/// One kernel on one job.
struct SweepPoint {
  const Algorithm* kernel;
  RunSpec request;      ///< checked: `timed_problem` takes it
  std::string varying;  ///< its values on the axes but n: "unroll 4, block 256"
};
struct SweepPlan {
  std::vector<SweepPoint> points;   ///< shorter inputs first, so that a run that ends early has all of those
  std::vector<Message> notes = {};  ///< what was left out, and why
};

/// All combinations of the axes' values (n, block, skew, entropy, pattern, seed and the kernels' parameters)
/// for every kernel. A kernel takes what it declares: combinations that are the same for it come once; a
/// value that it refuses is left out for it, with a note. `lengths` are the default where neither the request
/// nor an axis nor an input of its own says n. Throws UsageError for what no kernel takes, for an axis given
/// twice, and for a request that a kernel refuses.
SweepPlan plan_sweep(const std::vector<const Algorithm*>&, const RunSpec&, const std::vector<SweepAxis>&,
                     const std::vector<long long>& lengths);
/// Every part.of-th point from part.index on.
SweepPlan part_of(SweepPlan, const SweepPart&);

/// Powers of two from 2^10 to 2^29 (GPU) or 2^26 (CPU).
std::vector<long long> sweep_sizes(Device);

/// The settings of the request that this kernel declares and takes; for one request to several kernels, where
/// what does not fit falls back to a kernel's default (the Time tab).
RunSpec fitting(const Algorithm&, RunSpec);

/// What a record says of its input: pattern, and skew, entropy and seed where they were asked for. Empty for
/// values that were given.
std::map<std::string, std::string> input_parameters(const RunSpec&, const Problem&);

/// All that a kernel is given but the length, as one text: what two jobs share that lie on one curve.
std::string setting_text(const Algorithm&, const RunSpec&, const Problem&);

/// "2^20" for powers of two, else the number.
std::string power_text(long long n);

}  // namespace bscope
