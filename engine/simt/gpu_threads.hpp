// The device forms of a kernel. FastThread adds nothing to what the kernel says; StampedThread besides reads
// the clock at phases and barriers; GpuThread writes down what the kernel does, in the same words as the CPU
// executor. Read by nvcc only.
#pragma once

#include "engine/simt/dialect.hpp"
#include "engine/simt/gpu_machine.hpp"

namespace bscope {
inline namespace HALF {

/// Every shared array of a block lies in here, one after the other, 16-byte aligned.
extern __shared__ int4 dynamic_shared[];

/// Where a thread stands, by the hardware's own registers. int, not unsigned: indices may go below zero.
struct Coordinates {
  DEVICE int rank() const { return int(threadIdx.x); }
  DEVICE Index block() const { return Index(blockIdx.x); }
  DEVICE int block_size() const { return int(blockDim.x); }
  DEVICE Index grid_size() const { return Index(gridDim.x); }
  DEVICE int lane() const { return int(threadIdx.x % 32); }
  DEVICE int warp() const { return int(threadIdx.x / 32); }
};

/// CUDA shuffles numbers; other elements travel as their bits.
template <class T, class F>
DEVICE T as_number(T v, F shuffle) {
  if constexpr (std::is_arithmetic_v<T>)
    return shuffle(v);
  else if constexpr (sizeof(T) == 8)
    return from_bits<T>(shuffle(bits_of(v)));
  else
    return from_bits<T>(shuffle(uint32_t(bits_of(v))));
}

DEVICE void fence_for(Scope scope) {
  if (scope == Scope::block) return __threadfence_block();
  if (scope == Scope::device) return __threadfence();
  __threadfence_system();
}

/// The untraced context: each word is one of CUDA's own, and the compiler sees through all of it.
struct FastThread : Coordinates, Unstamped {
  DEVICE void sync() const { __syncthreads(); }
  DEVICE void phase(const char*) const {}
  DEVICE void sync_warp(uint32_t mask = full_warp) const { __syncwarp(mask); }
  template <class T>
  DEVICE T shuffle(T v, int from, uint32_t mask = full_warp) const {
    return as_number(v, [=](auto x) { return __shfl_sync(mask, x, from); });
  }
  template <class T>
  DEVICE T shuffle_up(T v, int by, uint32_t mask = full_warp) const {
    return as_number(v, [=](auto x) { return __shfl_up_sync(mask, x, by); });
  }
  template <class T>
  DEVICE T shuffle_down(T v, int by, uint32_t mask = full_warp) const {
    return as_number(v, [=](auto x) { return __shfl_down_sync(mask, x, by); });
  }
  template <class T>
  DEVICE T shuffle_xor(T v, int with, uint32_t mask = full_warp) const {
    return as_number(v, [=](auto x) { return __shfl_xor_sync(mask, x, with); });
  }
  DEVICE uint32_t ballot(bool p, uint32_t mask = full_warp) const { return __ballot_sync(mask, p); }
  template <Plain T>
  DEVICE uint32_t match_any(T v, uint32_t mask = full_warp) const {
    return __match_any_sync(mask, v);
  }
  template <Reduced T>
  DEVICE T reduce_add(T v, uint32_t mask = full_warp) const {
    return __reduce_add_sync(mask, v);
  }

  DEVICE void fence(Scope scope = Scope::device) const { fence_for(scope); }
  DEVICE void fence_async() const {
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
  }
  DEVICE void await_bulk_read(int pending) const {
#if __CUDA_ARCH__ >= 900
    if (pending == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    if (pending == 1) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
#endif
  }
  DEVICE void await_bulk(int pending) const {
#if __CUDA_ARCH__ >= 900
    if (pending == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    if (pending == 1) asm volatile("cp.async.bulk.wait_group 1;" ::: "memory");
#endif
  }

  int shared_used = 0;  // known while compiling, so it costs no register
  template <class T>
  DEVICE Array<T> shared_array(const char*, int n, int rows = 1) {
    const int begin = (shared_used + 15) / 16 * 16;
    shared_used = begin + n * rows * int(sizeof(T));
    return {reinterpret_cast<T*>(reinterpret_cast<char*>(dynamic_shared) + begin), n * rows};
  }
};

/// The untraced context, which besides writes down when its warp came to each place: one lane of a warp does.
struct StampedThread : FastThread {
  const Stamps& s;
  WarpStamps* warp_stamps = nullptr;  // null: another lane's work
  unsigned long long* words = nullptr;
  uint32_t count = 0;

  DEVICE explicit StampedThread(const Stamps& stamps) : s(stamps) {
    if (lane()) return;
    const uint32_t at = blockIdx.x * ((blockDim.x + 31) / 32) + uint32_t(warp());
    warp_stamps = s.warps + at;
    words = s.words + uint64_t(at) * s.room;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(warp_stamps->multiprocessor));
    warp_stamps->begin_time = time();
    warp_stamps->begin_clock = clock();
  }
  DEVICE void end() {
    if (lane()) return;
    warp_stamps->end_clock = clock();
    warp_stamps->end_time = time();
    warp_stamps->count = count;
  }
  DEVICE void phase(const char*, uint32_t line = __builtin_LINE()) { stamp(Stamp::phase, line); }
  DEVICE void sync(uint32_t line = __builtin_LINE()) {
    __syncwarp();  // the warp is there when its last lane is
    stamp(Stamp::arrival, line);
    __syncthreads();
    stamp(Stamp::release, line);
  }
  DEVICE void works_on(long long tile, uint32_t line = __builtin_LINE()) {
    stamp(Stamp::tile, line, tile, tile);
  }
  DEVICE void awaits(long long first, long long last, uint32_t line = __builtin_LINE()) {
    stamp(Stamp::wait, line, first < 0 ? 0 : first, last);
  }
  DEVICE void awaits_copy(uint32_t line = __builtin_LINE()) { stamp(Stamp::wait, line, -1, -1); }
  DEVICE void goes_on(uint32_t line = __builtin_LINE()) {
    __syncwarp();
    stamp(Stamp::seen, line);
  }
  DEVICE void has_published(long long tile, uint32_t line = __builtin_LINE()) {
    __syncwarp();
    stamp(Stamp::publish, line, tile, tile);
  }

 private:
  static DEVICE uint64_t clock() {
    uint64_t c;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(c)::"memory");
    return c;
  }
  static DEVICE uint64_t time() {
    uint64_t t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    return t;
  }
  DEVICE void stamp(Stamp::Kind kind, uint32_t line) {
    if (lane()) return;
    if (count < s.room) words[count] = Stamp::word(kind, line) | (clock() & Stamp::clock_mask);
    ++count;
  }
  DEVICE void stamp(Stamp::Kind kind, uint32_t line, long long first, long long last) {
    stamp(kind, line);
    if (lane()) return;
    if (count < s.room) words[count] = Stamp::tiles_word(first, last);
    ++count;
  }
};

/// All lanes of a warp that still run, from wherever they come, meet here, and then the block: returns how
/// many of its threads are still in the kernel. One place in the code, not inlined: lanes that come one after
/// the other, or from sync() and end() at once, go on together, as block-wide barriers want it.
__device__ __noinline__ inline uint32_t meet_block(uint32_t in_kernel) {
  uint32_t still;
  __syncwarp();
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; barrier.red.popc.u32 %0, 0, p; }"
               : "=r"(still)
               : "r"(in_kernel)
               : "memory");
  return still;
}

