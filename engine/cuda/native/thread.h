/* What native code and the machine have in common: a thread at work, and where its accesses find memory. It
 * is C, for it stands before all native code; the machine includes it, too. */
#pragma once

#include <stdint.h>

enum {
  bscope_results = 8, /**< of a step that is left to the interpreter: where they begin among its values */
  bscope_values = 12,
  bscope_ended = 0x7fffffff, /**< the state of a thread that has returned */
  bscope_turns = 1 << 16,    /**< round a loop, until the machine wants to know */
};

/** The memory that an access found last. An address a with a - begin < room is in it, at a + shift, counted
 * from the thread's base of that number. */
struct bscope_site {
  uint64_t begin, room, shift, base;
};

/** Threads of a block that run one after the other, each to its end or to its next barrier. */
struct bscope_threads {
  uint32_t first, count; /**< ranks */
  /** Where each of them stands: 0 at its beginning, the number of its barrier, bscope_ended. Of kernels that
   * return at barriers. */
  uint32_t* states;
  uint64_t* kept; /**< of each thread, between two calls; of such kernels */
  /** What is the same in all threads at a barrier: read by the next interval, and written by it. */
  const uint64_t* same;
  uint64_t* next_same;
  /** Whether they are all threads of the block, and in the same state. */
  uint32_t together;
  /** After a call: the bits that some, and that all states have. */
  uint32_t some_states, all_states;
  uint64_t intervals; /**< that have ended. The machine wants to know of every bscope_turns of them */
};

struct bscope_thread {
  struct bscope_site* sites;
  const uint64_t* bases; /**< 0, and where each shared array of its block begins */
  /** Does a step as the interpreter does it: its operands are in `values`, its results come there. */
  void (*leave)(struct bscope_thread*, int32_t step, uint32_t line);
  void (*sync)(struct bscope_thread*, uint32_t line); /**< __syncthreads() */
  /** It has gone round loops so often since it said so last. */
  void (*look)(struct bscope_thread*, uint32_t turns, uint32_t line);
  uint64_t values[bscope_values];
  /** blockIdx, blockDim, gridDim, three of each, behind room for threadIdx; room for lane, warp */
  uint32_t place[14];
  uint64_t turns; /**< that this thread has gone round loops, as far as it has said */
  /** Local memory, and which bytes of it are some variable's; as long as the interpreter may use it. */
  uint8_t* local;
  const uint8_t* valid;
  uint64_t local_bytes;
};
