// Reductions and scans over several GPUs of one host.
//
// The input is cut into as many parts as there are GPUs. Each GPU sums its part, NCCL brings the sums
// together:
//   reduce   the catalog's kernel sums the part, ncclAllReduce adds the sums: every GPU holds the result
//   scan     one more level of a hierarchical scan, whose tiles are the parts: each GPU sums its part,
//            ncclAllGather hands every sum to every GPU, each adds those of the parts before to the first
//            number of its part, and the catalog's kernel scans the part
// Summing first reads the input twice and writes the result once. Scanning first, and adding what lies before
// afterwards, would read and write twice: a quarter more. And the sum goes through the kernel as it is,
// without an argument for it: what precedes a part is carried along from its first number.
//
// One process, one thread, one stream a GPU. NCCL is loaded when it is asked for and linked never.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/timing/meter.hpp"

namespace bscope {

/// One GPU's share: n numbers, from number `first` of the input on.
struct InputPart {
  long long first = 0, n = 0;
  bool operator==(const InputPart&) const = default;
};
/// n numbers in so many parts, in order, without a gap. Each begins at a whole vector of 4, and the longest
/// has at most 4 numbers more than the shortest. Throws UsageError where there are fewer vectors than parts.
std::vector<InputPart> parts_of(long long n, int parts);
/// The problem of one part: the same parameters, its piece of the made input.
Problem problem_of(const Problem& whole, const InputPart&);

/// What lies before each of these sums: start, start + sums[0], start + sums[0] + sums[1]... and after the
/// last one, the total. Whole numbers wrap as in the kernels if S is unsigned.
template <class S>
std::vector<S> sums_before(const std::vector<S>& sums, S start = 0) {
  std::vector<S> before{start};
  for (const S sum : sums) before.push_back(before.back() + sum);
  return before;
}

/// The points of a scaling curve: 1, 2, 4... as long as they are below `gpus`, then `gpus`.
std::vector<int> gpu_counts(int gpus);

/// Throws UsageError unless several GPUs can share this: a reduction or a scan, of sums, of a made input.
void check_shared(const Algorithm&, const Problem&);

/// Measures on GPUs 0 to gpus - 1 together. `n` of a problem is the length of the whole input; a record's
/// `gpus` says how many took part, its parameter "exchange" through what: nccl, or none by one GPU alone, the
/// first point of a scaling curve. A sample is the time from the moment when all may begin to the moment when
/// the last has ended, on the clock of GPU 0, with cold caches. Every result is checked: each GPU's, each
/// element. Limits (copy, read, peak) are those of GPU 0; a record's shares are of so many times that.
/// References come from one GPU alone. Throws NoDevice where there are fewer GPUs or no NCCL, or where NCCL
/// cannot connect them.
std::unique_ptr<Meter> several_gpus(int gpus, const Patience&, std::function<bool()> stop = {});

}  // namespace bscope
