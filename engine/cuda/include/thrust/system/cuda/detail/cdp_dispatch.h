// In place of CCCL's file of this name: Thrust's algorithms with thrust::device run one after the other where
// a kernel calls them, as nvcc compiles them.
//
// CCCL puts the call of the parallel one behind `if (false)` into device code, so that its kernels are
// compiled there. nvcc takes calls of host functions from __host__ __device__ functions; clang refuses them.
// Here they stand in a host function, which is never called.
#pragma once

#include <nv/target>

#ifdef __CUDA_ARCH__
namespace barrierscope {
/// What a host function in device code returns, whatever it returns.
struct AnyResult {
  template <class... Values>
  __attribute__((host)) AnyResult(Values&&...) {}
};
}  // namespace barrierscope
#define THRUST_CDP_DISPATCH(par_impl, seq_impl)                                                   \
  if (false) {                                                                                    \
    [[maybe_unused]] const auto barrierscope_compiles_kernels = [&]() __attribute__((host))       \
                                                                    ->::barrierscope::AnyResult { \
      NV_IF_TARGET(NV_ANY_TARGET, par_impl);                                                      \
    };                                                                                            \
  }                                                                                               \
  NV_IF_TARGET(NV_IS_HOST, par_impl, seq_impl)
#else
#define THRUST_CDP_DISPATCH(par_impl, seq_impl) NV_IF_TARGET(NV_IS_HOST, par_impl, seq_impl)
#endif
