__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  char* m;
  cudaMallocManaged(&m, 1L << 33);
  m[1L << 32] = 1;
}
