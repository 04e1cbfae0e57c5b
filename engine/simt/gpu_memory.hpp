// CUDA's errors as exceptions with sentences, and device memory that frees itself.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace bscope {
inline namespace on_gpu {

/// Throws if a CUDA call failed: NoDevice where there is no usable GPU, UsageError where its memory does not
/// suffice, std::runtime_error else. `what` completes "while ...".
void must(cudaError_t, const std::string& what);

/// Throws NoDevice with the reason unless there is a GPU that runs our code.
void need_device();

/// Throws UsageError unless the GPU has this much free. `what` begins the sentence: "tracing this run".
void need_memory(double bytes, const std::string& what);
/// Whether the device has this much free.
bool has_memory(double bytes);

/// "3.2 GB", for sentences. GB is 10^9 bytes.
std::string bytes_text(double bytes);

/// n elements on the device for the life of the object, zeroed unless copied from the host.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(size_t n) : size_(n) {
    // A little more, so that n = 0 and vector reads at the end are legal addresses.
    must(cudaMalloc(&data_, bytes() + 16), "taking " + bytes_text(double(bytes())) + " of GPU memory");
    must(cudaMemset(data_, 0, bytes() + 16), "clearing GPU memory");
  }
  explicit DeviceArray(const std::vector<T>& v) : DeviceArray(v.size()) {
    must(cudaMemcpy(data_, v.data(), bytes(), cudaMemcpyHostToDevice), "copying to the GPU");
  }
  DeviceArray(DeviceArray&& o) noexcept
      : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  DeviceArray& operator=(DeviceArray&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    return *this;
  }
  ~DeviceArray() { cudaFree(data_); }

  T* get() const { return data_; }
  size_t size() const { return size_; }
  size_t bytes() const { return size_ * sizeof(T); }
  std::vector<T> host() const {
    std::vector<T> v(size_);
    must(cudaMemcpy(v.data(), data_, bytes(), cudaMemcpyDeviceToHost), "copying from the GPU");
    return v;
  }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace on_gpu
}  // namespace bscope
