// Warp requests: what a warp's lanes ask for together, and what the hardware makes of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/trace/cell_ref.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

struct DataflowGraph;
struct Interval;
class SourceLoops;

/// Shared memory's banks, and the bytes of one bank's word.
inline constexpr int bank_count = 32, bank_bytes = 4;
/// What comes from global memory at least.
inline constexpr int sector_bytes = 32;

/// Accesses of one warp with the same line, op, array, round of the loops around and occurrence: one request.
struct WarpAccess {
  int launch = 0, block = 0, warp = 0, interval = 0, line = 0;
  Op op{};
  int array = 0;
  int occurrence = 0;  ///< how often this warp, or its block, had been at this line in this interval
  struct LaneAccess {
    int lane;
    int index;
    uint32_t address;
    int bytes;
    int node;
  };                              ///< address in bytes in shared memory, or in the array
  std::vector<LaneAccess> lanes;  ///< active lanes in order
  int wavefronts = 0,
      ideal =
          0;  ///< shared: 32 banks of 4 bytes, one word broadcast is free, 64/128 bits in half/quarter warps
  int sectors = 0,
      ideal_sectors = 0;  ///< global: 32-byte sectors touched, and the fewest that hold the bytes asked for
  int lanes_in_warp = 32;
  bool shared() const { return array >= first_shared; }
};
/// How often memory must answer a request (wavefronts, sectors), and how often it would have to at least.
inline int answers(const WarpAccess& r) { return r.shared() ? r.wavefronts : r.sectors; }
inline int fewest(const WarpAccess& r) { return r.shared() ? r.ideal : r.ideal_sectors; }
/// Lanes that shared memory serves together: all; half of them where one asks for 8 bytes, a quarter for 16.
/// (Unless all that they ask for fits into one wavefront.)
int lanes_of_pass(const WarpAccess&);
/// All requests of the interval, warp by warp, each warp's in the order in which its lanes make them. The
/// loops are those of the trace's sources.
std::vector<WarpAccess> requests(const Trace&, const DataflowGraph&, const Interval&,
                                 std::span<const SourceLoops>);
/// All requests, in the order of launch, block, interval, and within.
std::vector<WarpAccess> requests(const Trace&, const DataflowGraph&, std::span<const SourceLoops>);
std::vector<WarpAccess> requests(const Trace&, const DataflowGraph&);

struct RequestTotals {
  long shared_requests = 0, shared_wavefronts = 0, shared_wavefronts_ideal = 0;
  long global_requests = 0, global_sectors = 0, global_sectors_ideal = 0;
  long shared_load_wavefronts = 0, shared_store_wavefronts = 0, shared_atomic_wavefronts = 0;
};
RequestTotals total(std::span<const WarpAccess>);

/// Divergence of a line: passes executed over the fewest that could do it.
struct Divergence {
  int launch = 0, line = 0;
  long requests = 0, active = 0, lanes = 0;
  double executed_over_ideal = 1;
};
std::vector<Divergence> divergence(const Trace&, std::span<const WarpAccess>);

}  // namespace bscope
