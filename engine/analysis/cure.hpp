// What a student can change in the source so that two accesses no longer race.
#pragma once

#include <cstdint>
#include <vector>

namespace bscope {

/// The lines that a barrier belongs between. Which of two racing accesses came first in the replay is chance;
/// what the source means is the order of lines after the barrier that both have passed, unless a loop has
/// come round.
struct BarrierPlace {
  int from = 0, to = 0;
  bool next_round = false;  ///< `to` is the line of the loop's next round
  template <class Self, class Visit>
  static void fields(Self& p, Visit&& visit) {
    visit("from", p.from);
    visit("to", p.to);
    visit("next_round", p.next_round);
  }
  bool operator==(const BarrierPlace&) const = default;
};

enum class CureKind : uint8_t {
  none,                ///< none is known that fits all races of these lines
  barrier,             ///< between lines: `places`
  barrier_in_loop,     ///< between two rounds of the loop around `line`
  read_then_write,     ///< read `line`'s other cell, meet at a barrier, then write
  warp_steps,          ///< a warp's barrier before and in each of the lines where `places` begin
  atomic,              ///< instead of a plain update, or a cell for each thread
  atomic_access,       ///< the plain access in `line`
  use_atomics_value,   ///< in `line` the value that the atomic in `other_line` returned
  own_cells,           ///< one thread writes, or each a cell of its own
  fence,               ///< between `line`, which writes, and `other_line`, which tells that it has
  volatile_fences,     ///< before the volatile store in `line` and after the volatile load in `other_line`
  atomics_and_fences,  ///< the same for a flag of plain accesses
  own_launch,          ///< for `line`
  flag,                ///< between blocks, or a second launch
  second_array,        ///< to write into, where each thread reads its neighbours' cells of the same array
  block_then_ticket,   ///< a barrier between `line`, which writes, and `other_line`, where one thread tells
                       ///< others
  one_atomic,          ///< for the cell and the one that the atomic in `other_line` changes
  atomic_or_other_array,  ///< for the plain read in `line`, beside the atomic in `other_line`
  apart,            ///< two arrays of shared memory that overlap: their lines are `line` and `other_line`
  fence_async,      ///< before the copy engine reads what a thread wrote
  await_mbarrier,   ///< before the copy of a bulk copy is read
  await_bulk,       ///< before what a bulk copy wrote is read
  await_bulk_read,  ///< before what a bulk copy reads is written
  await_copy,       ///< before `line` reads what an asynchronous copy brings
  await_barrier_of_copy,  ///< the same, where the copy was given a cuda::barrier
  last = await_barrier_of_copy
};
constexpr CureKind last_of(CureKind) { return CureKind::last; }

struct Cure {
  CureKind kind = CureKind::none;
  std::vector<BarrierPlace> places = {};
  int line = 0, other_line = 0;
  /// Which barrier: of a block, or of a warp where all racing threads are of one. `warp_or_block`: the warp's
  /// would do.
  enum class SyncScope : uint8_t { block, warp_or_block, warp } scope = SyncScope::block;
  bool between_blocks = false;  ///< threads of two blocks race
  bool is_volatile = false;     ///< one of the accesses is volatile, which orders nothing
  bool outside_if = false;      ///< the line stands in an if: the barrier belongs outside
  bool every_round = false;     ///< the barrier is needed before the next round, too
  friend constexpr SyncScope last_of(SyncScope) { return SyncScope::warp; }
  template <class Self, class Visit>
  static void fields(Self& c, Visit&& visit) {
    visit("kind", c.kind);
    visit("places", c.places);
    visit("line", c.line);
    visit("other_line", c.other_line);
    visit("scope", c.scope);
    visit("between_blocks", c.between_blocks);
    visit("is_volatile", c.is_volatile);
    visit("outside_if", c.outside_if);
    visit("every_round", c.every_round);
  }
  bool operator==(const Cure&) const = default;
};

}  // namespace bscope
