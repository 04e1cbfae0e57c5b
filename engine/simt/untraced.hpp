// What a kernel's argument becomes in its untraced form. Made on the host: a device function called there
// would compile, and end the program without a word.
#pragma once

#include "engine/simt/array.hpp"
#include "engine/simt/buffer.hpp"

namespace bscope {
inline namespace HALF {

template <class T>
Array<T> untraced(Buffer<T> b) {
  return {b.data, b.count};
}
template <class T>
T untraced(T v) {
  return v;
}

}  // namespace HALF
}  // namespace bscope
