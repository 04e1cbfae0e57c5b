// What cannot be done: each line that says `refused` gives one error there, or in a header that it includes,
// with the words that follow; no other line gives any (headers_test.cpp).
#include <cublas_v2.h>  // refused: has no cuBLAS
#include <cuda.h>
#include <cuda_bf16.h>      // refused: has no numbers of 8 bits
#include <cuda_fp16.h>      // refused: has no half precision
#include <cufft.h>          // refused: has no cuFFT
#include <curand_kernel.h>  // refused: has no cuRAND
#include <mma.h>            // refused: has no tensor cores
#include <thrust/sort.h>    // refused: has no Thrust

#include <cub/cub.cuh>   // refused: has no CUB
#include <cuda/atomic>   // refused: has no libcu++
#include <cuda/barrier>  // refused: has no libcu++

texture<float, 1> bound;  // refused: has no textures
__global__ void child(int*) {}
__global__ void kernel(float* out, unsigned long long object) {
  out[0] = tex2D<float>(object, 1.f, 2.f);  // refused: has no textures
  out[1] = tex1Dfetch<float>(object, 1);    // refused: has no textures
  out[2] = __fadd_rz(1.f, 2.f);             // refused: rounds to the nearest only
  out[3] = __dmul_ru(1., 2.);               // refused: rounds to the nearest only
}
int main() {
  cudaTextureObject_t object = 0;                               // refused: has no textures
  cudaCreateTextureObject(&object, nullptr, nullptr, nullptr);  // refused: has no textures
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);                              // refused: has no CUDA graphs
  cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal);  // refused: has no CUDA graphs
  cuInit(0);                                               // refused: has CUDA's runtime API only
  return 0;
}
