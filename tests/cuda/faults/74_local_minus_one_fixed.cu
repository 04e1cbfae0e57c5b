// ORNL/HeCBench#240
#include <cstdio>

__global__ void last_parent(const int* parents, int* last, int nodes) {
  int node = threadIdx.x;
  if (node >= nodes) return;
  int found[4], count = 0;
  for (int p = 0; p < 4; ++p)
    if (parents[4 * node + p] >= 0) found[count++] = parents[4 * node + p];
  last[node] = count > 0 ? found[count - 1] : -1;
}

int main() {
  const int nodes = 3;
  int parents[4 * nodes] = {1, 2, -1, -1, -1, -1, -1, -1, 0, -1, 7, -1};
  int last[nodes], want[nodes] = {2, -1, 7}, *d_parents, *d_last, wrong = 0;
  cudaMalloc(&d_parents, sizeof parents);
  cudaMalloc(&d_last, sizeof last);
  cudaMemcpy(d_parents, parents, sizeof parents, cudaMemcpyHostToDevice);
  last_parent<<<1, 32>>>(d_parents, d_last, nodes);
  cudaMemcpy(last, d_last, sizeof last, cudaMemcpyDeviceToHost);
  for (int k = 0; k < nodes; ++k) wrong += last[k] != want[k];
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
