// Every block of a launch at a glance: what each does in one interval, in few columns.
#pragma once

#include <cstdint>
#include <vector>

namespace bscope {

struct DataflowGraph;
struct Trace;

struct LaunchOverview {
  /// What an interval does in some neighbouring cells.
  enum CellUse : uint8_t { rests, reads, writes };
  struct BlockOverview {
    bool there = false;                 ///< it has this interval
    int working = 0, writes = 0;        ///< threads; stores to the array
    std::vector<float> values = {};     ///< the largest of each column; of a shared array
    std::vector<CellUse> touched = {};  ///< of each column
    std::vector<bool> lanes = {};       ///< of each column of threads: whether one of them works
    int stuck = 0;                      ///< threads that wait for ever
  };
  int launch = -1, interval = -1, array = -1;
  float largest = 0;  ///< of all blocks' values
  std::vector<BlockOverview> blocks = {};
};
/// All blocks of a launch at one interval: an array's cells, and the threads, each in at most so many
/// columns.
LaunchOverview launch_overview(const Trace&, const DataflowGraph&, int launch, int interval, int array,
                               int columns);

}  // namespace bscope
