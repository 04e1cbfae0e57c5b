// Two threads write each byte; and a whole word is read whose halves others write.
__global__ void bytes(int* out) {
  __shared__ int words[16];
  ((char*)words)[threadIdx.x / 2] = threadIdx.x;
  __syncthreads();
  ((short*)words)[threadIdx.x % 32] = threadIdx.x % 32;
  out[threadIdx.x] = words[threadIdx.x % 16];
}
int main() {
  int* out;
  cudaMalloc(&out, 256);
  bytes<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
