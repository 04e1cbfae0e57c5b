// What the Watch pictures need of a run beside the cursor, computed once a run (and once a block of it, when
// that block is first looked at).
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/run/run.hpp"
#include "app/tabs/watch/state.hpp"
#include "engine/analysis/padding.hpp"
#include "engine/analysis/row_turns.hpp"
#include "engine/analysis/substeps.hpp"

namespace bscope {

/// One value on its way in one interval: an Arrow of the analysis, or a load whose value is stored later.
struct Move {
  Arrow arrow;        ///< `to` without an array: only read in this interval
  bool held = false;  ///< a load that waits in a register; `to` is where its value will be stored, if it is
  /// A load (a node) that waits; without an arrow's target yet.
  static Move held_load(int id, const Node&);
  bool copy() const { return arrow.op == "copy" || arrow.op == "constant"; }
};

/// Wavefronts of an interval (or sectors, in a launch without shared memory), by what caused them.
struct Traffic {
  int read = 0, write = 0, atomic = 0, extra = 0;
  int queue = 0;  ///< atomics of this block on one cell, the most there are; 0: at most one
  int total() const { return read + write + atomic + extra; }
};

/// What one source line did in one interval.
struct LineRole {
  enum What : uint8_t { compute, read, write, atomic, barrier } what = compute;
  std::vector<bool> lanes;  ///< of the first warp request there that left lanes out; empty: all took part
  int warp = -1;            ///< that request's warp
};

struct BlockSteps;

/// The part of an array that a block works on.
struct Part {
  int array = -1, first = 0, size = 0;
};

/// One interval of one block, ready to be drawn. The outline (the members) is made when the block is first
/// looked at; what only some pictures ask of only some steps (the functions) when it is first asked for, and
/// kept. One thread at a time may ask a step; several may ask several.
struct Step {
  const BlockSteps* in = nullptr;
  const Interval* interval = nullptr;
  int flow_index = 0;       ///< in Flow::intervals
  std::vector<bool> works;  ///< one a thread of the block
  int working = 0;
  int phase_number = 1, phase_count = 1;  ///< "Up-sweep 3 of 4"
  /// A store or atomic, and where its loads (as in Arrow::loads) end in `loads`.
  struct Store {
    int node = -1;
    uint32_t end = 0;
  };
  std::vector<Store> wrote;  ///< in the order of the replay
  std::vector<int> loads;    ///< of all of them, side by side

  const std::vector<Move>& moves() const;
  /// The loads (nodes) that went into none of the step's own stores: they wait in registers.
  const std::vector<int>& held() const;
  /// Distance of all arrows that leave their column, padding not counted; 0: none or mixed.
  int stride() const;
  int from() const;  ///< array of the row before
  int to() const;    ///< array of the row after
  /// What is shown of an array before the step, or after it: the block's part; where rows take turns, the
  /// one that the step reads, or writes. Without cells: the block does not touch it.
  Part before(int array) const { return shown(array, false); }
  Part after(int array) const { return shown(array, true); }
  const std::map<int, LineRole>& lines() const;
  const Traffic& traffic() const;
  bool prepared() const { return stride_ && traffic_; }
  /// Cells that the block wrote in this interval: how often, and the last store or atomic (a node).
  struct Written {
    int times = 0, node = -1;
  };
  using WrittenCells = std::vector<std::pair<uint64_t, Written>>;
  /// By key, sorted: steps of 1e5 writes are gone through in every frame that shows them.
  const WrittenCells& written() const;
  const Written* writes_of(Place p) const {
    const auto found = written_in(p.array, p.index, 1);
    return found.empty() ? nullptr : &found.front().second;
  }
  /// Those of `count` cells of an array from `first` on.
  std::span<const std::pair<uint64_t, Written>> written_in(int array, int first, int count) const {
    return in_cells(written(), array, first, count);
  }
  static std::span<const std::pair<uint64_t, Written>> in_cells(const WrittenCells& all, int array, int first,
                                                                int count) {
    const auto before = [](const auto& entry, uint64_t k) { return entry.first < k; };
    const auto begin = std::lower_bound(all.begin(), all.end(), key({array, std::max(0, first)}), before);
    const auto end =
        std::lower_bound(begin, all.end(), key({array, 0}) + uint64_t(std::max(0, first + count)), before);
    return {begin, end};
  }
  static uint64_t key(Place p) { return uint64_t(uint32_t(p.array)) << 32 | uint32_t(p.index); }

