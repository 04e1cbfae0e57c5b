// The GPU's half of a program: the machine a program's lambda is given when nvcc compiles the kernel file.
// Only what must know the kernel's types is here; the rest is in gpu_program.cu.
#pragma once

#include <string>
#include <vector>

#include "engine/simt/gpu_machine.hpp"
#include "engine/simt/gpu_threads.hpp"
#include "engine/simt/untraced.hpp"

namespace bscope {
inline namespace HALF {

// What a kernel's argument becomes in the traced form.
template <class T>
DEVICE auto traced(GpuThread& t, Buffer<T> b) {
  using Watched = std::conditional_t<std::is_const_v<T>, const Tracked<std::remove_const_t<T>>, Tracked<T>>;
  return Array<Watched>{b.data, int(b.count), &t, b.id};
}
template <class T>
DEVICE T traced(GpuThread&, T v) {
  return v;
}

template <class Kernel>
constexpr int launch_bound() {
  if constexpr (requires { Kernel::max_block; })
    return Kernel::max_block;
  else
    return 1024;
}
/// Blocks that a multiprocessor must have room for: bounds the registers of a thread.
template <class Kernel>
constexpr int resident_blocks() {
  if constexpr (requires { Kernel::blocks_per_multiprocessor; })
    return Kernel::blocks_per_multiprocessor;
  else
    return 1;
}
/// Array's layout is the hand-written kernel's {pointer, length}: the same parameters, the same code.
template <class Kernel, class... A>
__global__ void __launch_bounds__(launch_bound<Kernel>(), resident_blocks<Kernel>()) run_untraced(A... args) {
  FastThread t;
  Kernel{}(t, args...);
}
template <class Kernel, class... A>
__global__ void __launch_bounds__(1024) run_clocked(long long* cycles, A... args) {
  const long long began = clock64();
  FastThread t;
  Kernel{}(t, args...);
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - began;
}
// tools/machine_code.py asks for the untraced form alone.
#if !defined(BARRIERSCOPE_WIDE) && !defined(BARRIERSCOPE_PLAIN)
#define BARRIERSCOPE_TRACED
#endif
#if defined(BARRIERSCOPE_TRACED) && !defined(BARRIERSCOPE_UNSTAMPED)
#define BARRIERSCOPE_STAMPED
/// As many registers as the untraced form may have, so that as many blocks are side by side.
template <class Kernel, class... A>
__global__ void __launch_bounds__(launch_bound<Kernel>(), resident_blocks<Kernel>())
    run_stamped(const __grid_constant__ Stamps stamps, A... args) {
  StampedThread t(stamps);
  Kernel{}(t, args...);
  t.end();
}
#endif
#ifdef BARRIERSCOPE_TRACED
template <class Kernel, class... A>
__global__ void __launch_bounds__(1024) run_traced(const __grid_constant__ Recorder recorder, A... args) {
  GpuThread t{recorder};
  t.begin();
  Kernel{}(t, traced(t, args)...);
  t.end();
}
#endif

/// What a program's lambda is given.
class Gpu {
 public:
  explicit Gpu(GpuMachine& machine) : machine_(machine) {}

  /// For persistent grids: how many blocks can work side by side. Traced, as few as on the CPU.
  int multiprocessors() const { return machine_.multiprocessors(); }
  /// A named array of n zeros. Between timed runs it keeps what the launches left in it.
  template <class T>
  Buffer<T> array(const char* name, Index n) {
    return taken<T>(name, n, {});
  }
  /// A named array of n zeros that every run begins with: clearing it belongs to a run's time.
  template <class T>
  Buffer<T> zeros(const char* name, Index n) {
    return taken<T>(name, n, {.cleared = true});
  }
  /// A named array with this content.
  template <class T>
  Buffer<T> array(const char* name, const std::vector<T>& v) {
    return taken<T>(name, Index(v.size()), {.values = v.data()});
  }
  template <class T>
  Buffer<T> array(const char* name, const Values<T>& v) {
    return taken<T>(name, Index(v.size()), {.values = v.made ? nullptr : v.held.data(), .made = v.made});
  }
  /// Runs the kernel; args are Buffers and plain values.
  template <class Kernel, class... A>
  void launch(const char* name, LaunchShape shape, Kernel, A... args) {
    LaunchForm form{.name = name, .shape = shape};
    form.file = *file_of<Kernel>() ? file_of<Kernel>() : file;
    form.untraced_function = reinterpret_cast<const void*>(run_untraced<Kernel, decltype(untraced(args))...>);
#ifdef BARRIERSCOPE_TRACED
    form.traced_function = reinterpret_cast<const void*>(run_traced<Kernel, A...>);
    form.traced = [args...](LaunchShape s, uint32_t bytes, const Recorder& r) {
      run_traced<Kernel, A...><<<s.grid, s.block, bytes>>>(r, args...);
    };
#endif
    form.untraced = [shape, function = run_untraced<Kernel, decltype(untraced(args))...>, args...](
                        uint32_t bytes, cudaStream_t stream) {
      if (shape.together)
        launch_together(function, shape, bytes, stream, untraced(args)...);
      else
        function<<<shape.grid, shape.block, bytes, stream>>>(untraced(args)...);
    };
#ifdef BARRIERSCOPE_STAMPED
    form.stamped_function = reinterpret_cast<const void*>(run_stamped<Kernel, decltype(untraced(args))...>);
    // The function of `stamped_function` and no other: of a kernel that several files launch, each has its
    // own.
    form.stamped = [shape, function = run_stamped<Kernel, decltype(untraced(args))...>, args...](
                       uint32_t bytes, const Stamps& stamps, cudaStream_t stream) {
      if (shape.together)
        launch_together(function, shape, bytes, stream, stamps, untraced(args)...);
      else
        function<<<shape.grid, shape.block, bytes, stream>>>(stamps, untraced(args)...);
    };
#endif
#ifndef BARRIERSCOPE_PLAIN
    if constexpr (requires { blocks_are_clocked(Kernel{}); })
      form.clocked = [shape, args...](uint32_t bytes, long long* cycles) {
        run_clocked<Kernel, decltype(untraced(args))...>
            <<<shape.grid, shape.block, bytes>>>(cycles, untraced(args)...);
      };
#endif
    (note_write(form.writes, args), ...);
    machine_.run(std::move(form));
  }

  std::string file;  ///< of kernels that name none; empty: their algorithm's

 private:
  template <class T>
  Buffer<T> taken(const char* name, Index n, const ArrayInitializer& b) {
    T* const data = static_cast<T*>(machine_.allocate(name, n, kind_of<T>, b));
    return {data, n, machine_.newest()};
  }
  /// What goes wrong is found by the cudaGetLastError() that follows every launch.
  template <class F, class... A>
  static void launch_together(F function, LaunchShape shape, uint32_t bytes, cudaStream_t stream, A... args) {
    void* pointers[] = {&args...};
    cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(function), shape.grid, shape.block, pointers,
                                bytes, stream);
  }
  template <class T>
  static void note_write(std::vector<int>& ids, const Buffer<T>& b) {
    if (!std::is_const_v<T>) ids.push_back(b.id);
  }
  template <class T>
  static void note_write(std::vector<int>&, const T&) {}

  GpuMachine& machine_;
};

}  // namespace HALF
}  // namespace bscope
