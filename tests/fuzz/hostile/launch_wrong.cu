__global__ void k(int* p) {
  p[0] = 1;
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<dim3(-1, -1, -1), dim3(5000, 5000, 5000)>>>(p);
  cudaDeviceSynchronize();
}
