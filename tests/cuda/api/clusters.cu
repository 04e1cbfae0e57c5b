// Clusters of blocks: distributed shared memory, dimensions, ranks, and barriers of a cluster.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

#define CHECK(call)                                         \
  do {                                                      \
    cudaError_t error = (call);                             \
    if (error != cudaSuccess) {                             \
      printf("%s: %s\n", #call, cudaGetErrorString(error)); \
      return 1;                                             \
    }                                                       \
  } while (0)

// Each block reads what its neighbour in the cluster has in shared memory.
__global__ void __cluster_dims__(4, 1, 1) neighbours(int* out) {
  __shared__ int mine[32];
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank();
  mine[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
  cluster.sync();
  int* other = cluster.map_shared_rank(mine, (rank + 1) % cluster.num_blocks());
  out[blockIdx.x * blockDim.x + threadIdx.x] = other[threadIdx.x];
  cluster.sync();
}

// A histogram over the shared memory of all blocks of a cluster.
__global__ void histogram(const int* keys, int* bins, int n, int bins_per_block) {
  extern __shared__ int part[];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) part[i] = 0;
  cluster.sync();
  for (int i = cluster.thread_rank(); i < n; i += cluster.num_threads()) {
    int* target = cluster.map_shared_rank(part, keys[i] / bins_per_block);
    atomicAdd(target + keys[i] % bins_per_block, 1);
  }
  cluster.sync();
  int* mine = bins + cluster.block_rank() * bins_per_block;
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) mine[i] = part[i];
}

__global__ void __cluster_dims__(2, 2, 1) shapes(int* out) {
  cg::cluster_group cluster = cg::this_cluster();
  int block = blockIdx.y * gridDim.x + blockIdx.x;
  dim3 at = cluster.block_index(), size = cluster.dim_blocks();
  out[block] = 1000 * cluster.block_rank() + 100 * at.x + 10 * at.y + size.x * size.y * size.z;
  cluster.sync();
}

int main() {
  int host[256], *out, *keys, *bins;
  CHECK(cudaMalloc(&out, 256 * sizeof(int)));
  neighbours<<<8, 32>>>(out);
  CHECK(cudaMemcpy(host, out, 256 * sizeof(int), cudaMemcpyDeviceToHost));
  printf("neighbours:");
  for (int b = 0; b < 8; ++b) printf(" %d", host[b * 32 + 5]);
  printf("\n");

  shapes<<<dim3(4, 2), 32>>>(out);
  CHECK(cudaMemcpy(host, out, 8 * sizeof(int), cudaMemcpyDeviceToHost));
  printf("shapes:");
  for (int b = 0; b < 8; ++b) printf(" %d", host[b]);
  printf("\n");

  const int n = 200, bins_per_block = 8, blocks = 2;
  int key[n];
  for (int i = 0; i < n; ++i) key[i] = i * i % 16;
  CHECK(cudaMalloc(&keys, sizeof key));
  CHECK(cudaMalloc(&bins, blocks * bins_per_block * sizeof(int)));
  CHECK(cudaMemcpy(keys, key, sizeof key, cudaMemcpyHostToDevice));
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(32);
  config.dynamicSmemBytes = bins_per_block * sizeof(int);
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = blocks;
  attribute[0].val.clusterDim.y = 1;
  attribute[0].val.clusterDim.z = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, histogram, (const int*)keys, bins, n, bins_per_block));
  CHECK(cudaMemcpy(host, bins, blocks * bins_per_block * sizeof(int), cudaMemcpyDeviceToHost));
  printf("histogram:");
  for (int i = 0; i < blocks * bins_per_block; ++i) printf(" %d", host[i]);
  printf("\n");
  return 0;
}
