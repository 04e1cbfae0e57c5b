__global__ void k(int* p) {
  for (;;) {
    int* m = (int*)malloc(1000000);
    if (m) m[0] = 1;
  }
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}
