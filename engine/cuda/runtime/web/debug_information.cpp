// In a page, which knows the program's stack and reads its debug information.
#include "engine/cuda/runtime/debug_information.hpp"

#include <array>

#include "engine/cuda/runtime/call_site.hpp"
#include "engine/cuda/web/system.h"

namespace bscope::cuda {

void for_each_place(uintptr_t at, const std::function<bool(const CodePlace&)>& take) {
  std::array<char, 4096> file, function;
  for (int depth = 0;; ++depth) {
    const int line = system_place(at, depth, file.data(), file.size(), function.data(), function.size());
    if (line < 0) return;
    if (take({*file.data() ? file.data() : nullptr, line, *function.data() ? function.data() : nullptr}))
      return;
  }
}

Stack Stack::now() {
  Stack stack;
  std::array<uint64_t, most> offsets;
  stack.depth = system_stack(offsets.data(), most);
  for (int k = 0; k < stack.depth; ++k) stack.at[k] = offsets[size_t(k)];
  return stack;
}

// A linked module of WebAssembly has no names of variables.
std::string symbol_at(const void*) { return {}; }

}  // namespace bscope::cuda
