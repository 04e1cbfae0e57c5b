// Pages where there is no operating system: memory of the heap. What the host sees lies in the program's
// module.
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "engine/cuda/machine/memory.hpp"

namespace bscope::cuda {

bool Pages::take(uint64_t bytes, uint64_t address) {
  const uint64_t all = std::max<uint64_t>(bytes, 1) + 8;  // a cell that is cut short is still read whole
  if (address || all > std::numeric_limits<size_t>::max() / 2) return false;
  bytes_ = size_t(all);
  data_ = static_cast<uint8_t*>(std::calloc(bytes_, 1));
  return data_ != nullptr;
}
void Pages::release() {
  std::free(data_);
  data_ = nullptr;
}

}  // namespace bscope::cuda
