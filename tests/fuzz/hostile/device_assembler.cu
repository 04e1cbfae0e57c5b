__global__ void k(int* p) {
  asm volatile("exit; trap; bra here; ld.global.u32 %0, [%1];" : "=r"(p[0]) : "l"(p));
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}
