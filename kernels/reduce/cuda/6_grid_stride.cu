// The sum of N numbers by a fixed number of blocks: each thread walks over the input in strides of the
// whole grid, four numbers a load; then the lanes of each warp add by shuffles, then the warps. A second
// launch adds the blocks' sums.
#include <cstdio>

const int N = 1030, BLOCK = 64, BLOCKS = 2;

__device__ int sum_of_lanes(int mine, int lanes) {
  for (int stride = lanes / 2; stride > 0; stride /= 2) mine += __shfl_xor_sync(0xffffffff, mine, stride);
  return mine;
}

// barrierscope: expect sums_2 = sum(data)
__global__ void reduce(const int* data, int* sums, int n) {
  __shared__ int s[BLOCK / 32];
  int i = threadIdx.x, lane = i % 32, warp = i / 32;
  int me = blockIdx.x * blockDim.x + i, threads = gridDim.x * blockDim.x;
  const int4* fours = (const int4*)data;
  int mine = 0;
  for (int k = me; k < n / 4; k += threads) {
    int4 v = fours[k];
    mine += v.x;
    mine += v.y;
    mine += v.z;
    mine += v.w;
  }
  for (int k = n / 4 * 4 + me; k < n; k += threads) mine += data[k];

  mine = sum_of_lanes(mine, 32);
  if (lane == 0) s[warp] = mine;
  __syncthreads();

  if (warp > 0) return;
  mine = i < BLOCK / 32 ? s[i] : 0;
  mine = sum_of_lanes(mine, BLOCK / 32);
  if (i == 0) sums[blockIdx.x] = mine;
}

int main() {
  int numbers[N], expected = 0;
  for (int i = 0; i < N; i++) {
    numbers[i] = 7 * i % 10 + 1;
    expected += numbers[i];
  }

  int *data, *sums, *total;
  cudaMalloc(&data, N * sizeof(int));
  cudaMalloc(&sums, BLOCKS * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(data, numbers, N * sizeof(int), cudaMemcpyHostToDevice);

  reduce<<<BLOCKS, BLOCK>>>(data, sums, N);
  reduce<<<1, BLOCK>>>(sums, total, BLOCKS);

  int result = 0;
  cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum of %d numbers: %d\n", N, result);
  cudaFree(data);
  cudaFree(sums);
  cudaFree(total);
  return result == expected ? 0 : 1;
}
