int odd(int n);
int even(int n) { return odd(n + 1) + 1; }
int odd(int n) { return even(n + 1) * 3; }
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  return even(1);
}