 private:
  struct Rows {
    int from = -1, to = -1;
  };
  const Rows& rows() const;
  Part shown(int array, bool written) const;
  mutable std::optional<std::vector<Move>> moves_;
  mutable std::optional<std::vector<int>> held_;
  mutable std::optional<int> stride_;
  mutable std::optional<Rows> rows_;
  mutable std::optional<std::map<int, LineRole>> lines_;
  mutable std::optional<Traffic> traffic_;
  mutable std::optional<WrittenCells> written_;
};

/// One block of one launch.
struct BlockSteps {
  const Run* run = nullptr;
  int launch = 0, block = 0;
  std::vector<Step> steps;
  std::map<int, Part> parts;                     ///< of each array that the block touches
  int main = -1;                                 ///< the array it writes most; -1: it touches none
  std::map<int, Padding> padding;                ///< of each shared array of `parts`
  std::map<int, RowTurns> turns;                 ///< of those whose rows take turns
  bool sectors = false;                          ///< Step::traffic counts sectors, not wavefronts
  std::vector<std::pair<int, Place>> stored_at;  ///< each load whose value is stored, and where first; sorted
};

/// The steps that the whole run and the timeline show side by side: those of the cursor's block; where a
/// launch has no barrier at all, the only step of each of its blocks.
struct Track {
  std::vector<const Step*> steps;
  int present = 0;        ///< of `steps`
  bool by_block = false;  ///< one a block, from `first_block` on
  int first_block = 0;
};

/// A sub-step, ready to be drawn: what one instruction of one warp did.
struct Instruction {
  const Step* step = nullptr;
  SubStep what;
  int number = 0, of = 0;                ///< from 0, within the interval
  const WarpRequest* request = nullptr;  ///< null: an exchange
  const Exchange* exchange = nullptr;    ///< null: a request
  std::vector<int> ranks;                ///< the threads that take part, of the block
  std::vector<int> nodes;                ///< all its accesses, those of vectors cell by cell
  std::vector<Move> moves;
  Step::WrittenCells written;
};

/// Does any lane get another's value? A shuffle that reaches beyond the warp's ends moves nothing.
bool moves_something(const Exchange&);

/// What all pictures of one moment are about: one thread, one cell, and what the one did to the other. What
/// the cursor leaves open follows from what it says: a thread brings the cell that it touches along, a cell
/// the thread that wrote it; a cell that nobody touches in the step stands alone.
struct Selection {
  std::optional<Place> cell;  ///< what Why explains
  int thread = -1;            ///< its rank in the block; -1: nobody is followed
  /// The thread's store, atomic or load of the cell; where nobody touches the cell in this step, the write
  /// that left its value. -1: there is none.
  int node = -1;
  bool here = false;  ///< `node` happened in this step
};

/// Why a thread touched no cell in a step, where the trace says so.
struct WhyIdle {
  bool ended = false;  ///< it had returned before the step began
  int line = 0;        ///< of a condition on data that was false; 0: none is in the trace
};

/// What each cell of a part holds, in words of inputs; `first` as in ArrayState.
struct PartWords {
  int first = 0;
  std::vector<Word> words;
  const Word* of(int cell) const {
    const int k = cell - first;
    return k >= 0 && k < int(words.size()) && words[size_t(k)].known ? &words[size_t(k)] : nullptr;
  }
};

/// Everything precomputed of one run. Made by make_watch_model; blocks are added when asked for. For one
/// thread only (the pictures are made between two frames).
class WatchModel {
 public:
  explicit WatchModel(std::shared_ptr<const Run>);
  const Run& run() const { return *run_; }
  const Trace& trace() const { return run_->trace; }
  const Flow& flow() const { return run_->report.flow; }
  /// The block's steps; block and launch are clamped to the run's. The reference stays good.
  const BlockSteps& block(int launch, int block) const;
  const BlockSteps& block(const Cursor& c) const { return block(c.launch, c.block); }
  /// The step the cursor stands on, clamped to the block's; null if the block has none.
  const Step* step(const Cursor&) const;
  Track track(const Cursor&) const;
  /// Has what the timeline says of these steps ready: strides and traffic, of many steps from several
  /// threads.
  void prepare(std::span<const Step* const>) const;
  /// State of an array before and after a step: all of it, or at least the cells of a part.
  StatePtr before(const Step&, int array) const;
  StatePtr after(const Step&, int array) const;
  StatePtr before(const Step&, const Part&) const;
  StatePtr after(const Step&, const Part&) const;
  /// What the block's lanes hand each other.
  const std::vector<Exchange>& exchanges(int launch, int block) const;
  const std::vector<SubStep>& substeps(const Step&) const;
  /// The sub-step that the cursor stands on; null: it stands on the whole interval.
  const Instruction* instruction(const Cursor&) const;
  /// State of an array before and after a sub-step: all earlier ones of the interval have happened.
  StatePtr before(const Instruction&, const Part&) const;
  StatePtr after(const Instruction&, const Part&) const;
  /// Words of the part's cells before and after a step.
  std::shared_ptr<const PartWords> words_before(const Step&, const Part&) const;
  std::shared_ptr<const PartWords> words_after(const Step&, const Part&) const;
  /// Costs a walk through the thread's log.
  WhyIdle why_idle(const Step&, int rank) const;
  /// "sum[15]".
  std::string name(int launch, Place) const;
  const ArrayInfo& array(int launch, int id) const {
    return trace().array(trace().launches[size_t(launch)], id);
  }
  /// The cursor's thread and cell, completed: by default the cell that the step wrote most often, the last of
  /// them, or read. Of a sub-step: what that does. The reference is good until another cursor is asked for.
  const Selection& selection(const Cursor&) const;
  std::optional<Place> selected(const Cursor& c) const { return selection(c).cell; }
  int followed(const Cursor& c) const { return selection(c).thread; }
  /// The node that the cell holds at the end of the step; -1: its initial value, or nothing.
  int holder(const Step&, Place) const;
  /// The same at the end of a sub-step.
  int holder(const Instruction&, Place) const;
  /// What an access found in its cell: of an atomic in a sub-step (if one is given), in the sub-steps' own
  /// order.
  uint64_t found(const Instruction*, int node) const;
  /// How many of the step's updates of the cell were lost: overwritten by a thread that had not seen them.
  int lost(const Step&, Place) const;
  /// What a view has made of a step and wants to find again in its next frame; the view says what it fits.
  std::shared_ptr<const void>& kept(const std::string& view) const { return views_[view]; }
  /// Every load and store from the node `least` on that went into the node, sorted; the last answer is kept.
  const std::vector<int>& ancestors(int node, int least = 0) const;
  /// Every load and store that the node's value flows into; the last answer is kept.
  const std::vector<int>& descendants(int node) const;
  /// Who wrote what each cell of a part holds before or after a step: a node, -1: it is as it was given.
  std::vector<int> writers(const Step&, const Part&, bool after) const;

