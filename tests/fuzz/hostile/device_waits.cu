__global__ void k(int* p) {
  while (atomicAdd(p, 0) == 0) {
  }
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}
