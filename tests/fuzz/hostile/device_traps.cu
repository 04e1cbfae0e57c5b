__global__ void k(int* p) {
  if (threadIdx.x == 5) __trap();
  __brkpt();
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}
