__device__ int down(int n) { return n == -1 ? n : down(n + 1) + 1; }
__global__ void k(int* p) {
  p[0] = down(p[0]);
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}
