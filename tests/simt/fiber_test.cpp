// What stacks leave behind, as AddressSanitizer sees it.
#include <gtest/gtest.h>

#include <cstddef>

#include "engine/simt/cpu_fiber.hpp"

namespace bscope {
namespace {

#ifdef BARRIERSCOPE_ASAN
// Fibers of a launch that ended early were left in the middle of their frames, and the next owner of the
// addresses (another thread's stack) was reported to access its own variables out of bounds.
TEST(Fiber, StacksForbidNothingOnceTheyAreGivenBack) {
  constexpr size_t frame = 64;
  char* top = nullptr;
  {
    fiber::Stacks stacks;
    top = stacks.guarded(0) + fiber::stack_bytes - frame;
    __asan_poison_memory_region(top, frame);
    ASSERT_TRUE(__asan_address_is_poisoned(top));
  }
  EXPECT_FALSE(__asan_address_is_poisoned(top));
}
#endif

}  // namespace
}  // namespace bscope