/// The traced context. Barriers are barrier-copy-barrier, so that each snapshot is what really stood there.
struct GpuThread : Coordinates, Unstamped, Log {
  const Recorder& r;
  uint32_t id, opened = 0, shared_used = 0;
  int arrays = 0;

  __device__ explicit GpuThread(const Recorder& recorder)
      : r(recorder), id(blockIdx.x * uint32_t(recorder.block) + threadIdx.x) {
    dry = r.dry;
    if (r.events) {
      at = r.events + r.first[id];
      room = uint32_t(r.first[id + 1] - r.first[id]);
    }
  }
  // The rehearsal runs as one thread and must still see the real shape.
  DEVICE int block_size() const { return r.block; }
  DEVICE Index grid_size() const { return r.grid; }

  /// Zeroes the block's shared memory, as the CPU executor does, so that snapshots compare.
  __device__ void begin() {
    if (dry) return;
    for (uint32_t i = threadIdx.x; i < r.shared_bytes; i += blockDim.x)
      reinterpret_cast<char*>(dynamic_shared)[i] = 0;
    __syncthreads();
  }
  /// The kernel has returned for this thread. It goes on meeting the block's barriers until all have
  /// returned: hardware does not wait for threads that are gone, and this way the copies have all hands.
  __device__ void end() {
    if (dry) return leave_rehearsal();
    r.count[id] = count;
    while (meet(false)) {}
    atomicMax(&r.barriers[blockIdx.x], opened);
  }
  __device__ void sync(uint32_t line = __builtin_LINE()) {
    push({uint16_t(line), Op::sync, 0, 0, 0, 0});
    if (dry) {
      leave_rehearsal();
      asm volatile("exit;");
    }
    meet(true);
  }
  __device__ void phase(const char* name, uint32_t line = __builtin_LINE()) {
    const uint32_t hash = hash_on_device(name);
    push({uint16_t(line), Op::phase, 0, hash, 0, 0});
    if (r.phases) remember(hash, name);
  }
  __device__ void fence(Scope scope = Scope::device, uint32_t line = __builtin_LINE()) {
    fence_for(scope);
    push({uint16_t(line), Op::fence, 0, 0, uint32_t(scope), 0});
  }
  __device__ void fence_async(uint32_t line = __builtin_LINE()) {
    push({uint16_t(line), Op::fence_async, 0, 0, 0, 0});
  }
  __device__ void await_bulk_read(int pending, uint32_t line = __builtin_LINE()) {
    push({uint16_t(line), Op::await_bulk_read, 0, 0, uint32_t(pending), 0});
  }
  __device__ void await_bulk(int pending, uint32_t line = __builtin_LINE()) {
    push({uint16_t(line), Op::await_bulk, 0, 0, uint32_t(pending), 0});
  }
  __device__ void sync_warp(uint32_t mask = full_warp, uint32_t line = __builtin_LINE()) {
    if (!dry) __syncwarp(mask);
    push({uint16_t(line), Op::sync_warp, 0, 0, mask, 0});
  }
  template <class T>
  __device__ Tracked<plain<T>> shuffle(T v, int from, uint32_t mask = full_warp,
                                       uint32_t line = __builtin_LINE()) {
    return take(v, from & 31, mask, line);
  }
  template <class T>
  __device__ Tracked<plain<T>> shuffle_up(T v, int by, uint32_t mask = full_warp,
                                          uint32_t line = __builtin_LINE()) {
    return take(v, by >= 0 && by <= lane() ? lane() - by : lane(), mask, line);
  }
  template <class T>
  __device__ Tracked<plain<T>> shuffle_down(T v, int by, uint32_t mask = full_warp,
                                            uint32_t line = __builtin_LINE()) {
    return take(v, by >= 0 && by < warp_size - lane() ? lane() + by : lane(), mask, line);
  }
  template <class T>
  __device__ Tracked<plain<T>> shuffle_xor(T v, int with, uint32_t mask = full_warp,
                                           uint32_t line = __builtin_LINE()) {
    const int from = lane() ^ with;
    return take(v, from >= 0 && from < warp_size ? from : lane(), mask, line);
  }
  __device__ uint32_t ballot(bool p, uint32_t mask = full_warp, uint32_t line = __builtin_LINE()) {
    return vote(Op::ballot, dry ? 0 : __ballot_sync(mask, p), 0, mask, line);
  }
  __device__ uint32_t ballot(Tracked<bool> p, uint32_t mask = full_warp, uint32_t line = __builtin_LINE()) {
    return vote(Op::ballot, dry ? 0 : __ballot_sync(mask, p.value), p.source, mask, line);
  }
  template <Plain V>
  __device__ uint32_t match_any(Tracked<V> v, uint32_t mask = full_warp, uint32_t line = __builtin_LINE()) {
    return vote(Op::match, dry ? 1 : __match_any_sync(mask, v.value), v.source, mask, line);
  }
  template <class T>
    requires Reduced<plain<T>>
  __device__ Tracked<plain<T>> reduce_add(T x, uint32_t mask = full_warp, uint32_t line = __builtin_LINE()) {
    using V = plain<T>;
    const Tracked<V> v = x;
    const V sum = dry ? v.value : V(__reduce_add_sync(mask, v.value));
    return {sum, push({uint16_t(line), Op::reduce, 0, uint32_t(bits_of(sum)), mask & present(), v.source}),
            this};
  }
  template <class T>
  __device__ Array<Tracked<plain<T>>> shared_array(const char* name, int n, int rows = 1) {
    using V = plain<T>;
    const uint32_t begin = (shared_used + 15) / 16 * 16;
    shared_used = begin + uint32_t(n * rows) * uint32_t(sizeof(V));
    if (dry) {
      if (arrays < Recorder::most_shared_arrays)
        describe(r.shared[arrays], name, uint32_t(kind_of<V>), n, rows, begin);
      else
        atomicOr(r.trouble, Recorder::too_many_arrays);
      *r.shared_used = shared_used;
    }
    return {reinterpret_cast<V*>(reinterpret_cast<char*>(dynamic_shared) + begin), n * rows, this,
            uint8_t(first_shared + arrays++)};
  }
  /// An access out of bounds was logged: the thread cannot go on.
  __device__ void stray_away() {
    if (dry)
      leave_rehearsal();
    else {
      r.count[id] = count;
      atomicAdd(&r.strayed[blockIdx.x], 1);
    }
    asm volatile("exit;");
  }

