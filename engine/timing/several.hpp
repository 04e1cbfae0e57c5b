// Reductions, scans and histograms over several GPUs of one host.
//
//   reduce, histogram   each GPU sums (counts) its part, one as long as the other; then every GPU
//                       gets all sums, and adds them
//   scan                to know what lies before its part, a GPU needs the sums of the parts before: it
//                       reads its part once to sum it, and a second time to scan it. But the one that begins
//                       has nothing before it, and the sum of the end is unused. So the first GPU takes
//                       both, and is never idle: while the others sum their parts B, it scans the beginning
//                       A, half as long; then sums are exchanged, and while they scan B, it scans the end
//                       C, as long as B:
//
//                         GPU 0   scan A | scan C          A B1 B2 ... C : 1 2 2 ... 2
//                         GPU k   sum Bk | scan Bk         GPU 0 : GPU k = 3 : 2
//
//                       In the time of which one GPU moves (2 gpus + 1) / 3 times as much: 1.67 and 3 times
//                       with 2 and 4. What precedes a piece is carried along from its first number: the sum
//                       goes through the kernel as it is, without an argument for it.
//
// They tell each other through each other's memory (NVLink where there is one; exchange=peer): a GPU writes
// its sums into a mailbox of every other, then a word that says so, and waits for theirs. Beside it, the same
// over NCCL's ready-made calls (exchange=nccl), by turns, where NCCL is found; and alone, where the GPUs
// cannot reach each other's memory. One process, one thread, one stream a GPU. NCCL is loaded when it is
// asked for and linked never.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/timing/meter.hpp"

namespace bscope {

/// A piece: n numbers, from number `first` of the input on.
struct InputPart {
  long long first = 0, n = 0;
  bool operator==(const InputPart&) const = default;
};
/// n numbers in pieces of these lengths to one another, in order, without a gap; each begins at a whole
/// vector of 4. Throws UsageError, as of so many GPUs, where there are fewer vectors than the sum of
/// `weights`.
std::vector<InputPart> parts_of(long long n, const std::vector<int>& weights, int gpus);
/// What each GPU is given, in the order of the input: see above.
std::vector<std::vector<InputPart>> shares_of(Property, long long n, int gpus);
/// How many times as fast as one GPU so many can be, by the bytes that each must move. `passes`: 1 for
/// kernels that read, 2 for those that read and write (see Family).
double most_speed_up(int passes, int gpus);
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

/// Throws UsageError unless several GPUs can share this: a reduction or a scan, of sums, or a histogram; of a
/// made input.
void check_shared(const Algorithm&, const Problem&);

/// Measures on these GPUs together (a number may come twice: then they share it, which tries the exchange and
/// tells nothing of speed). `n` of a problem is the length of the whole input; a record's `gpus` says how
/// many took part, its parameter "exchange" through what: peer, nccl, or none by one GPU alone, the first
/// point of a scaling curve. in_turn() measures by every exchange there is. A sample is the time from the
/// moment when all may begin to the moment when the last has ended, on the clock of the first, with cold
/// caches. Every result is checked: each GPU's, each element. Limits (copy, read, peak) are those of the
/// first GPU; a record's shares are of so many times that. References come from one GPU alone. Throws
/// NoDevice where there are fewer GPUs, or where they can neither reach each other's memory nor be connected
/// by NCCL.
std::unique_ptr<Meter> gpus_together(const std::vector<int>& gpus, const Patience&,
                                     std::function<bool()> stop = {});
/// On GPUs 0 to gpus - 1.
std::unique_ptr<Meter> several_gpus(int gpus, const Patience&, std::function<bool()> stop = {});

}  // namespace bscope
