// Pages of the operating system's.
#include <sys/mman.h>

#include <algorithm>

#include "engine/cuda/machine/memory.hpp"

namespace bscope::cuda {
namespace {
constexpr uint64_t large = uint64_t(8) << 20;
}

bool Pages::take(uint64_t bytes, uint64_t address) {
  const int fixed = address ? MAP_FIXED_NOREPLACE : 0;
  bytes_ = std::max<uint64_t>(bytes, 1) + 8;  // a cell that is cut short is still read whole
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the address that is asked for
  void* p = mmap(reinterpret_cast<void*>(address), bytes_, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
  if (p == MAP_FAILED) return false;
  data_ = static_cast<uint8_t*>(p);
  if (bytes >= large) madvise(p, bytes_, MADV_HUGEPAGE);  // a wish: a page fault for each 4 KB takes longer
  if (address == 0 || reinterpret_cast<uint64_t>(data_) == address) return true;
  release();  // an old kernel, which takes the address for a hint
  return false;
}
void Pages::release() {
  if (data_) munmap(data_, bytes_);
  data_ = nullptr;
}

}  // namespace bscope::cuda
