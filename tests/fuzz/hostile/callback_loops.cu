void again(void*) {
  for (;;) {
  }
}
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  cudaLaunchHostFunc(0, again, nullptr);
  cudaDeviceSynchronize();
}
