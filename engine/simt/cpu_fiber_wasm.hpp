// Fibers in WebAssembly, where no program sees its stack: wasm-opt's Asyncify rewrites what lies between a
// kernel and leave(), so that it can return to run(), and be gone through again later to where it was
// (cmake/web.cmake says what is rewritten). No JavaScript takes part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/simt/cpu_fiber_next.hpp"

namespace bscope::fiber {

/// Of a fiber: the header, what Asyncify keeps of functions that are left, a canary, and the stack of what
/// has an address.
inline constexpr size_t stack_bytes = 16 << 10, frames_bytes = 6 << 10;

/// Lies at the bottom of its stack.
struct Fiber {
  char *frames, *frames_end;  ///< Asyncify's own two words: where it goes on, and where its room ends
  char* top;                  ///< of the stack
  void* at;                   ///< where the stack stood when the fiber left
  void (*run)(void*);
  Next (*end)(void*);
  uint64_t* canary;
  bool asleep;
};

/// Whether Body::run is only gone through again, to where the fiber left.
bool again();
void leave(void*& from, Next next);
void run(Next first);

void* make(char* stack, void (*run)(void*), Next (*end)(void*));
template <class Body>
void* make(char* stack, size_t) {
  return make(stack, Body::run, Body::end);
}

/// Stacks, taken a warp's at a time. Nothing guards them but a canary, looked at whenever a fiber leaves.
class Stacks {
 public:
  char* guarded(size_t k) {
    while (pieces_.size() <= k / in_a_piece) pieces_.push_back(std::make_unique<StackChunk>());
    return pieces_[k / in_a_piece]->bytes + k % in_a_piece * stack_bytes;
  }

 private:
  static constexpr size_t in_a_piece = 32;
  struct alignas(64) StackChunk {
    char bytes[in_a_piece * stack_bytes];
  };
  std::vector<std::unique_ptr<StackChunk>> pieces_;
};

}  // namespace bscope::fiber
