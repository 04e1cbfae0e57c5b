// Block 0 writes a message and then raises a flag; block 1 waits for the flag and then reads the message.
#include <cstdio>
#include <vector>

const int N = 8, BLOCK = 8;

__global__ void send(const int* in, int* message, int* out, volatile int* flag, int n) {
  int i = threadIdx.x;
  if (blockIdx.x == 0) {
    for (int k = i; k < n; k += BLOCK) message[k] = 2 * in[k];
    __syncthreads();
    if (i == 0) *flag = 1;
  } else {
    if (i == 0)
      while (*flag == 0) {}
    __syncthreads();
    for (int k = i; k < n; k += BLOCK) out[k] = message[k] + 1;
  }
}

int main() {
  std::vector<int> numbers(N), result(N);
  for (int i = 0; i < N; i++) numbers[i] = 7 * i % 10 + 1;

  int *in, *message, *out, *flag;
  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&message, N * sizeof(int));
  cudaMalloc(&out, N * sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  cudaMemcpy(in, numbers.data(), N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(flag, 0, sizeof(int));

  send<<<2, BLOCK>>>(in, message, out, flag, N);

  cudaMemcpy(result.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < N; i++) wrong += result[i] != 2 * numbers[i] + 1;
  printf("%d numbers sent, %d wrong\n", N, wrong);
  cudaFree(in);
  cudaFree(message);
  cudaFree(out);
  cudaFree(flag);
  return wrong ? 1 : 0;
}
