// The Atomics tab: who waits for one bin, with global atomics and with shared ones, and what is lost with
// none.
#pragma once

#include <string>
#include <vector>

#include "app/session.hpp"
#include "app/view/picture.hpp"
#include "app/view/theme.hpp"

namespace bscope {

/// Where the tab looks.
struct AtomicsCursor {
  int bin = -1;  ///< -1: the bin with the longest global queue
  int t = -1;    ///< time, in serialised atomics; -1: when the shared path is done
  bool operator==(const AtomicsCursor&) const = default;
};

/// What the pictures need of three runs of one input, for one bin.
struct AtomicsModel {
  int bins = 0, bin = 0, hottest = 0;
  int blocks = 0, threads = 0, n = 0;

  std::vector<std::vector<int>> global;  ///< by block: when its atomics on the bin are served, from 0
  std::vector<int> queue_of;             ///< by bin: its global queue
  std::vector<std::vector<int>> shared;  ///< the same in shared memory: a queue a block, all from time 0
  std::vector<std::vector<int>> merge;   ///< the blocks' totals on the global bin, from 0
  int global_queue = 0, shared_queue = 0, merge_queue = 0;
  int shared_total() const { return shared_queue + merge_queue; }

  /// One warp's read, add and write of the bin without atomics.
  struct Update {
    int block = 0, warp = 0, lanes = 0;
    double read[2] = {0, 0}, wrote[2] = {0, 0};  ///< least and most of its lanes
    int reads_at = 0, writes_at = 0;             ///< among all reads and writes of the bin
    std::vector<int> overtaken_at;               ///< writes of others in between
  };
  std::vector<Update> updates;  ///< by the time of the read
  int racy_steps = 0;
  struct Count {
    long performed = 0, present = 0;
  };
  std::vector<Count> racy;  ///< by bin
  long performed = 0, lost = 0;
  long lost_in_warps = 0, lost_in_blocks = 0, lost_between_blocks = 0;  ///< of the bin
  std::string racy_line;                                                ///< source of the racy update
};
/// The three runs must be of the same input. A run without queues or updates leaves its part empty.
AtomicsModel atomics_model(const Run& global, const Run& shared, const Run& racy, int bin = -1);

/// Hits: bin "bin 5" (a: bin); other "time" (drag: slider_value gives t), "skew" (percent), "blocks",
/// "threads" as sliders (chart.hpp's slider_value).
Picture atomics_view(const AtomicsModel&, const AtomicsCursor&, const Theme&, const Metrics&, float w,
                     float h);
Picture atomics_view(const Run& global, const Run& shared, const Run& racy, const AtomicsCursor&,
                     const Theme&, const Metrics&, float w, float h);

}  // namespace bscope
