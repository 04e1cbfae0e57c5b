// How shared memory serves a request: which bank hands out which word in which wavefront.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace bscope {

struct Run;
struct WarpAccess;

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
std::vector<BankSlot> bank_slots(const WarpAccess&);

/// Wavefronts if the request's array were padded: a tile of a user's own CUDA by one more column
/// (`tile[32][33]`), any other array by an unused word after each 32.
int wavefronts_if_padded(const Run&, const WarpAccess&);

/// Lane t asks for word step * t + start.
struct StraightWords {
  long step = 0, start = 0;
};
/// Nothing if the lanes ask for anything else.
std::optional<StraightWords> straight_words(const WarpAccess&);

/// Words of the shared memory of the request's block that its launch touches.
std::vector<bool> touched_words(const Run&, const WarpAccess&);

}  // namespace bscope