 private:
  std::shared_ptr<const Run> run_;
  mutable std::map<std::pair<int, int>, std::unique_ptr<BlockSteps>> blocks_;
  mutable std::unique_ptr<GlobalHistory> history_;
  mutable std::map<std::string, std::shared_ptr<const void>> views_;
  mutable std::optional<std::pair<Cursor, Selection>> selection_;  // the last answer
  Selection select(const Cursor&) const;
  mutable std::map<std::pair<int, int>, StatePtr> shared_;
  mutable std::map<std::tuple<int, int, int, int>, StatePtr>
      parts_;                      // of global arrays: array, cells, moment
  mutable size_t part_cells_ = 0;  // in all of them
  struct Ancestors {
    int node = -1, least = 0;
    std::vector<int> all;
  };
  mutable Ancestors ancestors_, descendants_;
  mutable std::map<std::pair<int, int>, std::vector<Exchange>> exchanges_;
  mutable std::map<int, std::vector<SubStep>> substeps_;  // by step's flow_index
  mutable std::unique_ptr<Instruction> instruction_;      // the last that was asked for
  mutable std::map<std::tuple<int, int, int, int, bool>, std::shared_ptr<const PartWords>> words_;
  StatePtr part_way(const Step&, int substeps, const Part&) const;
  /// Words of a global array's cells at a moment of the replay.
  std::shared_ptr<const PartWords> words_at(const Part&, int moment) const;
  mutable std::unique_ptr<std::map<std::tuple<int, int, int, Place>, int>> lost_;  // launch, block, interval
  const GlobalHistory& history() const;
  StatePtr global(const Part&, int moment) const;
  std::unique_ptr<BlockSteps> make_block(int launch, int block) const;
};
WatchModel make_watch_model(std::shared_ptr<const Run>);

}  // namespace bscope
