// What the twins share: arrays, launches, and a place to register. Read by nvcc only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/simt/gpu_memory.hpp"
#include "tests/raw/raw.hpp"

namespace bscope::tests {

struct Ints {
  int* at;
  int n;
};
struct ConstInts {
  const int* at;
  int n;
};
struct Keys {
  const unsigned char* at;
  int n;
};
extern __shared__ int4 raw_shared[];

inline int multiprocessors() {
  int n = 0;
  on_gpu::must(cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, 0), "counting multiprocessors");
  return n;
}
inline int tiles_of(int n, int tile) { return (n + tile - 1) / tile; }

/// Arrays and launches of one raw program. Arrays are taken in the order of the kernel's own program, so that
/// they get the same addresses.
class RawRun final : public TimedRun {
 public:
  Ints ints(const Values<int>&);
  /// n zeros at first, as Gpu::array.
  Ints array(int n);
  /// n zeros before each run, within its time, as Gpu::zeros.
  Ints zeros(int n);
  /// 64-bit words, zero.
  unsigned long long* words(int n) { return reinterpret_cast<unsigned long long*>(array(2 * n).at); }
  Keys keys(const Values<unsigned char>&);
  void output_is(Ints a) { output_ = a; }
  /// An array whose content the launches change, and which restore() puts back.
  void changes(Ints a) { changed_ = a; }
  void add(std::function<void()> launch) { launches_.push_back(std::move(launch)); }
  /// Kernels with more than 48 KB of shared memory must ask for it.
  template <class LayoutNode>
  static void allow_shared(LayoutNode* form, int bytes) {
    if (bytes > 48 << 10)
      on_gpu::must(cudaFuncSetAttribute(reinterpret_cast<const void*>(form),
                                        cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
                   "asking for shared memory");
  }

  /// After the program: keeps what restore() needs. Last, as ours does, so that arrays get the same
  /// addresses.
  void keep_input();
  void restore(void* stream = nullptr) override;  ///< on the default stream, whatever is asked for
  void launch(void* stream = nullptr) override;
  std::vector<double> output() override;

 private:
  std::vector<on_gpu::DeviceArray<int>> arrays_;
  std::vector<on_gpu::DeviceArray<unsigned char>> keys_;
  std::vector<Ints> zeros_;
  on_gpu::DeviceArray<int> input_;
  std::vector<std::function<void()>> launches_;
  Ints output_{};
  Ints changed_{};
};

/// static const Twin shared{"reduce/shared", [](RawRun& run, const Problem& p) { ... }};
struct Twin {
  Twin(const char* kernel, std::function<void(RawRun&, const Problem&)> prepare);
};

}  // namespace bscope::tests
