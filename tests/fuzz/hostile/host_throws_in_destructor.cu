struct Bad {
  ~Bad() noexcept(false) { throw 2; }
};
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  Bad b;
  throw 1;
}
