// cuda::latch and cuda::counting_semaphore between blocks and threads.
#include <cstdio>
#include <cuda/latch>
#include <cuda/semaphore>
#include <new>

__global__ void count_down(int* out) {
  __shared__ int tile[64];
  alignas(cuda::latch<cuda::thread_scope_block>)
      __shared__ char bytes[sizeof(cuda::latch<cuda::thread_scope_block>)];
  auto& done = *reinterpret_cast<cuda::latch<cuda::thread_scope_block>*>(bytes);
  if (threadIdx.x == 0) new (&done) cuda::latch<cuda::thread_scope_block>(64);
  __syncthreads();
  tile[threadIdx.x] = threadIdx.x * 3;
  done.arrive_and_wait();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

using semaphore = cuda::counting_semaphore<cuda::thread_scope_device, 4>;
using binary = cuda::binary_semaphore<cuda::thread_scope_device>;

// A sum under a lock, one thread of each block.
__global__ void locked(binary* lock, int* sum) {
  if (threadIdx.x == 0) {
    lock->acquire();
    *sum = *sum + (int)blockIdx.x + 1;
    lock->release();
  }
}

// What the first block makes the second takes.
__global__ void hand_over(semaphore* made, int* data, int* out, int n) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    for (int k = 0; k < n; ++k) {
      data[k] = k * k;
      made->release();
    }
  } else {
    int sum = 0;
    for (int k = 0; k < n; ++k) {
      made->acquire();
      sum += data[k];
    }
    *out = sum;
  }
}

int main() {
  int* d;
  cudaMallocManaged(&d, 64 * sizeof(int));
  count_down<<<1, 64>>>(d);
  cudaDeviceSynchronize();
  printf("%d %d\n", d[0], d[63]);
  binary* lock;
  cudaMallocManaged(&lock, sizeof *lock);
  new (lock) binary(1);
  d[0] = 0;
  locked<<<8, 32>>>(lock, d);
  cudaDeviceSynchronize();
  printf("%d\n", d[0]);
  semaphore* made;
  cudaMallocManaged(&made, sizeof *made);
  new (made) semaphore(0);
  hand_over<<<2, 32>>>(made, d, d + 32, 4);
  cudaDeviceSynchronize();
  printf("%d\n", d[32]);
}
