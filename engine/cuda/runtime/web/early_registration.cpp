// In a page, which finds clang's constructors by their names.
#include <utility>

#include "engine/cuda/runtime/runtime.hpp"

extern "C" [[clang::import_module("machine"), clang::import_name("register_early")]] void
machine_register_early();

namespace bscope::cuda {

bool register_early() {
  static bool is_done = false;
  if (std::exchange(is_done, true)) return false;
  machine_register_early();
  return true;
}

}  // namespace bscope::cuda
