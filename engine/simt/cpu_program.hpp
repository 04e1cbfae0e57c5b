// The CPU's half of a program: the machine that a program's lambda is given.
#pragma once

#include <new>
#include <string>
#include <typeinfo>
#include <vector>

#include "engine/simt/algorithm.hpp"
#include "engine/simt/buffer.hpp"
#include "engine/simt/cpu_executor.hpp"
#include "engine/simt/cpu_untraced.hpp"
#include "engine/simt/dialect.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
inline namespace on_cpu {

// What a kernel's argument becomes.
template <class T>
auto traced(CpuThread& t, Buffer<T> b) {
  using Watched = std::conditional_t<std::is_const_v<T>, const Tracked<std::remove_const_t<T>>, Tracked<T>>;
  return Array<Watched>{b.data, b.count, &t, b.id};
}
template <class T>
T traced(CpuThread&, T v) {
  return v;
}

/// Stands for the function of this name in gpu_program.hpp: both names hold the same types, and a compiler
/// writes these down alike.
template <class Kernel, class... A>
struct run_untraced {};
/// What stands between the angle brackets of the name that typeid gives such a type.
std::string key_of_form(const char* name);

/// Runs every launch at once and keeps what happened in `trace`.
class Gpu {
 public:
  enum class Launches {
    run,
    named  ///< in `forms`, and not run
  };
  explicit Gpu(const Schedule& s, Launches what = Launches::run) : schedule_(s), launches_(what) {}
  ~Gpu();
  Gpu(const Gpu&) = delete;

  /// For persistent grids: how many blocks can work side by side.
  int multiprocessors() const { return traced_multiprocessors; }
  /// A named array of n zeros.
  template <class T>
  Buffer<T> array(const char* name, int n) {
    return {static_cast<T*>(allocate(name, n, kind_of<T>, nullptr)), n, newest()};
  }
  /// The same: between timed runs on a GPU the two differ.
  template <class T>
  Buffer<T> zeros(const char* name, int n) {
    return array<T>(name, n);
  }
  /// A named array with this content.
  template <class T>
  Buffer<T> array(const char* name, const std::vector<T>& v) {
    return {static_cast<T*>(allocate(name, int(v.size()), kind_of<T>, v.data())), int(v.size()), newest()};
  }
  /// A named array with the input. Throws UsageError for one that is only said: the CPU traces, it times
  /// nothing.
  template <class T>
  Buffer<T> array(const char* name, const Values<T>& v) {
    if (v.made)
      throw UsageError(
          message("an input of this length can be timed on a GPU, not traced: use a smaller --n."));
    return array(name, v.held);
  }
  template <class T>
  std::vector<T> values(Buffer<T> b) const {
    return std::vector<T>(b.data, b.data + b.count);
  }
  /// Runs the kernel; args are Buffers and plain values.
  template <class Kernel, class... A>
  void launch(const char* name, LaunchShape shape, Kernel kernel, A... args) {
    if (false) untraced_form(kernel, args...);
    if (launches_ == Launches::named) {
      forms.push_back({name, key_of_form(typeid(run_untraced<Kernel, decltype(untraced(args))...>).name())});
      return;
    }
    const char* own = file_of<Kernel>();
    run(name, shape, *own ? own : file.c_str(), [=](CpuThread& t) { kernel(t, traced(t, args)...); });
  }

  Trace trace;
  std::vector<LaunchedForm> forms;
  std::string file;  ///< of kernels that name none; empty: their algorithm's

 private:
  void* allocate(const char* name, int n, ElementType, const void* values);
  uint8_t newest() const { return uint8_t(trace.arrays.size() - 1); }
  void run(const char* name, LaunchShape, const char* file, std::function<void(CpuThread&)> kernel);

  Schedule schedule_;
  Launches launches_;
  std::vector<void*> memory_;  ///< of each array of `trace.arrays`
};

}  // namespace on_cpu
}  // namespace bscope
