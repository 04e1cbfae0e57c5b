// A call of a library (cuBLAS, cuRAND) that the runtime computes itself: it takes its arguments out of the
// device's memory and puts its results there, as one operation of its stream.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "engine/cuda/runtime/copy_endpoint.hpp"
#include "engine/simt/half.hpp"
#include "engine/trace/small_float.hpp"

namespace bscope {
template <>
inline constexpr ElementType kind_of<Half> = ElementType::f16;
template <>
inline constexpr ElementType kind_of<Bfloat16> = ElementType::bf16;
}  // namespace bscope

namespace bscope::cuda {

class HostLibraryCall {
 public:
  /// `name`: "cublasSgemm".
  HostLibraryCall(Runtime&, const char* name, cudaStream_t);
  /// Adds the operation to its stream.
  ~HostLibraryCall();
  HostLibraryCall(const HostLibraryCall&) = delete;

  /// What lies at a pointer of the device. Empty where it does not lead there: the report has that.
  template <class T>
  std::vector<T> read(const T* from, size_t count) {
    return typed<T>(bytes_at(from, count * sizeof(T), bscope::kind_of<T>, true));
  }
  /// The same of what is changed: what is there now.
  template <class T>
  std::vector<T> look(const T* at, size_t count) {
    return typed<T>(bytes_at(at, count * sizeof(T), bscope::kind_of<T>, false));
  }
  template <class T>
  void write(T* to, std::span<const T> values) {
    write_bytes(to, bscope::kind_of<T>, std::as_bytes(values));
  }
  /// A scalar, which lies on the host or on the device.
  template <class T>
  T scalar(const T* at) {
    if (is_on_device(at)) {
      const std::vector<T> v = read(at, 1);
      return v.empty() ? T() : v[0];
    }
    return *at;
  }
  /// A result for the host waits for the stream; one for the device does not.
  template <class T>
  void give(T* to, T value) {
    if (is_on_device(to)) return write(to, std::span<const T>(&value, 1));
    *to = value;
    waits_ = true;
  }
  /// Whether all pointers led where they have to.
  bool good() const { return good_; }

 private:
  template <class T>
  static std::vector<T> typed(std::span<const std::byte> bytes) {
    std::vector<T> all(bytes.size() / sizeof(T));
    if (!all.empty()) std::memcpy(all.data(), bytes.data(), all.size() * sizeof(T));
    return all;
  }
  bool is_on_device(const void*) const;
  /// `kind`: of the cells, which the array has if no kernel has touched it.
  std::span<const std::byte> bytes_at(const void*, size_t bytes, ElementType kind, bool reads);
  void write_bytes(void* to, ElementType kind, std::span<const std::byte>);

  Runtime& runtime_;
  const char* name_;
  int stream_;
  MemoryUse use_;
  bool good_ = true, waits_ = false;
};

}  // namespace bscope::cuda
