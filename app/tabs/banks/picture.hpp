// The Banks tab: which bank each lane of a warp request asks, and how often the banks must answer.
#pragma once

#include <vector>

#include "app/parts/requests.hpp"

namespace bscope {

/// Shared memory's banks, and the bytes of one bank's word.
inline constexpr int bank_count = 32, bank_bytes = 4;

/// One word that one bank hands out in one wavefront.
struct BankSlot {
  int bank = 0, wavefront = 0;
  uint32_t word = 0;       ///< address / bank_bytes
  std::vector<int> lanes;  ///< who asked for it, in order: they share one answer
  bool excess = false;     ///< beyond the fewest wavefronts that its pass needs
};
/// How a shared-memory request is served. A pass is the whole warp, or half or a quarter of it where a lane
/// asks for 8 or 16 bytes (unless all that they ask for fits into one wavefront); in a wavefront of a pass
/// every bank hands out one word. (Atomics on one word count once here, as loads do: their queue is the
/// Atomics tab's.)
std::vector<BankSlot> bank_slots(const WarpRequest&);

/// Hits: see requests.hpp; beside them `slot B W`, the word that bank B hands out in wavefront W.
Picture banks_view(const RequestScene&, const Theme&, const Metrics&, float w, float h);

}  // namespace bscope
