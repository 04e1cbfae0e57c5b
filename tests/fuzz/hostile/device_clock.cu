__global__ void k(int* p) {
  long begin = clock64();
  while (clock64() < begin + (1L << 60)) {
  }
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}
