// In which rounds of loops threads are while they run, and what a trace keeps of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/trace/trace.hpp"

namespace bscope::cuda {

/// Those of one thread, with the places in its log where it came into them.
class ThreadRounds {
 public:
  /// From an event on, the innermost loop that the thread is in, and its round; those around it stay.
  struct Mark {
    uint32_t event = 0;
    uint16_t depth = 0;  ///< 0: in no loop
    uint16_t line = 0;
    uint32_t loop = 0, number = 0;
    bool is_same(const Mark& o) const { return depth == o.depth && loop == o.loop && number == o.number; }
    bool operator==(const Mark&) const = default;
  };

  /// How many loops the thread is in, those of its callers included.
  uint32_t depth() const { return now_.depth; }
  /// It goes on in so many loops; `event`: how many events its log has.
  void leave(uint32_t depth, uint32_t event);
  /// It comes into a loop, and is in so many then. `loop` tells it from all others, and one call of its
  /// function from the others.
  void enter(uint32_t depth, uint32_t loop, uint16_t line, uint32_t event);
  /// It goes once more round a loop, the innermost of so many.
  void go_round(uint32_t depth, uint32_t event) {
    if (now_.depth != depth) leave_for(depth);
    ++now_.number;
    now_.event = event;
    if (marks_.empty() || marks_.back().event == event) return mark();
    marks_.push_back(now_);
  }
  void clear();
  const std::vector<Mark>& marks() const { return marks_; }

 private:
  void leave_for(uint32_t depth);
  void mark();

  Mark now_;
  std::vector<Mark> around_;  ///< the latest of each loop around, behind that of no loop
  std::vector<Mark> marks_;
};

/// Those of a block's threads that have ended.
class BlockRounds {
 public:
  /// The log has to stay as it is until the last thread has ended.
  void add(int rank, std::span<const Event> log, const ThreadRounds&);
  LoopRounds table(int threads) const;

 private:
  using Marks = std::span<const ThreadRounds::Mark>;
  struct Thread {
    std::span<const Event> log;
    size_t first = 0, end = 0;  ///< of `marks_`
  };
  Marks marks_of(const Thread& t) const { return Marks(marks_).subspan(t.first, t.end - t.first); }

  std::vector<Thread> threads_;            ///< by rank
  std::vector<size_t> first_of_warp_;      ///< by warp: the rank of its first lane to end, and 1; 0: none has
  std::vector<ThreadRounds::Mark> marks_;  ///< lanes that do the same share theirs
  bool lanes_differ_ = false;              ///< those of some warp
};

}  // namespace bscope::cuda
