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
  /// How many loops the thread is in, those of its callers included.
  uint32_t depth() const { return uint32_t(open_.size()); }
  /// It goes on in so many loops; `event`: how many events its log has.
  void leave(uint32_t depth, uint32_t event) {
    open_.resize(depth);
    mark(event);
  }
  /// It comes into a loop, and is in so many then. `loop` tells it from all others, and one call of its
  /// function from the others.
  void enter(uint32_t depth, uint32_t loop, uint16_t line, uint32_t event) {
    open_.resize(depth);
    open_.back() = {.event = event, .depth = uint16_t(depth), .line = line, .loop = loop, .number = 0};
    mark(event);
  }
  /// It goes once more round a loop, the innermost of so many.
  void go_round(uint32_t depth, uint32_t event) {
    if (open_.size() != depth) open_.resize(depth);
    Mark& now = open_.back();
    ++now.number;
    now.event = event;
    if (marks_.empty() || marks_.back().event == event) return mark(event);
    marks_.push_back(now);
  }
  void clear() {
    open_.clear();
    marks_.clear();
  }

  /// From an event on, the innermost loop that the thread is in, and its round; those around it stay.
  struct Mark {
    uint32_t event = 0;
    uint16_t depth = 0;  ///< 0: in no loop
    uint16_t line = 0;
    uint32_t loop = 0, number = 0;
    bool is_same(const Mark& o) const { return depth == o.depth && loop == o.loop && number == o.number; }
    bool operator==(const Mark&) const = default;
  };
  const std::vector<Mark>& marks() const { return marks_; }

 private:
  /// Of two marks without an event between them the later one counts, unless it is of a loop further inside.
  void mark(uint32_t event) {
    Mark now = open_.empty() ? Mark() : open_.back();
    now.event = event;
    while (!marks_.empty() && marks_.back().event == event && marks_.back().depth >= now.depth)
      marks_.pop_back();
    if (marks_.empty() ? now.depth > 0 : !marks_.back().is_same(now)) marks_.push_back(now);
  }

  std::vector<Mark> open_;  ///< the latest of each loop that it is in
  std::vector<Mark> marks_;
};

/// Those of a block's threads that have ended.
class BlockRounds {
 public:
  /// The log has to stay until `table` is asked for.
  void add(int rank, std::span<const Event> log, const ThreadRounds&);
  LoopRounds table(int threads) const;

 private:
  struct Thread {
    std::span<const Event> log;
    size_t first = 0, end = 0;  ///< of `marks_`
  };
  std::span<const ThreadRounds::Mark> marks_of(const Thread& t) const {
    return std::span(marks_).subspan(t.first, t.end - t.first);
  }
  bool are_alike(const Thread&, const Thread&) const;

  std::vector<Thread> threads_;  ///< by rank
  std::vector<ThreadRounds::Mark> marks_;
};

}  // namespace bscope::cuda
