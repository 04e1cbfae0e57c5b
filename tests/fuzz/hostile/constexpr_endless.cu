constexpr int endless() {
  int x = 0;
  while (true) x ^= 1;
  return x;
}
constexpr int n = endless();
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  return n;
}
