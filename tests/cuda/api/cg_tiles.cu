// Tiles of a warp: nested, with a size that is known when the program runs, their shuffles, votes and
// matches.
#include <cooperative_groups.h>

#include <cstdio>
namespace cg = cooperative_groups;

struct Particle {
  float x, y, z;
  int id;
  double mass;
  bool operator!=(const Particle& o) const {
    return x != o.x || y != o.y || z != o.z || id != o.id || mass != o.mass;
  }
};

__global__ void nested(int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto eight = cg::tiled_partition<8>(warp);
  const cg::thread_block_tile<2> pair = cg::tiled_partition<2>(eight);
  static_assert(decltype(eight)::size() == 8, "");
  int* mine = out + 12 * block.thread_rank();
  mine[0] = (int)warp.meta_group_rank() * 100 + (int)warp.meta_group_size();
  mine[1] = (int)eight.meta_group_rank() * 100 + (int)eight.meta_group_size();
  mine[2] = (int)pair.meta_group_rank() * 100 + (int)pair.meta_group_size();
  mine[3] = (int)(warp.thread_rank() * 10000 + eight.thread_rank() * 100 + pair.thread_rank());
  mine[4] = eight.shfl((int)block.thread_rank(), 3);
  mine[5] = eight.shfl_up((int)block.thread_rank(), 2) * 1000 + eight.shfl_down((int)block.thread_rank(), 3);
  mine[6] = pair.shfl_xor((int)block.thread_rank(), 1);
  mine[7] = (int)eight.ballot(block.thread_rank() % 3 == 0);
  mine[8] = eight.any(block.thread_rank() == 5) * 10 + eight.all(block.thread_rank() < 40);
  mine[9] = (int)eight.match_any(block.thread_rank() / 3);
  int same;
  mine[10] = (int)eight.match_all(block.thread_rank() / 16, same) * 10 + same;
  const cg::thread_group four = cg::tiled_partition(block, 4);
  four.sync();
  mine[11] = (int)(four.size() * 100 + four.thread_rank());
}

__global__ void structures(Particle* p) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  Particle mine = p[threadIdx.x];
  mine = tile.shfl_down(mine, 1);
  mine.mass += tile.shfl(mine.mass, 0);
  p[threadIdx.x] = mine;
  const short s = tile.shfl_xor((short)threadIdx.x, 5);
  const char c = tile.shfl((char)threadIdx.x, 7);
  if (s != ((int)threadIdx.x ^ 5) || c != (char)(threadIdx.x / 16 * 16 + 7)) p[threadIdx.x].id = -1;
}

__device__ int sum_of(const cg::thread_group& g, int* at, int v) {
  const int rank = (int)g.thread_rank();
  for (int step = (int)g.size() / 2; step > 0; step /= 2) {
    at[rank] = v;
    g.sync();
    if (rank < step) v += at[rank + step];
    g.sync();
  }
  return v;
}

__global__ void any_group(int* out) {
  __shared__ int room[64];
  const cg::thread_block block = cg::this_thread_block();
  const int of_block = sum_of(block, room, (int)threadIdx.x);
  block.sync();
  const auto tile = cg::tiled_partition<16>(block);
  const int of_tile = sum_of(tile, room + threadIdx.x / 16 * 16, (int)threadIdx.x);
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = of_tile;
  if (block.thread_rank() == 0) out[4] = of_block;
  if (block.thread_rank() == 0) out[5] = (int)(block.dim_threads().x * 100 + block.group_index().x);
  cg::sync(tile);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * 12 * sizeof(int));
  nested<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  for (int t = 0; t < 64; ++t) {
    for (int k = 0; k < 12; ++k) printf("%d%c", out[12 * t + k], k < 11 ? ' ' : '\n');
  }
  Particle* p;
  cudaMallocManaged(&p, 32 * sizeof(Particle));
  for (int t = 0; t < 32; ++t) p[t] = Particle{(float)t, t * .5f, t * .25f, t, t * 2.};
  structures<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  for (int t = 0; t < 32; ++t) printf("%g %g %g %d %g\n", p[t].x, p[t].y, p[t].z, p[t].id, p[t].mass);
  any_group<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  for (int k = 0; k < 6; ++k) printf("%d\n", out[k]);
  cudaFree(out);
  cudaFree(p);
}
