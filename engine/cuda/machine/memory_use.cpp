#include "engine/cuda/machine/memory_use.hpp"

#include <algorithm>

namespace bscope::cuda {
namespace {

/// The ranges of both, those that meet as one.
std::vector<AddressRange> united(std::vector<AddressRange> all, const std::vector<AddressRange>& more) {
  all.insert(all.end(), more.begin(), more.end());
  std::ranges::sort(all, {}, &AddressRange::begin);
  std::vector<AddressRange> few;
  for (const AddressRange& r : all)
    if (!few.empty() && r.begin <= few.back().end)
      few.back().end = std::max(few.back().end, r.end);
    else
      few.push_back(r);
  return few;
}

}  // namespace

uint64_t first_common(const std::vector<AddressRange>& a, const std::vector<AddressRange>& b) {
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    const uint64_t begin = std::max(x->begin, y->begin);
    if (begin < std::min(x->end, y->end)) return begin;
    x->end < y->end ? ++x : ++y;
  }
  return 0;
}

MemoryUse united(const MemoryUse& a, const MemoryUse& b) {
  return {united(a.read, b.read), united(a.written, b.written), united(a.updated, b.updated),
          a.tells_host || b.tells_host};
}

}  // namespace bscope::cuda
