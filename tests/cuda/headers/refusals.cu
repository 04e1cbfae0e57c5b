// What cannot be done: each line that says `refused` gives one error there, or in a header that it includes,
// with the words that follow; no other line gives any (headers_test.cpp).
#include <cuda.h>

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
  cuInit(0);                                                    // refused: has CUDA's runtime API only
  return 0;
}
