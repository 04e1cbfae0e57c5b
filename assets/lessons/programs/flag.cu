// Block 0 writes a message and then raises a flag; block 1 waits for the flag and then reads the message.
// fenced orders the two by __threadfence() on both sides, atomic by a release store and an acquire
// load of cuda::atomic_ref. Both kernels get a message and a flag of their own, and send the same numbers.
// FENCE = false leaves out the fences of fenced.
#include <cstdio>
#include <cuda/atomic>
#include <vector>

const int N = 8, BLOCK = 8;
const bool FENCE = true;

__global__ void fenced(const int* in, int* message, int* out, volatile int* flag, int n) {
  int i = threadIdx.x;
  if (blockIdx.x == 0) {
    for (int k = i; k < n; k += BLOCK) message[k] = 2 * in[k];
    __syncthreads();
    if (i == 0) {
      if (FENCE) __threadfence();  // what the block wrote comes before the flag
      *flag = 1;
    }
  } else {
    if (i == 0) {
      while (*flag == 0) {}
      if (FENCE) __threadfence();  // what the block reads comes after the flag
    }
    __syncthreads();
    for (int k = i; k < n; k += BLOCK) out[k] = message[k] + 1;
  }
}

__global__ void atomic(const int* in, int* message, int* out, int* flag, int n) {
  int i = threadIdx.x;
  cuda::atomic_ref<int, cuda::thread_scope_device> raised(*flag);
  if (blockIdx.x == 0) {
    for (int k = i; k < n; k += BLOCK) message[k] = 2 * in[k];
    __syncthreads();
    if (i == 0) raised.store(1, cuda::memory_order_release);
  } else {
    if (i == 0)
      while (raised.load(cuda::memory_order_acquire) == 0) {}
    __syncthreads();
    for (int k = i; k < n; k += BLOCK) out[k] = message[k] + 1;
  }
}

int main() {
  std::vector<int> numbers(N), first(N), second(N);
  for (int i = 0; i < N; i++) numbers[i] = 1 + 7 * i % 10;

  int *in, *message, *out, *flags, lowered[2] = {0, 0};
  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&message, 2 * N * sizeof(int));  // a message and a flag for each kernel
  cudaMalloc(&out, N * sizeof(int));
  cudaMalloc(&flags, sizeof lowered);
  cudaMemcpy(in, numbers.data(), N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(flags, lowered, sizeof lowered, cudaMemcpyHostToDevice);

  fenced<<<2, BLOCK>>>(in, message, out, flags, N);
  cudaMemcpy(first.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost);
  atomic<<<2, BLOCK>>>(in, message + N, out, flags + 1, N);
  cudaMemcpy(second.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost);

  int wrong = 0;
  for (int i = 0; i < N; i++) wrong += first[i] != 2 * numbers[i] + 1 || second[i] != 2 * numbers[i] + 1;
  printf("%d numbers sent, %d wrong\n", N, wrong);
  cudaFree(in);
  cudaFree(message);
  cudaFree(out);
  cudaFree(flags);
  return wrong ? 1 : 0;
}
