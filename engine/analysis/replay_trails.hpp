// Atomics on one cell, in an order that explains every value that they found there.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/analysis/atomic_order.hpp"
#include "engine/analysis/replay_state.hpp"

namespace bscope::replay {

/// Atomics on one cell whose order the values alone do not tell.
struct Trail {
  /// Steps on one value that are still to come: those that leave it, and those that change nothing.
  struct RemainingSteps {
    int leaving = 0, idle = 0;
  };
  std::vector<std::pair<int, uint32_t>> who;  ///< thread and event
  std::vector<AtomicStep> steps;
  std::vector<int> place;  ///< of each that changes the value: its turn
  std::unordered_map<uint64_t, RemainingSteps> left;
  int next = 0;
  bool laid_out = false, given_up = false;

  void lay_out(uint64_t start);
  /// A step from one value to another (or the same) has been taken.
  void pass(uint64_t from, uint64_t to);
};

class Trails {
 public:
  explicit Trails(const ReplayState& s) : s_(s) {}
  /// Finds the cells of the launch where values alone do not tell the order of their atomics.
  void begin_launch();
  /// May the thread's next event, an atomic that finds `from` and leaves `to`, go where memory holds `now`?
  /// A step that changes the value waits for its place in the trail. One that changes nothing may go whenever
  /// memory holds its value; so the last to leave that value waits until all of them have gone. `trail`: the
  /// one that the step belongs to, if any.
  bool its_turn(int t, uint64_t now, uint64_t from, uint64_t to, Trail*& trail);

 private:
  /// An atomic of a log, and the cell (of a block and an interval, if it is shared) that it is done on.
  struct LoggedAtomic {
    uint64_t cell;  // array and index
    int32_t block, interval;
    int32_t thread;
    uint32_t pos;
  };
  std::vector<LoggedAtomic> atomics() const;
  Trail trail_of(const LoggedAtomic* first, const LoggedAtomic* end) const;
  static uint64_t key(int t, uint32_t pos) { return uint64_t(uint32_t(t)) << 32 | pos; }

  const ReplayState& s_;
  std::unordered_map<uint64_t, std::pair<int, int>> trail_of_;  // thread and event -> trail, number in it
  std::vector<Trail> trails_;
};

}  // namespace bscope::replay
