// The GPU's half of a program: the machine a program's lambda is given when nvcc compiles the kernel file.
// Only what must know the kernel's types is here; the rest is in gpu_program.cu.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/simt/buffer.hpp"
#include "engine/simt/device.hpp"
#include "engine/simt/gpu_threads.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
inline namespace on_gpu {

// What a kernel's argument becomes in each form. The untraced form's arguments are made on the host: a device
// function called there would compile, and end the program without a word.
template <class T>
Array<T> untraced(Buffer<T> b) {
  return {b.data, b.count};
}
template <class T>
T untraced(T v) {
  return v;
}
template <class T>
DEVICE auto traced(GpuThread& t, Buffer<T> b) {
  using Watched = std::conditional_t<std::is_const_v<T>, const Tracked<std::remove_const_t<T>>, Tracked<T>>;
  return Array<Watched>{b.data, b.count, &t, b.id};
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
__global__ void __launch_bounds__(1024) run_traced(const __grid_constant__ Recorder recorder, A... args) {
  GpuThread t{recorder};
  t.begin();
  Kernel{}(t, traced(t, args)...);
  t.end();
}

/// One launch with the kernel's types rubbed out.
struct LaunchForm {
  std::string name;
  Shape shape{1, 1};
  std::string file;             ///< of the kernel; empty: its algorithm's
  const void* traced_function;  ///< for its attributes
  const void* untraced_function;
  std::function<void(Shape, uint32_t shared_bytes, const Recorder&)> traced;
  std::function<void(uint32_t shared_bytes)> untraced;
  std::vector<int> writes;  ///< ids of the arrays it may write
};

/// What a program's lambda is given. Each pass over a program makes a new one.
class Gpu {
 public:
  /// For persistent grids: how many blocks can work side by side. Traced, as few as on the CPU.
  int multiprocessors() const { return multiprocessors_; }
  /// A named array of n zeros.
  template <class T>
  Buffer<T> array(const char* name, int n) {
    return {static_cast<T*>(allocate(name, n, kind_of<T>, nullptr)), n, newest()};
  }
  /// A named array with this content.
  template <class T>
  Buffer<T> array(const char* name, const std::vector<T>& v) {
    return {static_cast<T*>(allocate(name, int(v.size()), kind_of<T>, v.data())), int(v.size()), newest()};
  }
  template <class T>
  Buffer<T> array(const char* name, const Values<T>& v) {
    return array(name, v.held);
  }
  /// Runs the kernel; args are Buffers and plain values.
  template <class Kernel, class... A>
  void launch(const char* name, Shape shape, Kernel, A... args) {
    LaunchForm form;
    form.name = name;
    form.shape = shape;
    form.file = *file_of<Kernel>() ? file_of<Kernel>() : file;
    form.traced_function = reinterpret_cast<const void*>(run_traced<Kernel, A...>);
    form.untraced_function = reinterpret_cast<const void*>(run_untraced<Kernel, decltype(untraced(args))...>);
    form.traced = [args...](Shape s, uint32_t bytes, const Recorder& r) {
      run_traced<Kernel, A...><<<s.grid, s.block, bytes>>>(r, args...);
    };
    form.untraced = [shape, args...](uint32_t bytes) {
      const auto function = run_untraced<Kernel, decltype(untraced(args))...>;
      if (shape.together)
        launch_together(function, shape, bytes, untraced(args)...);
      else
        function<<<shape.grid, shape.block, bytes>>>(untraced(args)...);
    };
    (note_write(form.writes, args), ...);
    run(std::move(form));
  }

  std::string file;  ///< of kernels that name none; empty: their algorithm's

  virtual ~Gpu() = default;

 protected:
  Gpu() = default;
  Gpu(const Gpu&) = delete;
  virtual void* allocate(const char* name, int n, Kind, const void* values) = 0;
  virtual void run(LaunchForm) = 0;
  uint8_t newest() const { return uint8_t(allocated_ - 1); }
  int allocated_ = 0;
  int multiprocessors_ = traced_multiprocessors;

 private:
  /// What goes wrong is found by the cudaGetLastError() that follows every launch.
  template <class F, class... A>
  static void launch_together(F function, Shape shape, uint32_t bytes, A... args) {
    void* pointers[] = {&args...};
    cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(function), shape.grid, shape.block, pointers,
                                bytes, nullptr);
  }
  template <class T>
  static void note_write(std::vector<int>& ids, const Buffer<T>& b) {
    if (!std::is_const_v<T>) ids.push_back(b.id);
  }
  template <class T>
  static void note_write(std::vector<int>&, const T&) {}
};

/// The ids of a program's input and output arrays.
struct Ends {
  int input, output;
};
/// Runs a program on the machine it is given.
using GpuProgram = std::function<Ends(Gpu&, const Problem&)>;

/// Rehearses, counts, records. Throws NoDevice, UsageError (too little memory), std::runtime_error (CUDA).
Trace record_on_gpu(const GpuProgram&, const Problem&);
/// Takes the memory, copies the input, learns the launches. Throws the same.
std::unique_ptr<TimedRun> prepare_on_gpu(const GpuProgram&, const Problem&);

}  // namespace on_gpu
}  // namespace bscope
