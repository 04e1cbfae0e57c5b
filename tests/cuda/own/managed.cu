#include <cstdio>

struct Pair {
  int a;
  float b;
};
__managed__ int number = 3;
__device__ __managed__ float numbers[4] = {1, 2, 3, 4};
__managed__ Pair pair = {5, .5f};
static __managed__ int zero;
__global__ void k() {
  number *= 2;
  numbers[1] += .5f;
  pair.a += 1;
  zero += 1;
}
int main() {
  number += 1;
  numbers[0] = 7;
  k<<<1, 1>>>();
  cudaDeviceSynchronize();
  printf("%d %g %g %g %d %g %d\n", number, numbers[0], numbers[1], numbers[3], pair.a, pair.b, zero);
}
