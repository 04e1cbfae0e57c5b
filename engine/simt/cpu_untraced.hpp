// The context t of a kernel's untraced form, as the C++ compiler sees it: declared, compiled with each kernel
// and never run. So it refuses what nvcc refuses in the form that is timed: numbers instead of watched
// values.
#pragma once

#include "engine/simt/atomic.hpp"
#include "engine/simt/stamps.hpp"
#include "engine/simt/untraced.hpp"

namespace bscope {
inline namespace on_cpu {

/// FastThread (gpu_threads.hpp), without its bodies.
struct UntracedThread : Unstamped {
  int rank() const;
  Index block() const;
  int block_size() const;
  Index grid_size() const;
  int lane() const;
  int warp() const;

  void sync() const;
  void phase(const char*) const;
  void sync_warp(uint32_t mask = full_warp) const;
  template <class T>
  T shuffle(T v, int from, uint32_t mask = full_warp) const;
  template <class T>
  T shuffle_up(T v, int by, uint32_t mask = full_warp) const;
  template <class T>
  T shuffle_down(T v, int by, uint32_t mask = full_warp) const;
  template <class T>
  T shuffle_xor(T v, int with, uint32_t mask = full_warp) const;
  uint32_t ballot(bool p, uint32_t mask = full_warp) const;
  template <Plain T>
  uint32_t match_any(T v, uint32_t mask = full_warp) const;
  template <Reduced T>
  T reduce_add(T v, uint32_t mask = full_warp) const;

  void fence(Scope = Scope::device) const;
  void fence_async() const;
  void await_bulk_read(int pending) const;
  void await_bulk(int pending) const;
  template <class T>
  Array<T> shared_array(const char* name, int n, int rows = 1);
};

/// Never called.
template <class Kernel, class... A>
void untraced_form(const Kernel& kernel, A... args) {
  UntracedThread t;
  kernel(t, untraced(args)...);
}

}  // namespace on_cpu
}  // namespace bscope
