// cuda::barrier: arrive and wait, tokens, fewer threads than the block, a completion function of std, many
// phases.
#include <cstdio>
#include <cuda/barrier>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void reverse(int* data, int n) {
  __shared__ int tile[128];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier bar;
  int t = threadIdx.x;
  if (t == 0) init(&bar, blockDim.x);
  __syncthreads();
  tile[t] = data[t];
  auto token = bar.arrive();
  bar.wait(std::move(token));
  data[t] = tile[n - 1 - t];
  bar.arrive_and_wait();
  if (t == 0) data[0] += data[n - 1];
}

// One warp fills, the others use it.
__global__ void fill_and_use(int* out, int rounds) {
  __shared__ int tile[32];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier filled, used;
  if (threadIdx.x == 0) {
    init(&filled, blockDim.x);
    init(&used, blockDim.x);
  }
  __syncthreads();
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    if (threadIdx.x < 32) tile[threadIdx.x] = r * 32 + threadIdx.x;
    filled.arrive_and_wait();
    if (threadIdx.x >= 32) sum += tile[(threadIdx.x * 5 + r) % 32];
    used.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}

__global__ void half_block(int* out) {
  __shared__ int tile[32];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier bar;
  if (threadIdx.x == 0) init(&bar, 32);
  __syncthreads();
  if (threadIdx.x < 32) {
    tile[threadIdx.x] = threadIdx.x * threadIdx.x;
    bar.arrive_and_wait();
    out[threadIdx.x] = tile[31 - threadIdx.x];
  }
}

__global__ void drops(int* out) {
  __shared__ int tile[64];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  tile[threadIdx.x] = threadIdx.x;
  if (threadIdx.x >= 48) {
    bar.arrive_and_drop();
    return;
  }
  bar.arrive_and_wait();
  int v = tile[63 - threadIdx.x];
  bar.arrive_and_wait();
  out[threadIdx.x] = v;
}

int main() {
  int* d;
  cudaMallocManaged(&d, 128 * sizeof(int));
  for (int i = 0; i < 128; ++i) d[i] = i;
  reverse<<<1, 128>>>(d, 128);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", d[0], d[1], d[127]);
  fill_and_use<<<1, 64>>>(d, 2);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", d[0], d[32], d[63]);
  half_block<<<1, 64>>>(d);
  cudaDeviceSynchronize();
  printf("%d %d\n", d[0], d[31]);
  drops<<<1, 64>>>(d);
  cudaDeviceSynchronize();
  printf("%d %d\n", d[0], d[47]);
}
