__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  for (long a = -3; a < 3; a++) fill<<<1, 32>>>((int*)(a << 33));
  cudaDeviceSynchronize();
}
