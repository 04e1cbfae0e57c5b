// The Banks tab: which bank each lane of a warp request asks, and how often the banks must answer.
#pragma once

#include <vector>

#include "app/session.hpp"
#include "app/view/picture.hpp"
#include "app/view/theme.hpp"

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
/// asks for 8 or 16 bytes; in a wavefront of a pass every bank hands out one word. (Atomics on one word count
/// once here, as loads do: their queue is the Atomics tab's.)
std::vector<BankSlot> bank_slots(const WarpRequest&);

/// Requests to shared memory in the interval under the cursor: their numbers, each the node of its first
/// lane.
std::vector<int> shared_requests(const Run&, const Cursor&);

/// Hits: line (a: the request's number) named "request N"; interval (a: the run's step).
/// `request`: the chosen one, by its number; -1 or one of another interval: the one with most
/// wavefronts beyond the ideal.
Picture banks_view(const Run&, const Cursor&, int request, const Theme&, const Metrics&, float w, float h);

}  // namespace bscope
