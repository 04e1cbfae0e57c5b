#include "engine/cuda/machine/builtins.hpp"

namespace bscope::cuda {

Builtins::Builtins() {
  for (const auto group : {add_positions, add_barriers, add_warp, add_atomics, add_integers, add_mathematics,
                           add_blocks_of_memory, add_messages})
    group(*this);
}

const Builtins& Builtins::all() {
  static const Builtins builtins;
  return builtins;
}

/// LLVM's own have the types that they work on behind their names: llvm.memcpy.p0.p0.i64.
Builtin Builtins::find(std::string_view name) const {
  for (;;) {
    if (const auto it = known_.find(std::string(name)); it != known_.end()) return it->second;
    const size_t dot = name.rfind('.');
    if (!name.starts_with("llvm.") || dot <= 4) return {};
    name = name.substr(0, dot);
  }
}

}  // namespace bscope::cuda
