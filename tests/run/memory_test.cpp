// How much memory looking at a trace may take: a trace that this program made can be looked at.
#include "app/run/memory.hpp"

#include <gtest/gtest.h>

#include "engine/catalog/estimate.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

/// Of so many global cells and events.
Trace trace_with(int cells, size_t events) {
  Trace t;
  t.arrays.push_back({.name = "a", .size = cells});
  t.launches.emplace_back();
  t.launches[0].blocks.emplace_back();
  t.launches[0].blocks[0].events.resize(events);
  return t;
}

TEST(MemoryOfATrace, IsCountedByItsEventsAndCells) {
  const double before = memory_limit();
  limit_memory(2e9);
  // three arrays of 1 << 23 floats, as of a long vector addition: their file is large, and holds few events
  EXPECT_NO_THROW(refuse_if_too_large("a.bscope", trace_with(3 << 23, 1000)));
  EXPECT_THROW(refuse_if_too_large("a.bscope", trace_with(1 << 26, 1000)), UsageError);
  limit_memory(2e7);
  EXPECT_NO_THROW(refuse_if_too_large("a.bscope", trace_with(0, 50'000)));
  EXPECT_THROW(refuse_if_too_large("a.bscope", trace_with(0, 200'000)), UsageError);
  limit_memory(before);
}

}  // namespace
}  // namespace bscope
