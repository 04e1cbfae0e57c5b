__attribute__((import_module("machine"), import_name("ask"))) long ask(void*, long);
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  for (long n = 0; n < 5000; n += 97) ask((void*)(n * 1000), n * n);
}
