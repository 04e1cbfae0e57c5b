__attribute__((import_module("system"), import_name("write"))) long put(int, const void*, long);
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  put(1, (void*)0xfffff000, 1L << 40);
  put(-5, nullptr, -1);
  put(1 << 30, (void*)-1, 5);
}