 private:
  static __device__ uint32_t hash_on_device(const char* s) {
    uint32_t h = 2166136261u;
    for (; *s; ++s) h = (h ^ uint8_t(*s)) * 16777619u;
    return h;
  }
  /// One barrier of the traced form: all meet; if some are still in the kernel, shared memory is copied and
  /// all meet again; if none, the last copy is made. Returns whether some are still in the kernel.
  __device__ bool meet(bool in_kernel) {
    const uint32_t still = meet_block(in_kernel);
    if (r.snapshots) copy_shared();
    if (!still) return false;
    ++opened;
    meet_block(in_kernel);
    return true;
  }
  __device__ void copy_shared() {
    // Threads that strayed are missing from the stride: then everyone copies everything.
    const bool all_hands = *static_cast<volatile uint32_t*>(&r.strayed[blockIdx.x]) == 0;
    const uint32_t step = all_hands ? blockDim.x : 1, words = r.shared_bytes / 4;
    char* const to = r.snapshots + r.snapshot_first[blockIdx.x] + uint64_t(opened) * r.shared_bytes;
    const char* const from = reinterpret_cast<const char*>(dynamic_shared);
    if (r.shared_bytes % 4 == 0)
      for (uint32_t i = all_hands ? threadIdx.x : 0; i < words; i += step)
        reinterpret_cast<volatile uint32_t*>(to)[i] = reinterpret_cast<const volatile uint32_t*>(from)[i];
    else
      for (uint32_t i = all_hands ? threadIdx.x : 0; i < r.shared_bytes; i += step)
        to[i] = reinterpret_cast<const volatile char*>(from)[i];
  }
  __device__ void leave_rehearsal() { *r.shared_used = shared_used; }
  __device__ void describe(Recorder::SharedArray& a, const char* name, uint32_t kind, int n, int rows,
                           uint32_t begin) {
    if (!copy_name(a.name, sizeof a.name, name)) atomicOr(r.trouble, Recorder::name_too_long);
    a.kind = 1 + kind;
    a.size = n * rows;
    a.rows = rows;
    a.offset = begin;
  }
  /// Enters a phase's name into the table, hashed by name; the first thread to come writes it.
  __device__ void remember(uint32_t hash, const char* name) {
    for (int k = 0; k < Recorder::most_phases; ++k) {
      auto& slot = r.phases[(hash + k) % Recorder::most_phases];
      if (*static_cast<volatile uint32_t*>(&slot.hash) == hash) return;
      const uint32_t was = atomicCAS(&slot.hash, 0u, hash);
      if (was == hash) return;
      if (was != 0) continue;
      if (!copy_name(slot.name, sizeof slot.name, name)) atomicOr(r.trouble, Recorder::name_too_long);
      return;
    }
    atomicOr(r.trouble, Recorder::too_many_phases);
  }
  static __device__ bool copy_name(char* to, int room, const char* name) {
    for (int c = 0; c < room; ++c) {
      to[c] = name[c];
      if (!name[c]) return true;
    }
    to[room - 1] = 0;
    return false;
  }
  /// Lanes that the block has in this warp: the last warp may be short.
  DEVICE uint32_t present() const {
    const int left = r.block - warp() * 32;
    return left >= 32 ? full_warp : (1u << left) - 1;
  }
  __device__ uint32_t vote(Op op, uint32_t result, uint32_t source, uint32_t mask, uint32_t line) {
    push({uint16_t(line), op, 0, result, mask & present(), source});
    return result;
  }
  template <class T>
  __device__ Tracked<plain<T>> take(T x, int from, uint32_t mask, uint32_t line) {
    using V = plain<T>;
    const Tracked<V> v = x;
    V value = v.value;
    uint32_t source = v.source;
    if (!dry) {
      value = as_number(v.value, [=](auto x) { return __shfl_sync(mask, x, from); });
      source = __shfl_sync(mask, v.source, from);
    }
    const Event e{uint16_t(line), Op::shuffle, uint8_t(kind_of<V>), 0, uint32_t(from), source};
    return {value, record(*this, e, value), this};
  }
};

__device__ inline void Log::stray(const Event& e) {
  push(e);
  static_cast<GpuThread*>(this)->stray_away();
}
__device__ inline void Log::give_up() {
  auto* t = static_cast<GpuThread*>(this);
  atomicOr(t->r.trouble, Recorder::endless_rehearsal);
  t->stray_away();
}

}  // namespace HALF
}  // namespace bscope
