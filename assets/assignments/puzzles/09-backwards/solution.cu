// Turns the letters of each block of a text around.
// A barrier stands between the letter that a thread writes and the one that it reads.
#include <cstdio>

const int N = 256, BLOCK = 64, BLOCKS = N / BLOCK;

__global__ void backwards(const char* in, char* out) {
  __shared__ char part[BLOCK];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = part[blockDim.x - 1 - threadIdx.x];
}

int main() {
  char text[N], turned[N], *in, *out;
  int wrong = 0;
  for (int i = 0; i < N; i++) text[i] = 'a' + 7 * i % 26;

  cudaMalloc(&in, N);
  cudaMalloc(&out, N);
  cudaMemcpy(in, text, N, cudaMemcpyHostToDevice);
  backwards<<<BLOCKS, BLOCK>>>(in, out);
  cudaMemcpy(turned, out, N, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);

  for (int i = 0; i < N; i++) wrong += turned[i] != text[i / BLOCK * BLOCK + BLOCK - 1 - i % BLOCK];
  printf("%d of %d letters are wrong\n", wrong, N);
  return wrong ? 1 : 0;
}
