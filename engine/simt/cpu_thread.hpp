// The context t of a kernel on the CPU executor: who the thread is, and where it meets others.
#pragma once

#include <bit>
#include <string>
#include <vector>

#include "engine/simt/array.hpp"
#include "engine/simt/atomic.hpp"
#include "engine/simt/cpu_fiber.hpp"
#include "engine/simt/stamps.hpp"

namespace bscope {
inline namespace on_cpu {

class Executor;
struct ResidentBlock;

/// One thread of a launch, run as a fiber. The public part is the dialect's context.
class alignas(64) CpuThread : public Log, public Unstamped {
 public:
  enum class State : uint8_t {
    done,
    ready,
    at_barrier,
    meeting,  ///< waits for the lanes of its mask
    waiting,  ///< waits for a cell to change
  };

  int rank() const { return rank_; }
  int block() const { return block_index_; }
  int block_size() const { return block_size_; }
  int grid_size() const { return grid_size_; }
  int lane() const { return rank_ % warp_size; }
  int warp() const { return rank_ / warp_size; }

  [[gnu::always_inline]] void sync(uint32_t line = __builtin_LINE()) {
    if (leaves_out_ && left_out(line)) [[unlikely]]
      return;
    push({uint16_t(line), Op::sync, 0, 0, 0, 0});
    synced_ = true;
    leave(State::at_barrier, line, Op::sync);
  }
  void phase(const char* name, uint32_t line = __builtin_LINE());
  void sync_warp(uint32_t mask = full_warp, uint32_t line = __builtin_LINE()) {
    if (leaves_out_ && left_out(line)) [[unlikely]]
      return;
    meet(Op::sync_warp, mask, line);
    push({uint16_t(line), Op::sync_warp, 0, 0, mask, 0});
  }
  /// What this thread has written is seen by all before what it writes from here on: __threadfence().
  void fence(Scope scope = Scope::device, uint32_t line = __builtin_LINE()) {
    push({uint16_t(line), Op::fence, 0, 0, uint32_t(scope), 0});
  }
  /// Waits for all threads of the grid; all its blocks have to run at once. For users' own CUDA files only.
  void sync_grid(uint32_t line) {
    push({uint16_t(line), Op::sync_grid, 0, 0, 0, 0});
    synced_ = true;
    leave(State::at_barrier, line, Op::sync_grid);
  }

  // Bulk copies are done when they are asked for; these say what the thread relies on.
  void fence_async(uint32_t line = __builtin_LINE()) { push({uint16_t(line), Op::fence_async, 0, 0, 0, 0}); }
  void await_bulk_read(int pending, uint32_t line = __builtin_LINE()) {
    push({uint16_t(line), Op::await_bulk_read, 0, 0, uint32_t(pending), 0});
  }
  void await_bulk(int pending, uint32_t line = __builtin_LINE()) {
    push({uint16_t(line), Op::await_bulk, 0, 0, uint32_t(pending), 0});
  }

  // A lane that does not exist gives the caller's own value, as on the GPU.
  template <class T>
  Tracked<plain<T>> shuffle(T v, int from, uint32_t mask = full_warp, uint32_t line = __builtin_LINE()) {
    return take(v, from & (warp_size - 1), mask, line);
  }
  template <class T>
  Tracked<plain<T>> shuffle_up(T v, int by, uint32_t mask = full_warp, uint32_t line = __builtin_LINE()) {
    return take(v, by >= 0 && by <= lane() ? lane() - by : lane(), mask, line);
  }
  template <class T>
  Tracked<plain<T>> shuffle_down(T v, int by, uint32_t mask = full_warp, uint32_t line = __builtin_LINE()) {
    return take(v, by >= 0 && by < warp_size - lane() ? lane() + by : lane(), mask, line);
  }
  template <class T>
  Tracked<plain<T>> shuffle_xor(T v, int with, uint32_t mask = full_warp, uint32_t line = __builtin_LINE()) {
    const int from = lane() ^ with;
    return take(v, from >= 0 && from < warp_size ? from : lane(), mask, line);
  }

  uint32_t ballot(bool p, uint32_t mask = full_warp, uint32_t line = __builtin_LINE()) {
    return vote(Op::ballot, p, 0, mask, line);
  }
  uint32_t ballot(Tracked<bool> p, uint32_t mask = full_warp, uint32_t line = __builtin_LINE()) {
    return vote(Op::ballot, p.value, p.source, mask, line);
  }
  template <Plain V>
  uint32_t match_any(Tracked<V> v, uint32_t mask = full_warp, uint32_t line = __builtin_LINE()) {
    return vote(Op::match, bits_of(v.value), v.source, mask, line);
  }
  template <class T>
    requires Reduced<plain<T>>
  Tracked<plain<T>> reduce_add(T x, uint32_t mask = full_warp, uint32_t line = __builtin_LINE()) {
    using V = plain<T>;
    const Tracked<V> v = x;
    meet(Op::reduce, mask, line, bits_of(v.value), v.source);
    V sum{};
    for (uint32_t lanes = group_; lanes; lanes &= lanes - 1)
      sum = arithmetic::add(sum, from_bits<V>(warp_[std::countr_zero(lanes)].shown_));
    return {sum, push({uint16_t(line), Op::reduce, 0, uint32_t(bits_of(sum)), group_, v.source}), this};
  }

  template <class T>
  Array<Tracked<plain<T>>> shared_array(const char* name, int n, int rows = 1) {
    using V = plain<T>;
    uint8_t id = 0;
    void* p = declare(name, n, rows, kind_of<V>, id);
    return {static_cast<V*>(p), n * rows, this, id};
  }

  // For executors that run other code than the dialect's in these threads.
  /// Shared memory for `rows` times n cells, which every thread of the block must ask for alike and before
  /// its first barrier; `id` becomes the array's in the trace.
  void* declare(const char* name, int n, int rows, ElementType, uint8_t& id);
  /// Reports a finding, whose place but for the line is filled in here, and ends the thread, or the whole
  /// launch: what has happened so far stays in the trace.
  enum class StopScope : uint8_t { thread, launch };
  [[noreturn]] void fail(Finding, StopScope = StopScope::thread);
  /// The lanes that it last met, with its own.
  uint32_t met() const { return group_; }
  /// A barrier that the log does not tell of, of a launch that leaves nothing behind but memory.
  [[gnu::always_inline]] void sync_unlogged(uint32_t line) {
    if (leaves_out_ && left_out(line)) [[unlikely]]
      return;
    synced_ = true;
    leave(State::at_barrier, line, Op::sync);
  }
  /// Ends the launch if its result is not wanted any more (Progress::stop). A thread that makes no events
  /// calls it now and then.
  void look_whether_wanted();
  /// Calls `act` once when the thread's kernel has ended, by an exception too: in WebAssembly that leaves the
  /// frames of a kernel without their destructors.
  void at_end(void (*act)(void*), void* data) {
    act_at_end_ = act;
    data_at_end_ = data;
  }
  /// Lets others run, as before an access in that line.
  void yield(uint32_t line, Op op) { leave(State::ready, line, op); }

 private:
  friend struct Log;
  friend class Executor;
  friend struct ResidentBlock;
  struct Body;

  template <class T>
  Tracked<plain<T>> take(T x, int from, uint32_t mask, uint32_t line) {
    using V = plain<T>;
    const Tracked<V> v = x;
    meet(Op::shuffle, mask, line, bits_of(v.value), v.source);
    const bool there = group_ >> from & 1;
    if (!there) absent(from, line);
    const CpuThread& giver = there ? warp_[from] : *this;
    const V got = from_bits<V>(giver.shown_);
    const auto lane_read = uint32_t(there ? from : lane());
    const Event e{uint16_t(line), Op::shuffle, uint8_t(kind_of<V>), 0, lane_read, giver.shown_source_};
    return {got, record(*this, e, got), this};
  }
  uint32_t vote(Op op, uint64_t given, uint32_t source, uint32_t mask, uint32_t line) {
    meet(op, mask, line, given, source);
    uint32_t result = 0;
    for (uint32_t lanes = group_; lanes; lanes &= lanes - 1) {
      const int l = std::countr_zero(lanes);
      const bool yes = op == Op::ballot ? warp_[l].shown_ != 0 : warp_[l].shown_ == given;
      if (yes) result |= 1u << l;
    }
    push({uint16_t(line), op, 0, result, group_, source});
    return result;
  }
  /// Comes back when the lanes of the mask are here; group_ says which, shown_ what each gave.
  void meet(Op op, uint32_t mask, uint32_t line, uint64_t given = 0, uint32_t source = 0) {
    mask_ = mask;
    given_ = given;
    given_source_ = source;
    spins_ = 0;
    leave(State::meeting, line, op);
    has_to_look_ = false;
  }
  void absent(int from, uint32_t line);
  /// Whether the schedule leaves out the barrier of this line.
  bool left_out(uint32_t line) const;
  /// Lets others run until this thread is ready again. Inlined, so that a kernel is left and entered at the
  /// same place.
  [[gnu::always_inline]] void leave(State s, uint32_t line, Op op) {
    fiber::leave(fiber_, depart(s, line, op));
    if (*cancelled_) [[unlikely]]
      give_up();
  }
  /// Writes down that it stops, and says who goes on.
  fiber::Next depart(State, uint32_t line, Op);
  [[noreturn]] static void give_up();
  void stop(State, uint32_t line, Op);
  void note_turn();
  fiber::Next next_of_batch() const;
  void prefetch() const;
  void run_kernel();

  // What every switch touches comes first and fills, with the log's own fields, one cache line.
  State state_ = State::done;  ///< in which it stopped
  Op op_{};                    ///< what it stopped for
  uint8_t spins_ = 0;          ///< how often in a row it stopped before the same access, up to a few
  uint32_t id_ = 0;            ///< in the grid: block * block size + rank
  ResidentBlock* home_ = nullptr;
  CpuThread* warp_ = nullptr;  ///< lane 0 of its warp
  void* fiber_ = nullptr;
  uint32_t line_ = 0;         ///< where it stopped
  uint32_t noted_ = 0;        ///< events that the turns tell of so far
  uint16_t last_line_ = 0;    ///< of its last access
  bool wrote_ = false;        ///< since it stopped
  bool leaves_out_ = false;   ///< a barrier of this launch is left out
  bool synced_ = false;       ///< has come to a barrier
  bool has_to_look_ = false;  ///< at what the lanes that it has met show
  uint32_t last_index_ = 0;
  const bool* cancelled_ = nullptr;  ///< whether the launch is

  // Where it stands.
  int rank_ = 0, block_index_ = 0, block_size_ = 0, grid_size_ = 0;
  // Meeting: what it gives, and what is shown to the others once all are there (it may give the next value
  // before a slower lane has looked, which is shown when that one has).
  uint32_t mask_ = 0, group_ = 0, given_source_ = 0, shown_source_ = 0;
  uint64_t given_ = 0, shown_ = 0;
  // Waiting: the cell and what it must differ from.
  const void* watched_ = nullptr;
  uint64_t old_ = 0;
  size_t watched_bytes_ = 0;
  uint8_t watched_array_ = 0;
  uint32_t watched_index_ = 0;
  // Shared arrays it has declared.
  uint32_t shared_used_ = 0;
  int shared_count_ = 0;
  void (*act_at_end_)(void*) = nullptr;
  void* data_at_end_ = nullptr;
  char* stack_ = nullptr;
  std::vector<Event> memory_;  ///< of the log
};

}  // namespace on_cpu
}  // namespace bscope
