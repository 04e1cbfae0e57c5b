// Atomic additions of half precision and bfloat16, alone and two at once, and a compare-and-swap of 16 bits.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>

enum { threads = 64 };

/// Whole numbers up to 64: any order of the threads gives the same.
__global__ void add_up(__half* h, __half2* h2, __nv_bfloat16* b, __nv_bfloat162* b2, unsigned* returned) {
  int i = threadIdx.x;
  __half before = atomicAdd(h, __half(1.f));
  atomicAdd(returned, (unsigned)(int)before);
  atomicAdd(&h2[i % 2], __halves2half2(__half(1.f), __half(i % 4 == 0 ? 2.f : 0.f)));
  atomicAdd(b, __nv_bfloat16(1.f));
  atomicAdd(&b2[i % 2], __halves2bfloat162(__float2bfloat16(1.f), __float2bfloat16(0.5f)));
}

__global__ void one_after_the_other(__half* h, __nv_bfloat16* b) {
  for (int k = 0; k < 40; ++k) {
    atomicAdd(h, __float2half(0.1f));
    atomicAdd(b, __float2bfloat16(0.1f));
  }
}

__global__ void largest(unsigned short* cell) {
  __half mine = __float2half((threadIdx.x * 37 % threads) * 0.25f);
  unsigned short seen = *cell;
  while (__half2float(__ushort_as_half(seen)) < __half2float(mine)) {
    unsigned short was = atomicCAS(cell, seen, __half_as_ushort(mine));
    if (was == seen) break;
    seen = was;
  }
}

int main() {
  __half *h, h_out[2];
  __half2 *h2, h2_out[2];
  __nv_bfloat16 *b, b_out[2];
  __nv_bfloat162 *b2, b2_out[2];
  unsigned *returned, returned_out;
  unsigned short *cell, cell_out;
  cudaMalloc(&h, sizeof h_out);
  cudaMalloc(&h2, sizeof h2_out);
  cudaMalloc(&b, sizeof b_out);
  cudaMalloc(&b2, sizeof b2_out);
  cudaMalloc(&returned, sizeof returned_out);
  cudaMalloc(&cell, sizeof cell_out);
  cudaMemset(h, 0, sizeof h_out);
  cudaMemset(h2, 0, sizeof h2_out);
  cudaMemset(b, 0, sizeof b_out);
  cudaMemset(b2, 0, sizeof b2_out);
  cudaMemset(returned, 0, sizeof returned_out);
  cudaMemset(cell, 0, sizeof cell_out);
  add_up<<<1, threads>>>(h, h2, b, b2, returned);
  one_after_the_other<<<1, 1>>>(h + 1, b + 1);
  largest<<<1, threads>>>(cell);
  cudaMemcpy(h_out, h, sizeof h_out, cudaMemcpyDeviceToHost);
  cudaMemcpy(h2_out, h2, sizeof h2_out, cudaMemcpyDeviceToHost);
  cudaMemcpy(b_out, b, sizeof b_out, cudaMemcpyDeviceToHost);
  cudaMemcpy(b2_out, b2, sizeof b2_out, cudaMemcpyDeviceToHost);
  cudaMemcpy(&returned_out, returned, sizeof returned_out, cudaMemcpyDeviceToHost);
  cudaMemcpy(&cell_out, cell, sizeof cell_out, cudaMemcpyDeviceToHost);
  printf("half %g, returned %u, tenths %g\n", __half2float(h_out[0]), returned_out, __half2float(h_out[1]));
  printf("bfloat16 %g, tenths %g\n", __bfloat162float(b_out[0]), __bfloat162float(b_out[1]));
  for (int k = 0; k < 2; ++k)
    printf("half2 %g %g, bfloat162 %g %g\n", __low2float(h2_out[k]), __high2float(h2_out[k]),
           __low2float(b2_out[k]), __high2float(b2_out[k]));
  printf("largest %g\n", __half2float(__ushort_as_half(cell_out)));
  return 0;
}
