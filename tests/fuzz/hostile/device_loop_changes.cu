__global__ void k(int* p) {
  for (unsigned i = 0;; i++) p[i % 32] += i;
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}
