// libFuzzer's mutations, with the file's size put right afterwards: else nearly every input of another length
// would be refused at once and nothing behind would be tried.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  size = LLVMFuzzerMutate(data, size, max_size);
  if (size >= 8 && seed % 16) {
    const auto rest = uint32_t(size - 4);
    std::memcpy(data, &rest, 4);
    std::memcpy(data + 8, "BSCP", size < 12 ? size - 8 : 4);
  }
  return size;
}
