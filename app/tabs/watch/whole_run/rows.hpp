// Which rows the whole run has, and which of them are in view: no pixels.
#pragma once

#include <cstdint>
#include <vector>

namespace bscope {

struct BlockSteps;
struct Exchange;
class RunQueries;
struct Track;

/// A launch's heading, a step, or what lanes hand each other within a step.
struct WholeRunRow {
  enum RowType : uint8_t { head, step, lanes } what = step;
  int launch = 0, block = 0, index = 0;  ///< of the step: interval of its block
  bool by_block = false;
  int exchange = -1;  ///< the first of a group: the same line and occurrence in all warps
};

/// The rows from top to bottom. The present step's row may have rows of lanes above and below it.
struct WholeRunRows {
  std::vector<WholeRunRow> all;
  std::vector<int> of_track;  ///< of each step of the track, its row
  int present = 0, present_first = 0, present_last = 0;
  int size() const { return int(all.size()); }
};
/// `here`: the cursor's block. `array`: the one that is shown. `fit`: rows for which there is room; rows of
/// lanes are left out of other blocks where there are more. Without `future` they end at the present step.
WholeRunRows whole_run_rows(const RunQueries&, const BlockSteps& here, const Track&, int array, int fit,
                            bool future);

/// The exchanges of a row of lanes, a warp each.
std::vector<const Exchange*> exchanges_of(const RunQueries&, const WholeRunRow&);

/// A stretch of rows.
struct RowsInView {
  int first = 0, count = 0;
  int end() const { return first + count; }
};
/// As many as fit: those around the present, scrolled by so many.
RowsInView rows_in_view(int all, int fit, int present, int scroll);

}  // namespace bscope
