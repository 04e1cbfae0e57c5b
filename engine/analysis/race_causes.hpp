// What the races between two lines have in common, and the cure that fits all of them.
#pragma once

#include <climits>
#include <span>
#include <vector>

#include "engine/analysis/cure.hpp"
#include "engine/analysis/dataflow_graph.hpp"

namespace bscope {

/// How an access touches its cell. `strong`: as atomics and flags do, which do not race with each other.
/// `guess`: a plain read that a compare-and-swap checks.
namespace touching {
enum AccessFlags : uint8_t { read = 1, write = 2, strong = 4, guess = 8 };
}

/// Two accesses of one cell that nothing orders, the earlier one in the replay first.
struct Race {
  const Node& a;
  uint8_t a_how;
  const Node& b;
  uint8_t b_how;
};

/// What all races between two lines on one array have in common: a cure has to fit every one of them.
struct Cause {
  size_t races = 0;
  int first_block = INT_MAX, last_block = 0;  ///< of the second accesses
  bool one_block = true, one_warp = true;
  bool shares_barrier = false;   ///< with races of several warps
  bool both_write = false;       ///< in one of them at least
  bool updates = true;           ///< who reads the cell writes it, too: an atomic can do both
  bool after_own_atomic = true;  ///< the plain access reads what its thread has just updated atomically
  bool polls = true;             ///< the plain access reads the cell again and again
  bool same_value = true;        ///< both accesses store one value
  bool in_place = true;          ///< both threads read cells of the array and write others of it
  bool same_round = false, other_round = false;  ///< of a loop without a barrier
  int atomic_line = 0;                           ///< of that atomic
  std::vector<BarrierPlace> places;
};

/// The copy_async of the copy that writes with event `at` of its thread's log; nullptr: it is not there.
const Event* asked_copy(std::span<const Event> log, size_t at);
/// Whether it was given a cuda::barrier, whose phase waits for it.
inline bool has_barrier(const Event& asked) { return asked.a != 0; }

/// Finds what races have in common and the cure.
class RaceCauses {
 public:
  /// Barriers in `without_line` are taken out.
  RaceCauses(const Trace&, const DataflowGraph&, int launch, int without_line);
  /// Adds a race to its cause.
  void add(Cause&, const Race&) const;
  /// Two more threads race in its lines, which a cure has to fit, too.
  void widen(Cause&, int thread, int other) const;
  Cure cure(const Race&, const Cause&) const;

 private:
  BarrierPlace place(const Node& a, const Node& b) const;
  bool comes_again(const Node&, int line) const;
  int round(const Node&) const;
  bool updates(const Node&, uint8_t how) const;
  const Event* late_copy(const Race&) const;
  bool polls(const Node&) const;
  int own_atomic_before(const Node&) const;
  bool works_in_place(const Node&) const;
  int line_of_ticket(const Node& a, const Node& b) const;
  int common_atomic_before(const Node& a, const Node& b) const;
  bool in_a_branch(const Node&) const;
  bool cells_overlap(const Race&) const;
  Cure cure_of_bulk_copy(const Race&) const;
  Cure cure_beside_atomic(const Race&, const Cause&) const;
  Cure cure_between_blocks(const Race&, const Cause&) const;
  Cure barrier(CureKind, const Race&, const Cause&) const;
  bool reads_other_cell(const Race&, const Cause&) const;
  Cure::SyncScope scope(const Race&, const Cause&) const;
  bool is_guarded(const Node&) const;
  std::vector<bool> who_runs(int block, int line) const;
  int line_that_tells(const Node& a, const Node& b) const;
  bool counts(const Event&) const;
  std::span<const Event> log_of(const Node&) const;
  int block_of(const Node& n) const { return n.thread / launch_.block; }

  const Trace& trace_;
  const DataflowGraph& flow_;
  const Launch& launch_;
  const int number_, without_line_;
};

}  // namespace bscope
