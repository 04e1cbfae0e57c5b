// Lanes that have returned count for no mask: what the others do together is right.
#include <cstdio>

__global__ void words(int* out) {
  if (threadIdx.x >= 8) return;
  __syncwarp();
  unsigned yes = __ballot_sync(0xffffffff, threadIdx.x < 3);
  unsigned same = __match_any_sync(0xffffffff, threadIdx.x / 4);
  int most = __reduce_max_sync(0xffffffff, int(threadIdx.x));
  int other = __shfl_xor_sync(0xffffffff, int(threadIdx.x), 1);
  out[threadIdx.x] =
      yes == 7 && same == 0xfu << threadIdx.x / 4 * 4 && most == 7 && other == (threadIdx.x ^ 1);
}

int main() {
  int host[8], *out, right = 0;
  cudaMalloc(&out, sizeof host);
  words<<<1, 40>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int r : host) right += r;
  printf("%d right\n", right);
}
