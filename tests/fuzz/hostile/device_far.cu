__global__ void k(int* p) {
  p[(long)threadIdx.x << 40] = 1;
  *(int*)0 = 1;
  ((void (*)())p)();
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}
