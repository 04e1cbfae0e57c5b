// Fibers on stacks of their own; AddressSanitizer learns of each switch.
#pragma once

#include <pthread.h>
#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include "engine/simt/cpu_fiber_next.hpp"
#include "engine/simt/cpu_fiber_switch.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define BARRIERSCOPE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BARRIERSCOPE_ASAN 1
#endif
#endif
#ifdef BARRIERSCOPE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace bscope::fiber {

inline constexpr size_t page = 4096;
/// Kernels keep little on the stack, but the sanitizers make frames several times larger. An odd number of
/// pages, for the tops of stacks that lay a power of two apart would share a few places in the processor's
/// table of translated addresses.
inline constexpr size_t stack_bytes = (256 << 10) + page;

/// The context of the caller of run(), while fibers run.
inline constinit thread_local void* outside = nullptr;

/// The stack that the calling OS thread was started with; only AddressSanitizer asks.
inline std::pair<const void*, size_t> own_stack() {
#ifdef BARRIERSCOPE_ASAN
  thread_local const std::pair<const void*, size_t> own = [] {
    pthread_attr_t attributes;
    void* begin = nullptr;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return std::pair<const void*, size_t>();
    pthread_attr_getstack(&attributes, &begin, &size);
    pthread_attr_destroy(&attributes);
    return std::pair<const void*, size_t>(begin, size);
  }();
  return own;
#else
  return {};
#endif
}

/// Switches to the context `to`, whose stack is given; returns when a fiber switches to `from`.
[[gnu::always_inline]] inline void go(void*& from, void* to, void* data, [[maybe_unused]] const void* bottom,
                                      [[maybe_unused]] size_t size) {
#ifdef BARRIERSCOPE_ASAN
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, bottom, size);
#endif
  change(from, to, data);
#ifdef BARRIERSCOPE_ASAN
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
}

/// Switches to `next`, or, where that is empty, to the caller of run().
[[gnu::always_inline]] inline void leave(void*& from, Next next) {
  if (next.fiber) {
    go(from, next.fiber, next.data, next.stack + page, stack_bytes - page);
  } else {
    const auto [bottom, size] = own_stack();
    go(from, outside, nullptr, bottom, size);
  }
}

inline void run(Next first) { go(outside, first.fiber, first.data, first.stack + page, stack_bytes - page); }

/// A fiber is never gone through again: its stack holds what it was about.
constexpr bool again() { return false; }

template <class Body>
void* make(char* stack, size_t number) {
  // the tops are staggered, so that they do not all fall on the same cache sets
  char* top = stack + stack_bytes - number % 31 * 128;
  return new_context(top, size_t(top - stack) - page, [](void* data) {
#ifdef BARRIERSCOPE_ASAN
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
    for (;;) {
      Body::run(data);
      leave(Body::fiber(data), Body::end(data));
    }
  });
}

/// Stacks, whose address space is taken a warp's at a time and whose memory when they are first used.
class Stacks {
 public:
  Stacks() = default;
  ~Stacks() {
    for (char* piece : pieces_) {
#ifdef BARRIERSCOPE_ASAN
      // Fibers end wherever they are: what their frames had poisoned must not stay so for the next owner of
      // these addresses.
      __asan_unpoison_memory_region(piece, piece_bytes);
#endif
      munmap(piece, piece_bytes);
    }
  }
  Stacks(const Stacks&) = delete;
  /// The k-th stack; its lowest page becomes a guard. Throws std::bad_alloc.
  char* guarded(size_t k) {
    while (pieces_.size() <= k / in_a_piece) {
      pieces_.reserve(pieces_.size() + 1);
      void* p = mmap(nullptr, piece_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (p == MAP_FAILED) throw std::bad_alloc();
      pieces_.push_back(static_cast<char*>(p));
    }
    char* stack = pieces_[k / in_a_piece] + k % in_a_piece * stack_bytes;
    if (mprotect(stack, page, PROT_NONE) != 0) throw std::bad_alloc();
    return stack;
  }

 private:
  static constexpr size_t in_a_piece = 32, piece_bytes = in_a_piece * stack_bytes;
  std::vector<char*> pieces_;
};

}  // namespace bscope::fiber
