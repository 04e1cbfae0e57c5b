// Allocations of the program, for the calls that make them.
#pragma once

#include "engine/cuda/runtime/runtime.hpp"

namespace bscope::cuda {

/// New memory for the call named `by`. No bytes give a null pointer.
/// Answers a request for more memory than there is. A GPU may have it: then the program ends here, and
/// nothing is said against it.
cudaError_t refuse_memory(Runtime&, uint64_t bytes, const char* by);
cudaError_t allocate(Runtime&, void** pointer, size_t bytes, Placement, const char* by);
/// The same, counted in a pool; nullptr: the device's current one (pools.cpp).
cudaError_t allocate_in_pool(Runtime&, void** pointer, size_t bytes, cudaMemPool_t, const char* by);
/// An allocation node of a graph gave this memory: each launch of the graph has it again, also after the
/// host has freed it.
void belongs_to_graph(uint64_t address);
bool is_of_graph(uint64_t address);
/// An allocation is freed.
void give_back_to_pool(const Allocation&);

}  // namespace bscope::cuda
