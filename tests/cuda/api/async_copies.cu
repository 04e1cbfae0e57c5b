// Asynchronous copies of threads, in groups: pipeline primitives, cooperative groups, cp.async in PTX.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cstdio>

namespace cg = cooperative_groups;
constexpr int block = 64, tiles = 5;

/// Each tile is added while the next one comes; the last one has fewer numbers, and zeros.
__global__ void primitives(const int* in, int* out, int n) {
  __shared__ int tile[2][block];
  int t = threadIdx.x, sum = 0;
  auto fetch = [&](int k) {
    int i = k * block + t;
    __pipeline_memcpy_async(&tile[k % 2][t], &in[i < n ? i : 0], sizeof(int), i < n ? 0 : sizeof(int));
    __pipeline_commit();
  };
  fetch(0);
  for (int k = 0; k < tiles; ++k) {
    if (k + 1 < tiles) fetch(k + 1);
    __pipeline_wait_prior(k + 1 < tiles ? 1 : 0);
    __syncthreads();
    sum += tile[k % 2][block - 1 - t] * (k + 1);
    __syncthreads();
  }
  out[t] = sum;
}

/// Two groups of copies, of which the first is awaited first.
__global__ void groups(const int* in, int* out) {
  __shared__ int first[block], second[2 * block];
  auto group = cg::this_thread_block();
  cg::memcpy_async(group, first, in, sizeof first);
  cg::memcpy_async(group, second, 2 * block, in + block, 2 * block);
  cg::wait_prior<1>(group);
  int sum = first[block - 1 - threadIdx.x];
  cg::wait(group);
  out[threadIdx.x] = sum * 1000 + second[2 * block - 1 - threadIdx.x] + second[threadIdx.x];
}

__device__ void copy_four(int4* to, const int4* from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
               "l"(from), "r"(bytes));
}

/// Four numbers a thread; of the last thread's, two are zeros.
__global__ void ptx(const int4* in, int* out) {
  __shared__ int4 fours[2][block / 4];
  int t = threadIdx.x, *numbers = (int*)fours;
  if (t < block / 4) {
    copy_four(&fours[0][t], &in[t], 16);
    asm volatile("cp.async.commit_group;");
    copy_four(&fours[1][t], &in[block / 4 + t], t == block / 4 - 1 ? 8 : 16);
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
  }
  __syncthreads();
  int sum = numbers[block - 1 - t];
  if (t < block / 4) asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[t] = sum * 1000 + numbers[2 * block - 1 - t];
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, tiles * block * sizeof(int));
  cudaMallocManaged(&out, block * sizeof(int));
  for (int k = 0; k < tiles * block; ++k) in[k] = k * k % 101;
  auto show = [&](const char* name) {
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int k = 0; k < block; ++k) sum += (long long)out[k] * (k + 1);
    printf("%s %d %d %lld\n", name, out[0], out[block - 1], sum);
  };
  primitives<<<1, block>>>(in, out, tiles * block - 20);
  show("primitives");
  groups<<<1, block>>>(in, out);
  show("groups");
  ptx<<<1, block>>>((const int4*)in, out);
  show("ptx");
  cudaFree(in);
  cudaFree(out);
}
