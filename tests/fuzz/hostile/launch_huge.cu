__global__ void k(int* p) {
  p[blockIdx.x & 1023] = 1;
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<2147483647, 1024>>>(p);
  cudaDeviceSynchronize();
}
