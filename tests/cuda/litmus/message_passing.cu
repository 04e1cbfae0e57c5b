// Message passing (MP): a thread writes data, then a flag; another waits for the flag and reads the data. On
// a GPU a flag of too narrow a scope may never be seen: then the program does not end.
#include "litmus.cuh"

template <cuda::thread_scope S, cuda::memory_order Store, cuda::memory_order Load>
__global__ void stores(int* cells) {
  int *data = cells, *flag = cells + 1, *got = cells + 2;
  const int t = thread_of_test();
  if (t == 0) {
    *data = 42;
    atomic_in<S>(*flag).store(1, Store);
  } else if (t == 1) {
    while (atomic_in<S>(*flag).load(Load) == 0) {}
    *got = *data;
  }
}

template <cuda::thread_scope S, cuda::memory_order Writer, cuda::memory_order Reader>
__global__ void updates(int* cells) {
  int *data = cells, *flag = cells + 1, *got = cells + 2;
  const int t = thread_of_test();
  if (t == 0) {
    *data = 42;
    atomic_in<S>(*flag).fetch_add(1, Writer);
  } else if (t == 1) {
    while (atomic_in<S>(*flag).fetch_max(0, Reader) == 0) {}
    *got = *data;
  }
}

/// The flag is updated once more before the other waits for it: what it reads is the update, which hands on
/// what was stored before.
template <cuda::thread_scope S, cuda::memory_order Store, cuda::memory_order Load>
__global__ void sequences(int* cells) {
  int *data = cells, *flag = cells + 1, *got = cells + 2;
  const int t = thread_of_test();
  if (t == 0) {
    *data = 42;
    atomic_in<S>(*flag).store(1, Store);
    atomic_in<S>(*flag).fetch_add(1, relaxed);
  } else if (t == 1) {
    while (atomic_in<S>(*flag).load(Load) < 2) {}
    *got = *data;
  }
}

/// Each waits for the other's flag in turn: what the first has written before it waits is read behind both.
template <cuda::thread_scope S, cuda::memory_order Writer, cuda::memory_order Reader>
__global__ void there_and_back(int* cells) {
  int *data = cells, *flag = cells + 1, *got = cells + 2;
  const int t = thread_of_test();
  if (t == 0) {
    *data = 41;
    atomic_in<S>(*flag).store(1, Writer);
    while (atomic_in<S>(*flag).load(Reader) != 2) {}
    *got = *data;
  } else if (t == 1) {
    while (atomic_in<S>(*flag).load(Reader) == 0) {}
    *data += 1;
    atomic_in<S>(*flag).store(2, Writer);
  }
}

/// The flag is relaxed and of the device; the fences have the scope.
template <cuda::thread_scope S, cuda::memory_order Writer, cuda::memory_order Reader>
__global__ void fences(int* cells) {
  int *data = cells, *flag = cells + 1, *got = cells + 2;
  const int t = thread_of_test();
  if (t == 0) {
    *data = 42;
    cuda::atomic_thread_fence(Writer, S);
    atomic_in<of_device>(*flag).store(1, relaxed);
  } else if (t == 1) {
    while (atomic_in<of_device>(*flag).load(relaxed) == 0) {}
    cuda::atomic_thread_fence(Reader, S);
    *got = *data;
  }
}

template <cuda::thread_scope S>
void launch_in(Cells& cells) {
  cells.launch(stores<S, release, acquire>);
  cells.launch(stores<S, seq_cst, seq_cst>);
  cells.launch(stores<S, release, relaxed>);
  cells.launch(stores<S, relaxed, acquire>);
  cells.launch(stores<S, relaxed, relaxed>);
  cells.launch(updates<S, release, acquire>);
  cells.launch(updates<S, acq_rel, acq_rel>);
  cells.launch(updates<S, seq_cst, seq_cst>);
  cells.launch(updates<S, relaxed, relaxed>);
  cells.launch(sequences<S, release, acquire>);
  cells.launch(sequences<S, release, relaxed>);
  cells.launch(sequences<S, relaxed, acquire>);
  cells.launch(there_and_back<S, release, acquire>);
  cells.launch(there_and_back<S, seq_cst, seq_cst>);
  cells.launch(there_and_back<S, relaxed, relaxed>);
  cells.launch(fences<S, release, acquire>);
  cells.launch(fences<S, acq_rel, acq_rel>);
  cells.launch(fences<S, seq_cst, seq_cst>);
}

int main() {
  Cells cells;
  cells.launch(stores<of_thread, release, acquire>);
  cells.launch(fences<of_thread, seq_cst, seq_cst>);
  launch_in<of_block>(cells);
  launch_in<of_device>(cells);
  launch_in<of_system>(cells);
  return cudaDeviceSynchronize() != cudaSuccess;
}
