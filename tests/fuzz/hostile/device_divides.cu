__global__ void k(int* p) {
  p[1] = 5 / p[0] + 5 % p[0];
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}
