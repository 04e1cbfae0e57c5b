struct Endless {
  Endless() {
    for (volatile int x = 1; x;) {
    }
  }
} endless;
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}
