// Adds drops of a millilitre to a tank.
#include <cstdio>

const int N = 128, BLOCK = 64, BLOCKS = N / BLOCK;
const float IN_THE_TANK = 16777216;

__global__ void fill(float* tank, const float* drops) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(tank, drops[i]);
}

int main() {
  float rain[N], level = IN_THE_TANK, *drops, *tank;
  for (int i = 0; i < N; i++) rain[i] = 1;

  cudaMalloc(&drops, N * sizeof(float));
  cudaMalloc(&tank, sizeof(float));
  cudaMemcpy(drops, rain, N * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(tank, &level, sizeof(float), cudaMemcpyHostToDevice);
  fill<<<BLOCKS, BLOCK>>>(tank, drops);
  cudaMemcpy(&level, tank, sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(drops);
  cudaFree(tank);

  printf("%.0f ml, expected %.0f ml\n", level, IN_THE_TANK + N);
  return level == IN_THE_TANK + N ? 0 : 1;
}
