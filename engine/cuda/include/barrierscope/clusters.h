// Clusters of thread blocks and their distributed shared memory: the built-in functions of CUDA 12.
#pragma once

#include "qualifiers.h"
#include "vectors.h"

#ifdef __CUDA__
/// What there is to know of the thread's cluster, by number; see the functions below.
__BSCOPE_BUILTIN unsigned __bscope_cluster(int what);
__BSCOPE_BUILTIN void __bscope_cluster_sync(void);
__BSCOPE_BUILTIN void* __bscope_cluster_map(const void* shared, unsigned rank);
__BSCOPE_BUILTIN unsigned __bscope_cluster_rank_of(const void* shared);

__BSCOPE_DEVICE dim3 __clusterDim() {
  return dim3(__bscope_cluster(0), __bscope_cluster(1), __bscope_cluster(2));
}
__BSCOPE_DEVICE dim3 __clusterRelativeBlockIdx() {
  return dim3(__bscope_cluster(3), __bscope_cluster(4), __bscope_cluster(5));
}
__BSCOPE_DEVICE dim3 __clusterIdx() {
  return dim3(__bscope_cluster(6), __bscope_cluster(7), __bscope_cluster(8));
}
__BSCOPE_DEVICE dim3 __clusterGridDimInClusters() {
  return dim3(__bscope_cluster(9), __bscope_cluster(10), __bscope_cluster(11));
}
__BSCOPE_DEVICE unsigned __clusterRelativeBlockRank() { return __bscope_cluster(12); }
__BSCOPE_DEVICE unsigned __clusterSizeInBlocks() { return __bscope_cluster(13); }
__BSCOPE_DEVICE unsigned __clusterDimIsSpecified() { return __bscope_cluster(14); }
// Work between arriving and waiting is ordered here as if it came before the barrier.
__BSCOPE_DEVICE void __cluster_barrier_arrive() {}
__BSCOPE_DEVICE void __cluster_barrier_arrive_relaxed() {}
__BSCOPE_DEVICE void __cluster_barrier_wait() { __bscope_cluster_sync(); }
__BSCOPE_DEVICE void* __cluster_map_shared_rank(const void* shared, unsigned rank) {
  return __bscope_cluster_map(shared, rank);
}
__BSCOPE_DEVICE unsigned __cluster_query_shared_rank(const void* shared) {
  return __bscope_cluster_rank_of(shared);
}

namespace cooperative_groups {
/// The blocks that run together with the thread's own.
class cluster_group {
 public:
  struct arrival_token {};
  static __device__ inline void sync() { __bscope_cluster_sync(); }
  static __device__ inline arrival_token barrier_arrive() { return {}; }
  static __device__ inline void barrier_wait() { __bscope_cluster_sync(); }
  static __device__ inline void barrier_wait(arrival_token&&) { __bscope_cluster_sync(); }
  template <class T>
  static __device__ inline T* map_shared_rank(T* shared, int rank) {
    return (T*)__bscope_cluster_map(shared, (unsigned)rank);
  }
  static __device__ inline unsigned query_shared_rank(const void* shared) {
    return __bscope_cluster_rank_of(shared);
  }
  static __device__ inline dim3 block_index() { return __clusterRelativeBlockIdx(); }
  static __device__ inline unsigned block_rank() { return __bscope_cluster(12); }
  static __device__ inline dim3 dim_blocks() { return __clusterDim(); }
  static __device__ inline unsigned num_blocks() { return __bscope_cluster(13); }
  static __device__ inline dim3 thread_index() {
    dim3 b = __clusterRelativeBlockIdx();
    return dim3(b.x * blockDim.x + threadIdx.x, b.y * blockDim.y + threadIdx.y,
                b.z * blockDim.z + threadIdx.z);
  }
  static __device__ inline unsigned thread_rank() {
    return __bscope_cluster(12) * blockDim.x * blockDim.y * blockDim.z +
           (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  static __device__ inline dim3 dim_threads() {
    dim3 c = __clusterDim();
    return dim3(c.x * blockDim.x, c.y * blockDim.y, c.z * blockDim.z);
  }
  static __device__ inline unsigned num_threads() {
    return __bscope_cluster(13) * blockDim.x * blockDim.y * blockDim.z;
  }
  static __device__ inline unsigned size() { return num_threads(); }
};
static __device__ inline cluster_group this_cluster() { return cluster_group(); }
}  // namespace cooperative_groups
#endif
