#include "engine/analysis/bulk.hpp"

#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace bscope {
namespace {
constexpr size_t huge = size_t(2) << 20;
constexpr bool is_large(size_t bytes) { return bytes >= 2 * huge; }
}  // namespace

void* bulk_allocate(size_t bytes) {
  if (!is_large(bytes)) return ::operator new(bytes);
  void* const p = ::operator new(bytes, std::align_val_t(huge));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  ::madvise(p, bytes, MADV_HUGEPAGE);  // a wish: without it all goes on, a little slower
#endif
  return p;
}

void bulk_free(void* p, size_t bytes) noexcept {
  if (is_large(bytes))
    ::operator delete(p, std::align_val_t(huge));
  else
    ::operator delete(p);
}

}  // namespace bscope
