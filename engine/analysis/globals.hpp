// The content of the global arrays at any moment of the replay.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "engine/analysis/array_state.hpp"
#include "engine/trace/cell_ref.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

struct DataflowGraph;
struct Interval;
struct Word;
class WordTable;

/// Global arrays at any moment of the replay. A moment is a number of nodes: all before it have happened. Of
/// the orders that the barriers allow it is the replay's; other blocks may be anywhere at that moment. States
/// asked for are kept, so that stepping on costs only the writes between. For one thread at a time.
class Globals {
 public:
  /// Both must outlive it.
  Globals(const Trace&, const DataflowGraph&);
  /// Just before the interval's first access, and just after its last one; for an interval without any, the
  /// end of the one before it in its block, or the launch's start.
  int before(const Interval&) const;
  int after(const Interval&) const;
  /// Just before the launch's first access, and just after its last one.
  int before_launch(int launch) const { return launch_start_[size_t(launch)]; }
  int after_launch(int launch) const { return launch_start_[size_t(launch) + 1]; }

  /// The whole array.
  StatePtr at(int array, int moment) const;
  /// At least the cells of the part. Of one that is small beside its array it costs a search a cell, however
  /// much was written before.
  StatePtr at(const ArrayRange&, int moment) const;
  /// The last store or atomic on the cell before the moment (a node); -1: none, it is as it was given.
  int writer(CellRef, int moment) const;
  std::vector<int> writers(const ArrayRange&, int moment) const;
  /// The words of a part's cells; `words` are the run's (see content.hpp).
  std::vector<Word> words_at(const WordTable& words, const ArrayRange&, int moment) const;
  ArrayRange whole(int array) const { return {array, 0, trace_.arrays[size_t(array)].size}; }

 private:
  /// The launch that a moment is replayed from: its own if what was left before it is known, else the first.
  int launch_before(int moment) const;
  /// Cells [first, end) before a launch, from what is known to have been left by the one before.
  ArrayState at_start(int array, int launch, int first, int end) const;
  ArrayState cell_by_cell(const ArrayRange&, int moment) const;

  const Trace& trace_;
  const DataflowGraph& flow_;
  std::vector<int32_t> launch_start_;                  // the first node of each launch; one more
  mutable std::vector<std::map<int, StatePtr>> kept_;  // whole arrays, by moment
  mutable std::map<std::tuple<int, int, int, int>, StatePtr> parts_;  // array, cells, moment
  mutable size_t part_cells_ = 0;                                     // in all of them
};

}  // namespace bscope
