// The grid as a group, copies that a group makes together, and the two halves of a barrier.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cstdio>
#include <utility>
namespace cg = cooperative_groups;

__global__ void sum_all(int* data, int* out, int n) {
  const cg::grid_group grid = cg::this_grid();
  for (int step = n / 2; step > 0; step /= 2) {
    for (int k = (int)grid.thread_rank(); k < step; k += (int)grid.size()) data[k] += data[k + step];
    grid.sync();
  }
  if (grid.thread_rank() == 0) {
    out[0] = data[0];
    out[1] = (int)grid.num_blocks();
    out[2] = (int)grid.num_threads();
    out[3] = (int)(grid.dim_blocks().x * 100 + grid.is_valid());
  }
  if (grid.thread_rank() == 37) out[4] = (int)(grid.block_rank() * 1000 + grid.block_index().x);
}

__global__ void split(int* data, int* out) {
  const cg::grid_group grid = cg::this_grid();
  data[grid.thread_rank()] = (int)grid.thread_rank() * 3;
  auto token = grid.barrier_arrive();
  const int own = (int)threadIdx.x;
  grid.barrier_wait(std::move(token));
  out[grid.thread_rank()] = own + data[grid.num_threads() - 1 - grid.thread_rank()];
}

__global__ void halves(int* out) {
  __shared__ int room[64];
  const cg::thread_block block = cg::this_thread_block();
  room[threadIdx.x] = (int)threadIdx.x * 2;
  auto token = block.barrier_arrive();
  const int own = (int)threadIdx.x;
  block.barrier_wait(std::move(token));
  out[threadIdx.x] = own + room[63 - threadIdx.x];
}

__global__ void copies(const int* in, int* out, int n) {
  __shared__ int room[2][32];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, room[0], in, sizeof(int) * 32);
  cg::memcpy_async(block, room[1], 32, in + 32, n - 32);
  cg::wait_prior<1>(block);
  out[threadIdx.x] = room[0][31 - threadIdx.x % 32];
  cg::wait(block);
  if (threadIdx.x < n - 32) out[32 + threadIdx.x] = room[1][threadIdx.x];
  const auto tile = cg::tiled_partition<8>(block);
  __shared__ int small[64];
  cg::memcpy_async(tile, small + 8 * tile.meta_group_rank(), in + 4 * tile.meta_group_rank(),
                   8 * sizeof(int));
  cg::wait(tile);
  out[64 + threadIdx.x] = small[tile.meta_group_rank() * 8 + (tile.thread_rank() + 1) % 8];
}

int main() {
  int *data, *out, n = 128;
  cudaMallocManaged(&data, 128 * sizeof(int));
  cudaMallocManaged(&out, 128 * sizeof(int));
  for (int k = 0; k < n; ++k) data[k] = k + 1;
  void* words[] = {&data, &out, &n};
  cudaLaunchCooperativeKernel((void*)sum_all, dim3(2), dim3(32), words);
  cudaDeviceSynchronize();
  for (int k = 0; k < 5; ++k) printf("%d ", out[k]);
  cudaLaunchCooperativeKernel((void*)split, dim3(2), dim3(32), words);
  cudaDeviceSynchronize();
  for (int k = 0; k < 64; ++k) printf("%d ", out[k]);
  halves<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  for (int k = 0; k < 64; ++k) printf("%d ", out[k]);
  for (int k = 0; k < n; ++k) data[k] = 1000 - k;
  for (int k = 0; k < n; ++k) out[k] = 0;
  copies<<<1, 64>>>(data, out, 60);
  cudaDeviceSynchronize();
  for (int k = 0; k < 128; ++k) printf("%d ", out[k]);
  printf("\n");
  cudaFree(data);
  cudaFree(out);
}
