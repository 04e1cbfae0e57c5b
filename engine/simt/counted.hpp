// Sums that know how many parts they have: what Counted<T> is made of, and what it gives back.
#pragma once

#include "engine/simt/tracked.hpp"

namespace bscope {
inline namespace HALF {

/// counted(sum): one part.
template <class V>
  requires std::is_arithmetic_v<V>
DEVICE Counted<V> counted(V sum) {
  return {1, sum};
}
template <class V>
DEVICE V sum_of(Counted<V> c) {
  return c.value;
}
template <class V>
DEVICE int count_of(Counted<V> c) {
  return int(c.count);
}

}  // namespace HALF
}  // namespace bscope
