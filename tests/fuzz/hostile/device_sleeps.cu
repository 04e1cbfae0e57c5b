__global__ void k(int* p) {
  for (;;) __nanosleep(1000000);
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}
