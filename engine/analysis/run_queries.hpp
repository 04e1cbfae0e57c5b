// What there is to know at any moment of a run: steps, states between them, who is looked at. Computed when
// it is first asked for, and kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/analysis/array_state.hpp"
#include "engine/analysis/moment.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/cell_ref.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

struct ArrayRangeWords;
struct BlockSteps;
struct Exchange;
struct Selection;
struct Step;
struct SubStep;
struct WarpAccess;
struct WarpInstruction;

/// The steps that the whole run and the timeline show side by side: those of the cursor's block; where a
/// launch has no barrier at all, the only step of each of its blocks.
struct Track {
  std::vector<const Step*> steps;
  int present = 0;        ///< of `steps`
  bool by_block = false;  ///< one a block, from `first_block` on
  int first_block = 0;
};

/// Queries about the moments of one run. For one thread only (pictures are made between two frames).
class RunQueries {
 public:
  explicit RunQueries(std::shared_ptr<const Run>);
  ~RunQueries();
  RunQueries(RunQueries&&) noexcept;
  RunQueries& operator=(RunQueries&&) noexcept;
  const Run& run() const { return *run_; }
  const Trace& trace() const { return run_->trace; }
  const DataflowGraph& flow() const { return run_->report.flow; }
  /// The block's steps; block and launch are clamped to the run's. The reference stays good.
  const BlockSteps& block(int launch, int block) const;
  const BlockSteps& block(const Moment& m) const { return block(m.launch, m.block); }
  /// The moment's step, clamped to the block's; null if the block has none.
  const Step* step(const Moment&) const;
  Track track(const Moment&) const;
  /// Has what the timeline says of these steps ready: strides and traffic, of many steps from several
  /// threads.
  void prepare(std::span<const Step* const>) const;
  /// State of an array before and after a step: all of it, or at least the cells of a part.
  StatePtr before(const Step&, int array) const;
  StatePtr after(const Step&, int array) const;
  StatePtr before(const Step&, const ArrayRange&) const;
  StatePtr after(const Step&, const ArrayRange&) const;
  /// What the block's lanes hand each other.
  const std::vector<Exchange>& exchanges(int launch, int block) const;
  const std::vector<SubStep>& substeps(const Step&) const;
  /// The moment's sub-step; null: it is of the whole interval.
  const WarpInstruction* instruction(const Moment&) const;
  /// State of an array before and after a sub-step: all earlier ones of the interval have happened.
  StatePtr before(const WarpInstruction&, const ArrayRange&) const;
  StatePtr after(const WarpInstruction&, const ArrayRange&) const;
  /// Words of the part's cells before and after a step.
  std::shared_ptr<const ArrayRangeWords> words_before(const Step&, const ArrayRange&) const;
  std::shared_ptr<const ArrayRangeWords> words_after(const Step&, const ArrayRange&) const;
  /// "sum[15]"; "?" for an array that the launch does not have.
  std::string name(int launch, CellRef) const;
  const ArrayInfo& array(int launch, int id) const {
    return trace().array(trace().launches[size_t(launch)], id);
  }
  /// The moment's thread and cell, completed. The reference is good until another moment is asked for.
  const Selection& selection(const Moment&) const;
  std::optional<CellRef> selected(const Moment&) const;
  int followed(const Moment&) const;
  /// The node that the cell holds at the end of the step; -1: its initial value, or nothing.
  int holder(const Step&, CellRef) const;
  /// The same at the end of a sub-step.
  int holder(const WarpInstruction&, CellRef) const;
  /// What an access found in its cell: of an atomic in a sub-step (if one is given), in the sub-steps' own
  /// order.
  uint64_t found(const WarpInstruction*, int node) const;
  /// How many of the step's updates of the cell were lost: overwritten by a thread of the block that had not
  /// seen them. What another block overwrites is there at the end of the step.
  int lost(const Step&, CellRef) const;
  /// What a view has made of a step and wants to find again in its next frame; the view says what it fits.
  std::shared_ptr<const void>& kept(const std::string& view) const;
  /// Every load and store from the node `least` on that went into the node, sorted; the last answer is kept.
  const std::vector<int>& ancestors(int node, int least = 0) const;
  /// Every load and store that the node's value flows into; the last answer is kept.
  const std::vector<int>& descendants(int node) const;
  /// The writer of what each cell of a part holds before or after a step: a node, -1: it is as it was given.
  std::vector<int> writers(const Step&, const ArrayRange&, bool after) const;

 private:
  using Words = std::shared_ptr<const ArrayRangeWords>;
  /// The requests of a step's first sub-steps that write the array, in their order.
  std::vector<const WarpAccess*> writes_to(const Step&, int substeps, int array) const;
  StatePtr part_way(const Step&, int substeps, const ArrayRange&) const;
  Words global_words(const Step&, const ArrayRange&, bool after) const;

  std::shared_ptr<const Run> run_;
  struct Cache;  ///< the answers that are kept
  std::unique_ptr<Cache> cache_;
};

}  // namespace bscope
