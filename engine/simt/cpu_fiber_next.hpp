// The fiber that goes on when another stops.
#pragma once

namespace bscope::fiber {

/// The next fiber, its stack, and the argument of its body; empty: the caller of run().
struct Next {
  void* fiber = nullptr;
  void* data = nullptr;
  char* stack = nullptr;
};

}  // namespace bscope::fiber
