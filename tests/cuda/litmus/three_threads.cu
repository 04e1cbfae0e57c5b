// Three and four threads: what the first wrote reaches the last through another (ISA2, WRC, a chain of
// updates), and two readers see two writes in any order (IRIW). Causality order goes on from hand-over to
// hand-over, also where the first is in a block's scope and the second in the device's.
#include "litmus.cuh"

template <cuda::thread_scope S>
__device__ void wait_for(int& flag, int value, cuda::memory_order order) {
  while (atomic_in<S>(flag).load(order) != value) {}
}

/// ISA2: data is handed from thread 0 to 1, and from 1 to 2.
template <cuda::thread_scope S, cuda::memory_order Writer, cuda::memory_order Reader>
__global__ void handed_on(int* cells) {
  int *data = cells, *first = cells + 1, *second = cells + 2, *got = cells + 3;
  const int t = thread_of_test(3);
  if (t == 0) {
    *data = 42;
    atomic_in<S>(*first).store(1, Writer);
  } else if (t == 1) {
    wait_for<S>(*first, 1, Reader);
    atomic_in<S>(*second).store(1, Writer);
  } else if (t == 2) {
    wait_for<S>(*second, 1, Reader);
    *got = *data;
  }
}

/// ISA2, the first flag in the scope that is asked for, the second in the device's.
template <cuda::thread_scope S, cuda::memory_order Writer, cuda::memory_order Reader>
__global__ void handed_on_further(int* cells) {
  int *data = cells, *first = cells + 1, *second = cells + 2, *got = cells + 3;
  const int t = thread_of_test(3);
  if (t == 0) {
    *data = 42;
    atomic_in<S>(*first).store(1, Writer);
  } else if (t == 1) {
    wait_for<S>(*first, 1, Reader);
    atomic_in<of_device>(*second).store(1, release);
  } else if (t == 2) {
    wait_for<of_device>(*second, 1, acquire);
    *got = *data;
  }
}

/// ISA2: the thread between reads the first flag without an order, or its own hand-over is without one.
template <cuda::thread_scope S, cuda::memory_order Writer, cuda::memory_order Reader>
__global__ void broken_between(int* cells) {
  int *data = cells, *first = cells + 1, *second = cells + 2, *got = cells + 3;
  const int t = thread_of_test(3);
  if (t == 0) {
    *data = 42;
    atomic_in<S>(*first).store(1, release);
  } else if (t == 1) {
    wait_for<S>(*first, 1, Reader);
    atomic_in<S>(*second).store(1, Writer);
  } else if (t == 2) {
    wait_for<S>(*second, 1, acquire);
    *got = *data;
  }
}

/// WRC: thread 1 has seen what 0 wrote, and 2 reads it behind 1's flag, plainly. It is what 0 wrote only
/// where 0 and 1 order their accesses, too.
template <cuda::thread_scope S, cuda::memory_order Writer, cuda::memory_order Reader>
__global__ void write_to_read(int* cells) {
  int *data = cells, *flag = cells + 1, *got = cells + 2;
  const int t = thread_of_test(3);
  if (t == 0) {
    atomic_in<S>(*data).store(42, Writer);
  } else if (t == 1) {
    wait_for<S>(*data, 42, Reader);
    atomic_in<S>(*flag).store(1, release);
  } else if (t == 2) {
    wait_for<S>(*flag, 1, acquire);
    *got = *data;
  }
}

/// The flag is updated by a thread between, without an order: what 2 reads hands on what 0 stored.
template <cuda::thread_scope S, cuda::memory_order Writer, cuda::memory_order Reader>
__global__ void updated_between(int* cells) {
  int *data = cells, *flag = cells + 1, *got = cells + 2;
  const int t = thread_of_test(3);
  if (t == 0) {
    *data = 42;
    atomic_in<S>(*flag).store(1, Writer);
  } else if (t == 1) {
    for (int one = 1; !atomic_in<S>(*flag).compare_exchange_strong(one, 2, relaxed); one = 1) {}
  } else if (t == 2) {
    wait_for<S>(*flag, 2, Reader);
    *got = *data;
  }
}

/// IRIW: two threads write a cell each, two read both.
template <cuda::thread_scope S, cuda::memory_order Store, cuda::memory_order Load>
__global__ void independent_reads(int* cells) {
  int* got = cells + 2;
  const int t = thread_of_test(4);
  if (t < 0) return;
  if (t < 2) {
    atomic_in<S>(cells[t]).store(1, Store);
  } else {
    got[2 * t - 4] = atomic_in<S>(cells[t - 2]).load(Load);
    got[2 * t - 3] = atomic_in<S>(cells[3 - t]).load(Load);
  }
}

template <cuda::thread_scope S>
void launch_in(Cells& cells) {
  cells.launch(handed_on<S, release, acquire>, 3);
  cells.launch(handed_on<S, seq_cst, seq_cst>, 3);
  cells.launch(handed_on<S, relaxed, relaxed>, 3);
  cells.launch(handed_on_further<S, release, acquire>, 3);
  cells.launch(handed_on_further<S, relaxed, acquire>, 3);
  cells.launch(broken_between<S, release, relaxed>, 3);
  cells.launch(broken_between<S, relaxed, acquire>, 3);
  cells.launch(write_to_read<S, release, acquire>, 3);
  cells.launch(write_to_read<S, relaxed, relaxed>, 3);
  cells.launch(updated_between<S, release, acquire>, 3);
  cells.launch(updated_between<S, release, relaxed>, 3);
  cells.launch(independent_reads<S, relaxed, relaxed>, 4);
  cells.launch(independent_reads<S, release, acquire>, 4);
  cells.launch(independent_reads<S, seq_cst, seq_cst>, 4);
}

int main() {
  Cells cells;
  launch_in<of_block>(cells);
  launch_in<of_device>(cells);
  // a report names 64 races at most
  cells.launch(handed_on<of_system, release, acquire>, 3);
  cells.launch(handed_on<of_system, relaxed, relaxed>, 3);
  cells.launch(independent_reads<of_system, seq_cst, seq_cst>, 4);
  cells.launch(handed_on<of_thread, release, acquire>, 3);
  cells.launch(independent_reads<of_thread, relaxed, relaxed>, 4);
  return cudaDeviceSynchronize() != cudaSuccess;
}
