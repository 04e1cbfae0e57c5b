__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
void again(void* p) {
  fill<<<1, 32>>>((int*)p);
  cudaLaunchHostFunc(0, again, p);
}
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  cudaLaunchHostFunc(0, again, p);
  cudaDeviceSynchronize();
}
