#include "engine/cuda/machine/builtins.hpp"

#include <algorithm>
#include <charconv>

namespace bscope::cuda {
namespace {

/// clang's own headers declare mathematics for device code as C++ functions of floats or doubles:
/// fmax(float, float) is _ZL4fmaxff. Our name for it; empty: it is no such function.
std::string mathematics_named(std::string_view mangled) {
  if (!mangled.starts_with("_Z")) return {};
  mangled.remove_prefix(mangled.starts_with("_ZL") ? 3 : 2);
  size_t length = 0;
  const char* const begin = std::from_chars(mangled.data(), mangled.data() + mangled.size(), length).ptr;
  mangled.remove_prefix(size_t(begin - mangled.data()));
  if (length == 0 || length >= mangled.size()) return {};
  const std::string_view types = mangled.substr(length);
  if (types.find_first_not_of(types[0]) != std::string_view::npos) return {};
  const std::string name = "__bscope_math_" + std::string(mangled.substr(0, length));
  return types[0] == 'f' ? name + "_f32" : types[0] == 'd' ? name + "_f64" : std::string();
}

}  // namespace

Builtins::Builtins() {
  for (const auto group : {add_positions, add_barriers, add_warp, add_matrices, add_atomics, add_integers,
                           add_simd, add_mathematics, add_small_floats, add_random, add_roundings,
                           add_blocks_of_memory, add_textures, add_children, add_clusters, add_messages})
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
    if (!name.starts_with("llvm.") || dot == std::string_view::npos || dot <= 4) break;
    name = name.substr(0, dot);
  }
  const auto it = known_.find(our_name(name));
  return it == known_.end() ? Builtin() : it->second;
}

std::string Builtins::our_name(std::string_view name) {
  std::string ours = mathematics_named(name);
  return ours.empty() ? std::string(name) : ours;
}

}  // namespace bscope::cuda
