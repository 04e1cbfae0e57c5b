// Memory of the program's that its kernels use, too, by the same address (managed, pinned). The build chooses
// how it is made: host_memory.cpp from the heap, for WebAssembly, whose addresses are small.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bscope::cuda {

/// New memory of zeros, from the beginning of a page on, with gap_of_host bytes free before and behind it.
/// nullptr: there is not so much.
std::byte* take_host_memory(uint64_t bytes);
void give_back_host_memory(std::byte*, uint64_t bytes);
/// The address by which the program and its kernels know it. In a page it is marked (SYSTEM_MARK), so that
/// each of the host's accesses is noticed; the page takes the mark off.
uint64_t address_of_host_memory(const std::byte*);
/// Whether that address is in such memory, up to the end of its last page.
bool is_host_memory(uint64_t address);

}  // namespace bscope::cuda
