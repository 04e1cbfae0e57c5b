// What do the global arrays hold after any interval of any block?
#pragma once
#include "engine/analysis/content.hpp"
namespace bscope {

/// The cells of one global array at one moment.
struct GlobalState {
  std::vector<uint64_t> bits;
  std::vector<int32_t> holders;  ///< the node that wrote what the cell holds; -1: its initial value
};

/// Global arrays at any moment of the replay. A moment is a number of nodes: all before it have happened. Of
/// the orders that the barriers allow it is the replay's; other blocks may be anywhere at that moment. Made
/// in two passes over the writes; an answer takes time in proportion to the cells that are asked for (and the
/// logarithm of their writes), however long the array.
class Globals {
 public:
  /// Both must outlive it.
  Globals(const Trace&, const Flow&);
  /// Just after the interval's last access; for an interval without any, the end of the one before it in its
  /// block, or the launch's start.
  int after(const Interval&) const;
  /// Just after the launch's last access, and before its first one.
  int after_launch(int launch) const;
  int before_launch(int launch) const;
  GlobalState at(int array, int moment) const;
  /// Of the cells [from, to) alone.
  GlobalState at(int array, int moment, int from, int to) const;
  /// The words of an array's cells; `words` are the run's (see content.hpp).
  std::vector<Word> words_at(const WordTable& words, int array, int moment) const;

 private:
  /// The nodes that write an array, cell after cell, each cell's ascending.
  struct Writes {
    std::vector<uint32_t> begin;  ///< of each cell in `nodes`; one more
    std::vector<int32_t> nodes;
  };
  /// The last node before the moment that writes the cell; -1: none.
  int32_t holder(int array, int cell, int moment) const;

  const Trace& trace_;
  const Flow& flow_;
  std::vector<int32_t> launch_start_;  // the first node of each launch; one more
  std::vector<Writes> writes_;         // of each array
};

}  // namespace bscope
