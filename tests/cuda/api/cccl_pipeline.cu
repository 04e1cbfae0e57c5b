// cuda::pipeline: of one thread, of a block in two stages, with producers and consumers; memcpy_async with a
// barrier.
#include <cooperative_groups.h>

#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
constexpr int batch = 64;

__global__ void one_thread(const int* in, int* out) {
  __shared__ int tile[2][batch];
  auto pipe = cuda::make_pipeline();
  int t = threadIdx.x;
  for (int stage = 0; stage < 2; ++stage) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[stage][t], &in[stage * batch + t], sizeof(int), pipe);
    pipe.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  __syncthreads();
  out[t] = tile[0][batch - 1 - t] + tile[1][t];
}

__global__ void two_stages(const int* in, int* out, int batches) {
  __shared__ int tile[2][batch];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0, fetched = 0;
  for (int k = 0; k < batches; ++k) {
    for (; fetched < batches && fetched < k + 2; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[fetched % 2], in + fetched * batch, sizeof(int) * batch, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += tile[k % 2][batch - 1 - threadIdx.x] * (k + 1);
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

__global__ void roles(const int* in, int* out, int batches) {
  __shared__ int tile[2][batch];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  bool fills = threadIdx.x < batch;
  auto pipe = cuda::make_pipeline(block, &state,
                                  fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  int t = threadIdx.x % batch, sum = 0;
  for (int k = 0; k < batches; ++k) {
    if (fills) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[k % 2][t], &in[k * batch + t], cuda::aligned_size_t<4>(sizeof(int)), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum += tile[k % 2][batch - 1 - t];
      pipe.consumer_release();
    }
  }
  if (!fills) out[t] = sum;
}

__global__ void with_barrier(const int* in, int* out) {
  __shared__ int tile[batch];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in, sizeof(int) * batch, bar);
  bar.arrive_and_wait();
  out[threadIdx.x] = tile[batch - 1 - threadIdx.x];
}

int main() {
  const int batches = 5;
  int *in, *out;
  cudaMallocManaged(&in, batches * batch * sizeof(int));
  cudaMallocManaged(&out, batch * sizeof(int));
  for (int k = 0; k < batches * batch; ++k) in[k] = k * k % 101;
  auto show = [&](const char* name) {
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int k = 0; k < batch; ++k) sum += (long long)out[k] * (k + 1);
    printf("%s %d %d %lld\n", name, out[0], out[batch - 1], sum);
  };
  one_thread<<<1, batch>>>(in, out);
  show("one_thread");
  two_stages<<<1, batch>>>(in, out, batches);
  show("two_stages");
  roles<<<1, 2 * batch>>>(in, out, batches);
  show("roles");
  with_barrier<<<1, batch>>>(in, out);
  show("with_barrier");
}
