// In place of CCCL's file of this name, which is empty: Thrust's searches for one value with thrust::device
// in a kernel.
//
// CCCL searches for a range of one value, and copies that value and the result between the systems of the
// host and of the device. nvcc takes such a copy in device code and leaves it out: kernels get the first
// place, whatever the value is (NVIDIA/cccl issue 814; CUDA 13.0 on an H200 does). clang refuses the copy.
#pragma once

#include <thrust/pair.h>
#include <thrust/system/cuda/config.h>
#include <thrust/system/cuda/detail/execution_policy.h>

#ifdef __CUDA_ARCH__
extern "C" __device__ void __bscope_wrong_on_gpus(const char* call, const char* instead);

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {

template <class Iterator>
using Range = thrust::pair<Iterator, Iterator>;

#define __BSCOPE_SEARCH(Result, name)                                                                   \
  template <class Policy, class Iterator, class T, class Compare>                                       \
  __device__ Result name(execution_policy<Policy>&, Iterator first, Iterator last, const T&, Compare) { \
    __bscope_wrong_on_gpus("thrust::" #name " of one value with thrust::device",                        \
                           "thrust::" #name "(thrust::seq, ...)");                                      \
    return Result();                                                                                    \
  }
__BSCOPE_SEARCH(Iterator, lower_bound)
__BSCOPE_SEARCH(Iterator, upper_bound)
__BSCOPE_SEARCH(bool, binary_search)
__BSCOPE_SEARCH(Range<Iterator>, equal_range)
#undef __BSCOPE_SEARCH

}  // namespace cuda_cub
THRUST_NAMESPACE_END
#endif
