__global__ void k(int* p) {
  extern __shared__ int s[];
  s[threadIdx.x << 20] = 1;
  p[0] = s[0];
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<1, 32, 200000>>>(p);
  cudaDeviceSynchronize();
}
