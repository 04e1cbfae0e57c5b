// The log of one thread: where a traced kernel writes down what it does.
#pragma once

#include "engine/simt/half.hpp"

namespace bscope {
inline namespace HALF {

#ifdef __CUDACC__
/// Writes into room that a counting run has measured; counts on when the room is used up.
struct Log {
  Event* at = nullptr;
  uint32_t count = 0, room = 0;
  bool dry = false;  ///< a rehearsal, which only declares shared memory and touches no cell
  static constexpr uint32_t longest_rehearsal = 1u << 27;

  DEVICE bool rehearses() const { return dry; }
  DEVICE uint32_t push(const Event& e) {
    if (count < room)
      reinterpret_cast<uint4*>(at)[count] = *reinterpret_cast<const uint4*>(&e);
    else if (dry && count > longest_rehearsal)
      give_up();
    return ++count;
  }
  DEVICE void turn(const Event&) {}
  /// Notes an access out of bounds and ends the thread.
  __device__ void stray(const Event&);
  /// A bulk copy from or to a place that is no multiple of 16 bytes: the hardware stops there.
  DEVICE void unaligned(const Event&) { __trap(); }
  /// Ends a rehearsal that comes to no barrier: cells that read as zero can keep a loop going for ever.
  __device__ void give_up();
};
#else
/// Grows as needed. Events are handed on by value: one that has an address is put together in memory, piece
/// by piece, and the processor waits for the pieces when it is copied.
struct Log {
  Event* at = nullptr;
  uint32_t count = 0, room = 0;
  bool pauses = false;  ///< lockstep: stop before accesses, so that others keep pace

  /// Never: what a block declares is known when it has run.
  constexpr bool rehearses() const { return false; }
  /// Appends; returns the event's 1-based number, by which later events name it as their source.
  uint32_t push(Event e) {
    if (count == room) [[unlikely]]
      grow();
    at[count] = e;
    return ++count;
  }
  /// Called before each access: the schedule may let others go first.
  void turn(Event e) {
    if (pauses) pause(e);
  }
  void grow();
  void pause(Event);
  /// Notes an access out of bounds and ends the thread.
  [[noreturn]] void stray(Event);
  /// Notes a bulk copy from or to a place that is no multiple of 16 bytes and ends the thread.
  [[noreturn]] void unaligned(Event);
  /// Lets others run while the cell's `bytes` bytes equal those at `old`.
  void wait(Event, const void* cell, const void* old, size_t bytes);
};
#endif

/// Appends the event with a value of up to 8 bytes; returns the number of the (first) event.
template <class V>
DEVICE uint32_t record(Log& log, Event e, const V& v) {
  static_assert(sizeof(V) <= 8, "elements of up to 8 bytes are kept exactly");
  const uint64_t bits = bits_of(v);
  e.bits = uint32_t(bits);
  const uint32_t number = log.push(e);
  if constexpr (sizeof(V) > 4) log.push({e.line, Op::high, e.array, uint32_t(bits >> 32), 0, 0});
  return number;
}

}  // namespace HALF
}  // namespace bscope
