__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  fill<<<1, 32, 0, (cudaStream_t)0xdeadbeef>>>(p);
  cudaEventRecord((cudaEvent_t)0x1234, (cudaStream_t)-1);
  cudaStreamSynchronize((cudaStream_t)77);
}
