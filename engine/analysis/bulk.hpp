// Memory for millions of things at once.
#pragma once

#include <cstddef>
#include <vector>

namespace bscope {

/// As operator new and delete; large pieces come in huge pages where the system has them, so that the first
/// touch of each 4 KiB does not cost a fault.
void* bulk_allocate(size_t bytes);
void bulk_free(void*, size_t bytes) noexcept;

/// For vectors whose elements the caller fills in after making room for them: resize() leaves new elements as
/// they are.
template <class T>
struct BulkAllocator {
  using value_type = T;
  BulkAllocator() = default;
  template <class U>
  BulkAllocator(const BulkAllocator<U>&) {}
  T* allocate(size_t n) { return static_cast<T*>(bulk_allocate(n * sizeof(T))); }
  void deallocate(T* p, size_t n) noexcept { bulk_free(p, n * sizeof(T)); }
  template <class U>
  void construct(U*) noexcept {}
  template <class U, class... Args>
  void construct(U* p, Args&&... args) {
    ::new (static_cast<void*>(p)) U(static_cast<Args&&>(args)...);
  }
  bool operator==(const BulkAllocator&) const = default;
};
template <class T>
using Bulk = std::vector<T, BulkAllocator<T>>;

}  // namespace bscope
