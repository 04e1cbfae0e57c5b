__attribute__((import_module("system"), import_name("exit"))) void stop(float, long);
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  stop(1.5f, 2);
}
