__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  int x;
  cudaMemcpyFromSymbol(&x, *(int*)64, 1L << 33);
  cudaFuncSetAttribute((const void*)1, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30);
}
