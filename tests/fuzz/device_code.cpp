// Any bytes give a module of device code or a std::runtime_error, in bounded time and memory. How to run it:
// tests/fuzz/README.md.
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "engine/cuda/ir/module.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    bscope::cuda::ir::read_module({reinterpret_cast<const char*>(data), size}, {"/ours"});
  } catch (const std::runtime_error&) {}
  return 0;
}
