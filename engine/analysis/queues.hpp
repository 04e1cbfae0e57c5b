// Queues at one address, served one atomic at a time; and the updates lost there where no thread waits.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/analysis/lost.hpp"

namespace bscope {

class Report;

/// The queues of a run's atomics on one address, in time: one unit is one atomic served. Those in shared
/// memory are served at once in all blocks, then those on global memory.
struct AddressQueues {
  std::string place = {};   ///< "bins[5]"; "-" where there are no atomics
  int grid = 0, block = 0;  ///< blocks and threads of a block
  /// An atomic, when it is served.
  struct Served {
    int time = 0;
    int queue = 0;  ///< in shared memory: which of the block's queues
    bool global = false;
  };
  std::vector<std::vector<Served>> rows = {};  ///< by block
  int queues_a_block = 1;                      ///< in shared memory, side by side: private copies
  int shared_longest = 0, global_longest = 0;
  int merge_starts = 0, total = 0;  ///< when the shared queues are drained, and all
  long served = 0, waits = 0;       ///< atomics on the address, and the turns that they wait in all
  /// For each address that can be chosen: its name, and when a key (or an atomic) of it was counted.
  struct Address {
    std::string name;
    std::vector<int> counted;  ///< ascending
  };
  std::vector<Address> addresses = {};
  int chosen = 0, hottest = 0;
  bool histogram = false;  ///< addresses are bins
  /// How many of an address were counted before this time.
  int counted(int address, int time) const;
};
/// Of the address of this number; of that with the most keys where there is none such. Atomics in shared
/// memory belong to the bin that their counts are added to in the end: read from the dataflow, so that any
/// number of private copies is found.
AddressQueues address_queues(const Report&, int address = -1);

/// One warp's read, add and write of a cell without atomics.
struct RacyUpdate {
  int block = 0, warp = 0, lanes = 0;
  double read[2] = {0, 0}, wrote[2] = {0, 0};  ///< least and most of its lanes
  int reads_at = 0, writes_at = 0;             ///< among all reads and writes of the cell
  std::vector<int> overtaken_at;               ///< writes of others in between
};
/// One update that is not there at the end: the threads that read, wrote and overwrote it, and their values.
struct LostKey {
  int block = 0, thread = 0;        ///< the loser; thread of the block
  int by_block = 0, by_thread = 0;  ///< who overwrote it
  double read = 0, wrote = 0;       ///< of the loser
  double by_read = 0, by_wrote = 0;
  int at[4] = {0, 0, 0, 0};  ///< loser reads, writes, other reads, writes: in the run's order
  int line = 0;
  decltype(LostUpdate::where) where = LostUpdate::in_warp;
};
/// What a run that updates its output without atomics loses, and how it came about in one of its cells.
struct Losses {
  struct UpdateCount {
    long performed = 0, present = 0;
  };
  std::vector<UpdateCount> cells = {};  ///< of the output
  long performed = 0, lost = 0;
  std::string line = {};  ///< of the source: the first update that was lost
  // of the cell
  std::vector<RacyUpdate> updates = {};  ///< by the time of the read; at most most_updates
  size_t all_updates = 0;
  std::vector<LostKey> keys = {};  ///< as they were lost
  long in_warps = 0, in_blocks = 0, between_blocks = 0;
};
inline constexpr size_t most_updates = 64;
Losses losses(const Report&, int cell);

}  // namespace bscope
