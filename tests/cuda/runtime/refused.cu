// What nvcc would not compile: too much static shared memory, too much constant memory.
__constant__ float table[10000];  // line: constant
__constant__ float more[7000];
__global__ void large(float* out) {  // line: shared
  __shared__ float tile[20000];
  tile[threadIdx.x] = table[threadIdx.x] + more[threadIdx.x];
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
int main() {
  float* out;
  cudaMalloc(&out, 128);
  large<<<1, 32>>>(out);
  cudaFree(out);
}
