__global__ void k(int* p) {
  while (atomicCAS(p, 0, 1) != 0) {
  }
  p[1]++;
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<8, 64>>>(p);
  cudaDeviceSynchronize();
}
