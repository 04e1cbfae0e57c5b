__global__ void k(int* p) {
  ((int*)0x10000)[threadIdx.x] = 1;
  *(long*)(1L << 40) = 1;
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}
