// Words that say by themselves that they are there, so that nothing else need be ordered.
#pragma once

namespace bscope::tests {

inline __device__ unsigned long long load_relaxed(unsigned long long* at) {
  unsigned long long v;
  __nv_atomic_load(at, &v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  return v;
}
inline __device__ void store_relaxed(unsigned long long* at, unsigned long long v) {
  __nv_atomic_store(at, &v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

}  // namespace bscope::tests
