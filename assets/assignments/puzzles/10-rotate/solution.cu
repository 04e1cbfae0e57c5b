// Moves every seat of a round table on by one.
// The launch gives the kernel its shared memory.
#include <cstdio>

const int N = 64;

__global__ void rotate(int* seats, int n) {
  extern __shared__ int before[];
  int i = threadIdx.x;
  before[i] = seats[i];
  __syncthreads();
  seats[(i + 1) % n] = before[i];
}

void move_on(int* guests, int n) {
  int* seats;
  cudaMalloc(&seats, n * sizeof(int));
  cudaMemcpy(seats, guests, n * sizeof(int), cudaMemcpyHostToDevice);
  rotate<<<1, n, n * sizeof(int)>>>(seats, n);
  cudaMemcpy(guests, seats, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(seats);
}

int main() {
  int guests[N], wrong = 0;
  for (int i = 0; i < N; i++) guests[i] = 100 + i;
  move_on(guests, N);
  for (int i = 0; i < N; i++) wrong += guests[(i + 1) % N] != 100 + i;
  printf("%d of %d guests sit elsewhere\n", wrong, N);
  return wrong ? 1 : 0;
}
