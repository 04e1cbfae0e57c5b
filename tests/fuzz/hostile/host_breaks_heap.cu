__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  int* m = new int[4];
  for (int i = -100; i < 100; i++) m[i] = -1;
  delete[] m;
  return *new int[1000];
}
