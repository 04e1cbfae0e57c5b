__global__ void k(int* p) {
  p[0] = 1;
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<0, 0>>>(p);
  cudaDeviceSynchronize();
}
