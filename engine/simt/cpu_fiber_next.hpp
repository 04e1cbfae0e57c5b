// Who goes on when a fiber stops.
#pragma once

namespace bscope::fiber {

/// The next fiber, its stack, and the argument of its body; empty: the caller of run().
struct Next {
  void* fiber = nullptr;
  void* data = nullptr;
  char* stack = nullptr;
};

}  // namespace bscope::fiber
