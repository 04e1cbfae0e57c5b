__global__ void k(int* p) {
  free(p);
  free((void*)123);
  delete p;
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}
