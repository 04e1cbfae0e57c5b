// Reductions and scans of tiles and of the lanes that stand together, and what one of them does for all.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>
namespace cg = cooperative_groups;

__global__ void reductions(const int* in, const float* in_f, int* out, float* out_f) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  const unsigned t = block.thread_rank();
  int* mine = out + 8 * t;
  const int v = in[t];
  mine[0] = cg::reduce(tile, v, cg::plus<int>());
  mine[1] = cg::reduce(tile, v, cg::less<int>());
  mine[2] = cg::reduce(tile, v, cg::greater<int>());
  mine[3] = cg::reduce(tile, v, cg::bit_and<int>());
  mine[4] = cg::reduce(tile, v, cg::bit_or<int>());
  mine[5] = cg::reduce(tile, v, cg::bit_xor<int>());
  mine[6] = cg::reduce(tile, v, [](int a, int b) { return (a * b) % 1009; });
  mine[7] = (int)cg::reduce(tile, (long long)v << 20, cg::plus<long long>());
  out_f[2 * t] = cg::reduce(tile, in_f[t], cg::plus<float>());
  out_f[2 * t + 1] = cg::reduce(cg::tiled_partition<32>(block), in_f[t], cg::greater<float>());
}

__global__ void scans(const int* in, const float* in_f, int* out, float* out_f) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const unsigned t = threadIdx.x;
  out[4 * t] = cg::inclusive_scan(tile, in[t]);
  out[4 * t + 1] = cg::exclusive_scan(tile, in[t]);
  out[4 * t + 2] = cg::inclusive_scan(tile, in[t], cg::greater<int>());
  out[4 * t + 3] = cg::exclusive_scan(tile, in[t], cg::less<int>());
  out_f[2 * t] = cg::inclusive_scan(tile, in_f[t], cg::plus<float>());
  out_f[2 * t + 1] = cg::exclusive_scan(tile, in_f[t]);
}

__global__ void together(const int* in, int* out, float* out_f) {
  const unsigned t = threadIdx.x;
  for (int k = 0; k < 6; ++k) out[6 * t + k] = -1;
  out_f[t] = 0;
  if (in[t] % 3 == 0) {
    const cg::coalesced_group g = cg::coalesced_threads();
    out[6 * t] = (int)(g.thread_rank() * 100 + g.size());
    out[6 * t + 1] = cg::reduce(g, in[t], cg::plus<int>());
    out[6 * t + 2] = cg::inclusive_scan(g, in[t]);
    out[6 * t + 3] = g.shfl((int)t, 2) * 10000 + g.shfl_up((int)t, 1) * 100 + g.shfl_down((int)t, 1);
    out[6 * t + 4] = (int)g.ballot(in[t] % 2);
    out[6 * t + 5] = cg::invoke_one_broadcast(
        g, [&](int by) { return (int)t + by; }, 1000);
    out_f[t] = cg::reduce(g, 1.f / (1 + in[t]), cg::plus<float>());
  }
}

__global__ void partitions(const int* in, int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned t = threadIdx.x;
  const cg::coalesced_group odd = cg::binary_partition(warp, in[t] % 2 != 0);
  out[6 * t] = (int)(odd.size() * 100 + odd.thread_rank());
  out[6 * t + 1] = cg::reduce(odd, in[t], cg::plus<int>());
  const cg::coalesced_group labelled = cg::labeled_partition(warp, in[t] % 5);
  out[6 * t + 2] = (int)(labelled.size() * 100 + labelled.thread_rank());
  out[6 * t + 3] = (int)(labelled.meta_group_rank() * 100 + labelled.meta_group_size());
  const cg::coalesced_group two = cg::tiled_partition(odd, 2);
  out[6 * t + 4] = (int)(two.size() * 100 + two.thread_rank());
  out[6 * t + 5] = (int)(odd.meta_group_rank() * 100 + odd.meta_group_size());
  cg::invoke_one(warp, [&] { out[6 * 32] = 77; });
}

int main() {
  int *in, *out;
  float *in_f, *out_f;
  cudaMallocManaged(&in, 64 * sizeof(int));
  cudaMallocManaged(&out, 1024 * sizeof(int));
  cudaMallocManaged(&in_f, 64 * sizeof(float));
  cudaMallocManaged(&out_f, 256 * sizeof(float));
  for (int k = 0; k < 64; ++k) {
    in[k] = (k * 37 + 11) % 101;
    in_f[k] = 1.f / (k + 1);
  }
  const auto show = [&](int rows, int columns, int columns_f) {
    cudaDeviceSynchronize();
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) printf("%d ", out[r * columns + c]);
      for (int c = 0; c < columns_f; ++c) printf("%a ", out_f[r * columns_f + c]);
      printf("\n");
    }
  };
  reductions<<<1, 64>>>(in, in_f, out, out_f);
  show(64, 8, 2);
  scans<<<1, 32>>>(in, in_f, out, out_f);
  show(32, 4, 2);
  together<<<1, 32>>>(in, out, out_f);
  show(32, 6, 1);
  partitions<<<1, 32>>>(in, out);
  show(32, 6, 0);
  printf("%d\n", out[6 * 32]);
  cudaFree(in);
  cudaFree(out);
  cudaFree(in_f);
  cudaFree(out_f);
}
