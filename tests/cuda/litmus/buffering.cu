// Store buffering (SB): each of two threads writes a cell, then reads the other's. Load buffering (LB): each
// reads, then writes. With atomics nothing races but what has a scope too narrow.
#include "litmus.cuh"

template <cuda::thread_scope S, cuda::memory_order Store, cuda::memory_order Load>
__global__ void store_buffering(int* cells) {
  int* got = cells + 2;
  const int t = thread_of_test();
  if (t < 0) return;
  atomic_in<S>(cells[t]).store(1, Store);
  got[t] = atomic_in<S>(cells[1 - t]).load(Load);
}

template <cuda::thread_scope S, cuda::memory_order Store, cuda::memory_order Load>
__global__ void load_buffering(int* cells) {
  int* got = cells + 2;
  const int t = thread_of_test();
  if (t < 0) return;
  got[t] = atomic_in<S>(cells[1 - t]).load(Load);
  atomic_in<S>(cells[t]).store(1, Store);
}

/// Each reads atomically, and writes nothing: no race at any scope.
template <cuda::thread_scope S, cuda::memory_order Store, cuda::memory_order Load>
__global__ void loads_only(int* cells) {
  int* got = cells + 2;
  const int t = thread_of_test();
  if (t >= 0) got[t] = atomic_in<S>(cells[0]).load(Load);
}

/// Fences without an atomic between them order nothing.
template <cuda::thread_scope S, cuda::memory_order, cuda::memory_order>
__global__ void plain_buffering(int* cells) {
  int* got = cells + 2;
  const int t = thread_of_test();
  if (t < 0) return;
  cells[t] = 1;
  cuda::atomic_thread_fence(seq_cst, S);
  got[t] = cells[1 - t];
}

template <cuda::thread_scope S>
void launch_in(Cells& cells) {
  cells.launch(store_buffering<S, relaxed, relaxed>);
  cells.launch(store_buffering<S, release, acquire>);
  cells.launch(store_buffering<S, seq_cst, seq_cst>);
  cells.launch(load_buffering<S, relaxed, relaxed>);
  cells.launch(load_buffering<S, release, acquire>);
  cells.launch(load_buffering<S, seq_cst, seq_cst>);
  cells.launch(loads_only<S, relaxed, relaxed>);
  cells.launch(plain_buffering<S, seq_cst, seq_cst>);
}

int main() {
  Cells cells;
  launch_in<of_thread>(cells);
  launch_in<of_block>(cells);
  launch_in<of_device>(cells);
  launch_in<of_system>(cells);
  return cudaDeviceSynchronize() != cudaSuccess;
}
