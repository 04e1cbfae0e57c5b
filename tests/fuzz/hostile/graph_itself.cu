__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  cudaGraph_t g;
  cudaGraphCreate(&g, 0);
  cudaGraphNode_t n;
  for (;;) cudaGraphAddChildGraphNode(&n, g, nullptr, 0, g);
}
