__global__ void k(int* p) {
  if (blockIdx.x == 0)
    while (((volatile int*)p)[0] == 0) {
    }
  __syncthreads();
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<64, 256>>>(p);
  cudaDeviceSynchronize();
}
