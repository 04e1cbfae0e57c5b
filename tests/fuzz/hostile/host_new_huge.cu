__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  long n = 1L << 40;
  int* m = new int[n];
  m[n - 1] = 1;
  return m[0];
}
