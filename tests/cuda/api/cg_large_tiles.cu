// Tiles of more than a warp, with and without room that the program gives them.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>
namespace cg = cooperative_groups;

template <unsigned Size>
__global__ void tiles(const int* in, int* out, float* out_f) {
  __shared__ cg::block_tile_memory<128> room;
  const cg::thread_block block = cg::this_thread_block(room);
  const auto tile = cg::tiled_partition<Size>(block);
  const unsigned t = block.thread_rank();
  int* mine = out + 8 * t;
  mine[0] = (int)(tile.meta_group_rank() * 100 + tile.meta_group_size());
  mine[1] = (int)tile.thread_rank();
  mine[2] = cg::reduce(tile, in[t], cg::plus<int>());
  mine[3] = cg::inclusive_scan(tile, in[t]);
  mine[4] = cg::exclusive_scan(tile, in[t], cg::greater<int>());
  mine[5] = tile.shfl(in[t], Size - 2);
  mine[6] = tile.any(in[t] == 48) * 10 + tile.all(in[t] < 101);
  const auto warp = cg::tiled_partition<32>(tile);
  mine[7] = (int)(warp.meta_group_rank() * 100 + warp.meta_group_size());
  out_f[t] = cg::reduce(tile, 1.f / (1 + in[t]), cg::plus<float>());
}

// Only one of the tiles meets here.
__global__ void one_tile(int* out) {
  __shared__ int room[128];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  if (tile.meta_group_rank() == 1) {
    room[threadIdx.x] = (int)threadIdx.x;
    tile.sync();
    for (int step = 32; step > 0; step /= 2) {
      if (tile.thread_rank() < step) room[threadIdx.x] += room[threadIdx.x + step];
      tile.sync();
    }
    if (tile.thread_rank() == 0) out[0] = room[threadIdx.x];
  }
}

int main() {
  int *in, *out;
  float* out_f;
  cudaMallocManaged(&in, 128 * sizeof(int));
  cudaMallocManaged(&out, 1024 * sizeof(int));
  cudaMallocManaged(&out_f, 128 * sizeof(float));
  for (int k = 0; k < 128; ++k) in[k] = (k * 37 + 11) % 101;
  const auto show = [&] {
    cudaDeviceSynchronize();
    for (int t = 0; t < 128; t += 5) {
      for (int c = 0; c < 8; ++c) printf("%d ", out[8 * t + c]);
      printf("%a\n", out_f[t]);
    }
  };
  tiles<64><<<1, 128>>>(in, out, out_f);
  show();
  tiles<128><<<1, 128>>>(in, out, out_f);
  show();
  one_tile<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  printf("%d\n", out[0]);
  cudaFree(in);
  cudaFree(out);
  cudaFree(out_f);
}
