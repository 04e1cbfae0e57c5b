// What cannot be done: each line that says `refused` gives one error there, or in a header that it includes,
// with the words that follow; no other line gives any (headers_test.cpp).
#include <cuda.h>

__global__ void child(int*) {}
int main() {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);                              // refused: has no CUDA graphs
  cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal);  // refused: has no CUDA graphs
  cuInit(0);                                               // refused: has CUDA's runtime API only
  return 0;
}
