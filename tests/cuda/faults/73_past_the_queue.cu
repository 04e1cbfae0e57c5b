// ORNL/HeCBench#333
#include <cstdio>

__global__ void work(const int* queue, int* next, int* done, int length) {
  int at = atomicAdd(next, 1);
  int task = queue[at];
  while (at < length) {
    atomicAdd(done, task);
    at = atomicAdd(next, 1);
    task = at < length ? queue[at] : 0;
  }
}

int main() {
  const int length = 50;
  int queue[length], *d_queue, *d_next, *d_done, got = 0, want = 0;
  for (int i = 0; i < length; ++i) want += queue[i] = i + 1;
  cudaMalloc(&d_queue, sizeof queue);
  cudaMalloc(&d_next, sizeof(int));
  cudaMalloc(&d_done, sizeof(int));
  cudaMemcpy(d_queue, queue, sizeof queue, cudaMemcpyHostToDevice);
  cudaMemset(d_next, 0, sizeof(int));
  cudaMemset(d_done, 0, sizeof(int));
  work<<<2, 64>>>(d_queue, d_next, d_done, length);
  cudaMemcpy(&got, d_done, sizeof(int), cudaMemcpyDeviceToHost);
  printf("done %d, expected %d\n", got, want);
  return got != want;
}
