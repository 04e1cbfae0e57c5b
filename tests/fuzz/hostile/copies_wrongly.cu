__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  cudaMemcpy(p, (void*)8, 1L << 40, cudaMemcpyHostToDevice);
  cudaMemcpy((void*)-1, p, 128, cudaMemcpyDeviceToHost);
  cudaMemcpy(p, p, -1, (cudaMemcpyKind)77);
}
