__attribute__((export_name("report_end"), used)) extern "C" void mine(void*, long) {
  for (;;) {
  }
}
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  *(volatile int*)8 = 1;
}
