// Kernels of half precision and bfloat16, for tests/cuda/half_test.cpp: the headers' functions are these
// builtins.
#include "prelude.cuh"

struct Half {
  _Float16 value;
};
struct Bfloat16 {
  __bf16 value;
};
struct __attribute__((aligned(4))) Half2 {
  Half x, y;
};

#define BITS(v) __builtin_bit_cast(unsigned short, v)
#define OF(T, bits) __builtin_bit_cast(T, bits)
#define DECLARED(kind)                                                                                      \
  extern "C" __device__ unsigned short __bscope_add_##kind(unsigned short, unsigned short);                 \
  extern "C" __device__ unsigned short __bscope_fma_##kind(unsigned short, unsigned short, unsigned short); \
  extern "C" __device__ bool __bscope_lt_##kind(unsigned short, unsigned short);                            \
  extern "C" __device__ unsigned short __bscope_math_sqrt_##kind(unsigned short);                           \
  extern "C" __device__ int __bscope_to_i32_##kind(unsigned short, int rounding);                           \
  extern "C" __device__ unsigned short __bscope_atomic_add_##kind(unsigned short*, unsigned short);
DECLARED(f16)
DECLARED(bf16)

__global__ void add(const Half* a, const Bfloat16* b, Half* out, Bfloat16* out_b) {
  out[0] = OF(Half, __bscope_add_f16(BITS(a[0]), BITS(a[1])));
  out_b[0] = OF(Bfloat16, __bscope_add_bf16(BITS(b[0]), BITS(b[1])));
}

/// Bytes become cells of what is copied into them.
__global__ void through_bytes(const Half2* in, Half2* out) {
  extern __shared__ char bytes[];
  Half2 v = in[threadIdx.x];
  ((Half2*)bytes)[threadIdx.x] = v;
  __bscope_sync();
  out[threadIdx.x] = ((Half2*)bytes)[threadIdx.x ^ 1];
}

__global__ void all(const Half* a, const Bfloat16* b, int* out, Half* sum, Bfloat16* sum_b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned short h = BITS(a[i]), g = BITS(b[i]);
  out[4 * i] = __bscope_fma_f16(h, h, BITS(a[0])) | __bscope_fma_bf16(g, g, BITS(b[0])) << 16;
  out[4 * i + 1] = __bscope_lt_f16(h, BITS(a[1])) + 2 * __bscope_lt_bf16(BITS(b[1]), g);
  out[4 * i + 2] = __bscope_math_sqrt_f16(h) | __bscope_math_sqrt_bf16(g) << 16;
  out[4 * i + 3] = __bscope_to_i32_f16(h, i % 4) + __bscope_to_i32_bf16(g, i % 4);
  __bscope_atomic_add_f16((unsigned short*)sum, 0x3c00);
  __bscope_atomic_add_bf16((unsigned short*)sum_b, 0x3f80);
}
