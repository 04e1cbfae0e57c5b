// What cannot be done: each line that says `refused` gives one error there, or in a header that it includes,
// with the words that follow; no other line gives any (headers_test.cpp).
#include <cuda.h>

__global__ void child(int*) {}
__global__ void kernel(float* out) {
  out[2] = __fadd_rz(1.f, 2.f);             // refused: rounds to the nearest only
  out[3] = __dmul_ru(1., 2.);               // refused: rounds to the nearest only
}
int main() {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);                              // refused: has no CUDA graphs
  cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal);  // refused: has no CUDA graphs
  cuInit(0);                                               // refused: has CUDA's runtime API only
  return 0;
}
