__global__ void k(int* p) {
  if (threadIdx.x % 2) __syncthreads();
  for (;;) __syncthreads();
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}
