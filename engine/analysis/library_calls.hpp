// The calls of a library's functions that threads make together: cub::BlockReduce(storage).Sum(x). A log has
// a `phase` where its thread enters one (a: how often it has, b: which call of the source, from 1), and one
// without a name where it leaves it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/analysis/dataflow_graph.hpp"

namespace bscope {

/// Whether an event enters such a call, or comes back into it.
constexpr bool enters_library(const Event& e) { return e.op == Op::phase && e.b != 0; }
/// Whether it leaves one.
constexpr bool leaves_library(const Event& e) { return e.op == Op::phase && e.bits == 0; }

/// Those of a launch, and which of its accesses are inside one.
class LibraryCalls {
 public:
  LibraryCalls(const Trace&, int launch);

  /// No thread enters one.
  bool empty() const { return calls_.empty(); }
  /// Which call an access is inside: threads that make the call together have the same number. 0: none.
  int of(const Node&) const;
  /// Whether two accesses are inside one call: what the library does there is its own affair.
  bool within_one(const Node& a, const Node& b) const;
  /// Whether two accesses of shared memory are inside calls of one block, or one warp, which storage_reused
  /// looks at.
  bool within_two(const Node& a, const Node& b) const;
  /// "BlockReduce::Sum", of the call whose barrier the threads meet at in a line; nullptr: it is no call's.
  const std::string* owner_of_barrier(int line) const;

 private:
  struct Call {
    uint32_t place, number;  ///< of its source, and how often a thread had entered that
    const std::string* name;
    bool operator==(const Call&) const = default;
  };
  struct CallMark {
    uint32_t event;  ///< from which on
    int call;        ///< it is in that, from 1; 0: in none
  };
  bool of_one_group(const Node& a, const Node& b, const Call&) const;
  int number_of(const Launch&, const Event&);

  int block_size_;
  std::vector<Call> calls_;
  std::map<std::pair<uint32_t, uint32_t>, int> numbers_;      ///< of calls, by place and number
  std::vector<std::vector<CallMark>> marks_;                  ///< of each thread of the grid
  std::vector<std::pair<int, const std::string*>> barriers_;  ///< lines of those inside calls
};

/// CUB wants a barrier between a call and other uses of shared memory that the call touches, too.
/// Why a barrier of the kernel's own in that line is one; empty: it is none.
Message why_library_needs_barrier(const Trace&, int launch, int line);

/// Calls of CUB's that use shared memory which another call has used, with no barrier of the kernel's own in
/// between: they have to have one, whatever they do inside. One for each two places in the source. Barriers
/// in `without_line` do not count.
std::vector<Finding> storage_reused(const Trace&, int launch, int without_line = 0);

}  // namespace bscope
