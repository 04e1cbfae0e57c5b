// Who goes on when a fiber stops.
#pragma once

namespace bscope::fiber {

/// The fiber that goes on, its stack, and what its body is given; nobody: whoever runs the fibers.
struct Next {
  void* fiber = nullptr;
  void* data = nullptr;
  char* stack = nullptr;
};

}  // namespace bscope::fiber
