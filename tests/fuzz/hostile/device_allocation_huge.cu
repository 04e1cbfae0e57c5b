__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  void* d;
  cudaMalloc(&d, -1);
  cudaMalloc(&d, 1L << 50);
  cudaMemset(d, 1, 1L << 50);
}
