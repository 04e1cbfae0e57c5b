// CUDA's words for where a function or a variable lives, as attributes that clang knows. In plain C++ (a
// student's .cpp file, our own runtime) they mean nothing.
#pragma once

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
// Programs whose kernels launch kernels (engine/cuda/toolchain/child_launches.hpp): clang refuses to name a
// kernel in device code, so that there they are functions, which their section tells from others.
#if defined(__BSCOPE_CHILD_LAUNCHES) && defined(__CUDA_ARCH__)
#define __global__ __attribute__((host, device, used, section("bscope_kernel")))
#else
#define __global__ __attribute__((global))
#endif
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#endif

// A managed variable is the host's own variable and a device's, made equal before and after each launch: the
// runtime finds the host's by its section.
#if defined(__CUDA__) && !defined(__CUDA_ARCH__)
#define __managed__ __attribute__((device, section("bscope_managed"), used))
#else
#define __managed__ __device__
#endif

#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __nv_pure__ __attribute__((pure))
// __noinline__ is a word of clang's CUDA, and g++ takes it in an attribute.
// Of __launch_bounds__(threads, blocks, cluster) the first alone can be broken by a launch. A function takes
// it: to a macro Part<A, B>::n would be two.
#ifdef __CUDA__
template <class... Others>
constexpr int __bscope_launch_bound(int threads, Others...) {
  return threads;
}
#define __launch_bounds__(...) __attribute__((launch_bounds(__bscope_launch_bound(__VA_ARGS__))))
#else
#define __launch_bounds__(...)
#endif
#define __maxnreg__(count)
#ifdef __CUDA__
#define __cluster_dims__(...) __attribute__((annotate("bscope_cluster", __VA_ARGS__)))
#else
#define __cluster_dims__(...)
#endif
#define CUDARTAPI
#define CUDART_CB
#define CUDART_DEVICE __device__

// How these headers declare: a function of the device, of both sides, and what the interpreter does itself.
#define __BSCOPE_DEVICE static __inline__ __device__ __attribute__((always_inline))
#define __BSCOPE_BOTH static __inline__ __host__ __device__ __attribute__((always_inline))
#define __BSCOPE_BUILTIN extern "C" __device__
// What has a name here and cannot be done: one sentence at the line that uses it.
#define __BSCOPE_REFUSED(sentence) __attribute__((unavailable(sentence)))

// The types that warps exchange and atomics change, with the suffix of the interpreter's function.
#define __BSCOPE_INTEGERS(M) M(int, i32) M(unsigned, u32) M(long long, i64) M(unsigned long long, u64)
#define __BSCOPE_NUMBERS(M) __BSCOPE_INTEGERS(M) M(float, f32) M(double, f64)
// 64 bits under another name: the suffix says which.
#define __BSCOPE_LONGS(M) M(long, i64, long long) M(unsigned long, u64, unsigned long long)
