// What has changed of memory that two modules have a copy of each: found by a comparison of whole pages, so
// that memory which stays as it is costs no message.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

namespace bscope::cuda {

inline constexpr size_t page_bytes = 4096;

/// Calls `f(offset, bytes)` for each run of pages in which `now` is not what is known, which is then known.
template <class F>
void for_changed_pages(std::span<const std::byte> now, std::span<std::byte> known, F f) {
  const auto length = [&](size_t at) { return std::min(page_bytes, now.size() - at); };
  const auto differs = [&](size_t at) {
    return std::memcmp(now.data() + at, known.data() + at, length(at)) != 0;
  };
  for (size_t begin = 0; begin < now.size(); begin += page_bytes) {
    if (!differs(begin)) continue;
    size_t end = begin + length(begin);
    while (end < now.size() && differs(end)) end += length(end);
    std::memcpy(known.data() + begin, now.data() + begin, end - begin);
    f(begin, now.subspan(begin, end - begin));
    begin = (end - 1) / page_bytes * page_bytes;
  }
}

}  // namespace bscope::cuda
