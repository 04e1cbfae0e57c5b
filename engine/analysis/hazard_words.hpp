// The sentence of a hazard: what, where, and the fix, in the words of the source.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/analysis/dataflow_graph.hpp"

namespace bscope {

/// How an access touches its cell. `strong`: as atomics and flags do, which do not race with each other.
/// `guess`: a plain read that a compare-and-swap checks.
namespace touching {
enum How : uint8_t { read = 1, write = 2, strong = 4, guess = 8 };
}

/// Two accesses of one cell that nothing orders, the earlier one in the replay first.
struct Race {
  const Node& a;
  uint8_t a_how;
  const Node& b;
  uint8_t b_how;
};

/// The lines that a barrier belongs between. Which of two racing accesses came first in the replay is chance;
/// what the source means is the order of lines after the barrier that both have passed, unless a loop has
/// come round.
struct BarrierPlace {
  int from, to;
  bool next_round;
  bool operator==(const BarrierPlace&) const = default;
};

/// What all races between two lines on one array have in common: a cure has to fit every one of them.
struct Cause {
  size_t races = 0;
  bool one_block = true, one_warp = true;
  bool both_write = false;       ///< in one of them at least
  bool updates = true;           ///< who reads the cell writes it, too: an atomic can do both
  bool after_own_atomic = true;  ///< the plain access reads what its thread has just updated atomically
  bool polls = true;             ///< the plain access reads the cell again and again
  bool same_round = false, other_round = false;  ///< of a loop without a barrier
  int atomic_line = 0;                           ///< of that atomic
  std::vector<BarrierPlace> places;
};

class HazardWords {
 public:
  /// Barriers in `without_line` are taken out.
  HazardWords(const Trace&, const DataflowGraph&, int launch, int without_line);
  /// Adds a race to its cause.
  void add(Cause&, const Race&) const;
  std::string sentence(const Race&, const Cause&) const;

 private:
  BarrierPlace place(const Node& a, const Node& b) const;
  bool comes_again(const Node&, int line) const;
  int round(const Node&) const;
  bool updates(const Node&, uint8_t how) const;
  bool polls(const Node&) const;
  int own_atomic_before(const Node&) const;
  std::string bulk_sentence(const std::string& first, const Race&) const;
  std::string read_first(const Race&, const Cause&) const;
  std::string mend(const Race&, const Cause&) const;
  std::string mend_beside_atomic(const Race&, const Cause&) const;
  std::string mend_between_blocks(const Race&, const Cause&) const;
  std::string between(const Race&, const Cause&) const;
  std::string barrier(const Race&, const Cause&, const std::string& word) const;
  std::vector<bool> who_runs(int block, int line) const;
  int line_that_tells(const Node& a, const Node& b) const;
  bool counts(const Event&) const;
  std::span<const Event> log_of(const Node&) const;
  int block_of(const Node& n) const { return n.thread / launch_.block; }
  int warp_of(const Node& n) const { return n.thread % launch_.block / warp_size; }

  const Trace& trace_;
  const DataflowGraph& flow_;
  const Launch& launch_;
  const int number_, without_line_;
};

}  // namespace bscope
