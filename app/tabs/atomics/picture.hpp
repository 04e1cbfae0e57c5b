// The Atomics tab: who waits for one address, with one kernel and with another, and what is lost with no
// atomics at all.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/run/run.hpp"
#include "engine/catalog/image.hpp"

namespace bscope {

/// The queues of one run on one address, in time: one unit is one atomic served.
struct QueueSide {
  std::shared_ptr<const Run> run;
  std::string title, place;  ///< of the kernel; "bins[5]"
  int grid = 0, block = 0;   ///< blocks and threads of a block
  int launches = 1;
  /// An atomic, when it is served.
  struct Served {
    int time = 0;
    int queue = 0;  ///< in shared memory: which of the block's queues
    bool global = false;
  };
  std::vector<std::vector<Served>> rows;  ///< by block
  int queues_a_block = 1;                 ///< in shared memory, side by side: private copies
  int shared_longest = 0, global_longest = 0;
  int merge_starts = 0, total = 0;  ///< when the shared queues are drained, and all
  long served = 0, waits = 0;       ///< atomics on the address, and the turns that they wait in all
  /// For each address that can be chosen: its name, and when a key (or an atomic) of it was counted.
  struct Address {
    std::string name;
    std::vector<int> counted;  ///< ascending
  };
  std::vector<Address> addresses;
  int chosen = 0, hottest = 0;
  bool histogram = false;  ///< addresses are bins
  int counted(int address, int time) const;
};

/// One warp's read, add and write of the bin without atomics.
struct RacyUpdate {
  int block = 0, warp = 0, lanes = 0;
  double read[2] = {0, 0}, wrote[2] = {0, 0};  ///< least and most of its lanes
  int reads_at = 0, writes_at = 0;             ///< among all reads and writes of the bin
  std::vector<int> overtaken_at;               ///< writes of others in between
};
/// One key that is not there at the end: who read what and wrote what, and who wrote over it.
struct LostKey {
  int block = 0, thread = 0;        ///< the loser; thread of the block
  int by_block = 0, by_thread = 0;  ///< who overwrote it
  double read = 0, wrote = 0;       ///< of the loser
  double by_read = 0, by_wrote = 0;
  int at[4] = {0, 0, 0, 0};  ///< loser reads, writes, other reads, writes: in the run's order
  int line = 0;
  enum { in_warp, in_block, between_blocks } where = in_warp;
};

/// What the pictures need of the tab's runs, for one address.
struct AtomicsModel {
  std::array<QueueSide, 2> sides;
  int end = 1;  ///< of the time scale
  int n = 0, bin = 0;
  std::string order;  ///< whose order it is: "CPU, lockstep"

  bool has_racy = false;
  std::vector<RacyUpdate> updates;  ///< by the time of the read; at most most_updates
  size_t all_updates = 0;
  int racy_steps = 0;
  struct Count {
    long performed = 0, present = 0;
  };
  std::vector<Count> racy;  ///< by bin
  long performed = 0, lost = 0;
  long lost_in_warps = 0, lost_in_blocks = 0, lost_between_blocks = 0;  ///< of the bin
  std::vector<LostKey> lost_keys;                                       ///< of the bin, as they were lost
  std::string racy_line;                                                ///< source of the racy update

  std::shared_ptr<const GreyImage> image;  ///< that the keys are the pixels of
  int image_bins = 256;

  /// -1: when the right side is done; else into the scale.
  int time(int t) const;
};
inline constexpr size_t most_updates = 64;
/// `racy` may be null. bin -1: the one with the left side's longest queue.
AtomicsModel atomics_model(std::shared_ptr<const Run> left, std::shared_ptr<const Run> right,
                           std::shared_ptr<const Run> racy, int bin = -1);

/// Where the tab looks, and where its sliders stand.
struct AtomicsLook {
  int t = -1, lost = 0;
  double skew = 0.5;
  int blocks = 7, threads = 32, items = 1, bins = 16;
  bool own_input = false;
  std::string input;  ///< what the keys are, where they are not the sliders': "preset queue-7x20"
};
/// The sliders' ranges. `items` are powers of two.
inline constexpr int most_queue_blocks = 64, most_queue_threads = 512, most_log_items = 6;

/// Hits: bin "bin 5" (a: address); other "time" (drag: slider_value gives t), "skew" (percent), "blocks",
/// "threads", "items" (log 2) as sliders; button "lost before", "lost next".
Picture atomics_view(const AtomicsModel&, const AtomicsLook&, const Theme&, const Metrics&, float w, float h);

}  // namespace bscope
