// What device code may call without having it: CUDA's own functions, by the names that the headers declare
// and that clang makes of C++.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/cuda/machine/value.hpp"

namespace bscope::cuda {

class Interpreter;
struct BytecodeInstruction;
struct Call;

/// One call of a builtin.
struct BuiltinCall {
  std::span<const Value> arguments;
  ElementType kind;  ///< of the name's suffix: __bscope_atomic_add_u32 works on ElementType::u32
  uint8_t what;      ///< which of its group it is
  uint32_t line;
  const Call& call;
  const Value& operator[](size_t k) const { return arguments[k]; }
};

struct Builtin {
  Value (*run)(Interpreter&, const BuiltinCall&) = nullptr;
  ElementType kind = ElementType::i32;
  uint8_t what = 0;
  uint8_t arguments = 0;  ///< at least
};

/// All of them by name. Each group registers its own.
class Builtins {
 public:
  static const Builtins& all();
  /// Of a name as it stands in device code: "__bscope_shuffle_f32", "llvm.fma.f32". Without `run`: unknown.
  Builtin find(std::string_view name) const;
  /// The same function as the headers name it: clang's own declare fmax(float, float), which is _ZL4fmaxff.
  static std::string our_name(std::string_view name);
  void add(std::string name, Builtin b) { known_.emplace(std::move(name), b); }

 private:
  Builtins();
  std::unordered_map<std::string, Builtin> known_;
};

void add_positions(Builtins&);         ///< threadIdx, blockDim, laneid, clock
void add_barriers(Builtins&);          ///< __syncthreads and its votes, fences, the grid's barrier
void add_warp(Builtins&);              ///< shuffles, votes, matches, sums
void add_matrices(Builtins&);          ///< products of small matrices by a warp
void add_atomics(Builtins&);           ///< atomicAdd and its like
void add_integers(Builtins&);          ///< min, max, bits, overflow
void add_simd(Builtins&);              ///< halves and bytes of a word
void add_mathematics(Builtins&);       ///< sqrt, sin, fma
void add_small_floats(Builtins&);      ///< half precision and bfloat16
void add_random(Builtins&);            ///< what cuRAND's generators need
void add_roundings(Builtins&);         ///< operations whose rounding is named
void add_blocks_of_memory(Builtins&);  ///< memcpy, memset, malloc, free
void add_textures(Builtins&);          ///< fetches from textures, reads and writes of surfaces
void add_children(Builtins&);          ///< launches in kernels (interpreter_children.cpp)
void add_clusters(Builtins&);          ///< clusters of blocks and their shared memory
void add_messages(Builtins&);          ///< printf, assert, __trap, what is not supported

}  // namespace bscope::cuda
