// What a fence event belongs to.
#pragma once

#include <cstdint>

namespace bscope {

/// A release or an acquire that PTX makes in one instruction is recorded as a fence and a relaxed access.
/// Such a fence orders what its thread does around that access alone (Event::b of a fence).
enum class FencePart : uint32_t {
  whole,    ///< a fence of its own
  release,  ///< of the store or atomic behind it
  acquire,  ///< of the load or atomic in front of it
};

}  // namespace bscope
