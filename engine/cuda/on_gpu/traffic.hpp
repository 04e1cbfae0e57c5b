// What a launch moves through global memory, as its trace counts it.
#pragma once

#include "engine/analysis/run.hpp"

namespace bscope::cuda {

struct MemoryTraffic {
  double bytes = 0;    ///< each cell that is read once, each that is written once: what must be moved
  double fetched = 0;  ///< the sectors that its warps ask for
  bool estimated =
      false;  ///< both: worked out from the blocks and the cells that are traced, which are not all
};
/// `times`: of a launch whose first blocks alone are traced, as many times as many blocks; no array can give
/// more than it has. Of an array whose first cells alone are traced, the others count as used like them.
MemoryTraffic traffic_of(const Run&, int launch, double times = 1);

}  // namespace bscope::cuda
