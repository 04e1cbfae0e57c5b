// In place of CCCL's file of this name, which is empty: Thrust's searches for one value with thrust::device
// in a kernel.
//
// CCCL searches for a range of one value, and copies that value and the result between the systems of the
// host and of the device. nvcc takes such a copy in device code and leaves it out: kernels get the first
// place, whatever the value is (NVIDIA/cccl issue 814; CUDA 13.0 on an H200 does). clang refuses the copy.
#pragma once

#include <thrust/pair.h>
#include <thrust/system/cuda/config.h>
#include <thrust/system/cuda/detail/cdp_dispatch.h>
#include <thrust/system/cuda/detail/execution_policy.h>
#include <thrust/system/detail/generic/binary_search.h>

#ifdef __CUDA_ARCH__
extern "C" __device__ void __bscope_wrong_on_gpus(const char* call, const char* instead);

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {

template <class Iterator>
using Range = thrust::pair<Iterator, Iterator>;

// The host's calls choose these, too, while device code is compiled: they have to compile the same kernels.
#define __BSCOPE_SEARCH(Result, name)                                                               \
  template <class Policy, class Iterator, class T, class Compare>                                   \
  _CCCL_HOST_DEVICE Result name(execution_policy<Policy>& policy, Iterator first, Iterator last,    \
                                const T& value, Compare compare) {                                  \
    if (false) {                                                                                    \
      [[maybe_unused]] const auto barrierscope_compiles_kernels = [&]() __attribute__((host))       \
                                                                      ->::barrierscope::AnyResult { \
        return thrust::system::detail::generic::name(policy, first, last, value, compare);          \
      };                                                                                            \
    }                                                                                               \
    __bscope_wrong_on_gpus("thrust::" #name " of one value with thrust::device",                    \
                           "thrust::" #name "(thrust::seq, ...)");                                  \
    return Result();                                                                                \
  }
__BSCOPE_SEARCH(Iterator, lower_bound)
__BSCOPE_SEARCH(Iterator, upper_bound)
__BSCOPE_SEARCH(bool, binary_search)
__BSCOPE_SEARCH(Range<Iterator>, equal_range)
#undef __BSCOPE_SEARCH

}  // namespace cuda_cub
THRUST_NAMESPACE_END
#endif
