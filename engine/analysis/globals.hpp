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
/// in one pass over the writes; an answer takes time in proportion to the array's cells, wherever it lies.
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
  /// The words of an array's cells; `words` are the run's (see content.hpp).
  std::vector<Word> words_at(const WordTable& words, int array, int moment) const;

 private:
  /// The holders of an array's cells after that many of its writes.
  struct Checkpoint {
    size_t writes;
    std::vector<int32_t> holders;
  };
  std::vector<int32_t> holders(int array, int moment) const;

  const Trace& trace_;
  const Flow& flow_;
  std::vector<int32_t> launch_start_;         // the first node of each launch; one more
  std::vector<std::vector<int32_t>> writes_;  // nodes that write each array, ascending
  std::vector<std::vector<Checkpoint>> checkpoints_;
};

}  // namespace bscope
