// Memory pools: which of them an allocation in a stream's order belongs to, and what they say of themselves.
// All memory comes from one machine; a pool counts what is used of it, and what a GPU would keep for it.
#include <algorithm>

#include "engine/cuda/runtime/graphs.hpp"
#include "engine/cuda/runtime/memory_calls.hpp"

struct CUmemPool_st {
  int reuse[3] = {1, 1, 1};  ///< the three attributes cudaMemPoolReuse...
  uint64_t threshold = 0, used = 0, used_high = 0, reserved = 0, reserved_high = 0;
  cudaMemAccessFlags access = cudaMemAccessFlagsProtReadWrite;
};

namespace bscope::cuda {
namespace {

constexpr uint64_t chunk = 32u << 20;  // that a driver reserves for a pool at once

CUmemPool_st& default_pool() {
  static CUmemPool_st pool;
  return pool;
}
cudaMemPool_t& current_pool() {
  static cudaMemPool_t pool = &default_pool();
  return pool;
}
bool is_pool(const CUmemPool_st* pool) {
  return pool == &default_pool() || living<CUmemPool_st>().contains(pool);
}
template <class Work>
cudaError_t with_pool(cudaMemPool_t pool, Work work) {
  return api([&](Runtime&) { return is_pool(pool) ? work(*pool) : cudaErrorInvalidValue; });
}

uint64_t chunks_of(uint64_t bytes) { return (bytes + chunk - 1) / chunk * chunk; }

void take(CUmemPool_st& pool, uint64_t bytes) {
  pool.used += bytes;
  pool.used_high = std::max(pool.used_high, pool.used);
  pool.reserved = std::max(pool.reserved, chunks_of(pool.used));
  pool.reserved_high = std::max(pool.reserved_high, pool.reserved);
}

}  // namespace

cudaError_t allocate_in_pool(Runtime& runtime, void** pointer, size_t bytes, cudaMemPool_t pool,
                             const char* by) {
  if (!pool) pool = current_pool();
  if (!is_pool(pool)) return cudaErrorInvalidValue;
  if (const cudaError_t error = allocate(runtime, pointer, bytes, Placement::device, by)) return error;
  if (!*pointer) return cudaSuccess;
  runtime.allocations[reinterpret_cast<uint64_t>(*pointer)].pool = pool;
  take(*pool, bytes);
  return cudaSuccess;
}

void give_back_to_pool(const Allocation& allocation) {
  if (!allocation.pool || !is_pool(allocation.pool)) return;
  CUmemPool_st& pool = *allocation.pool;
  pool.used -= std::min(pool.used, allocation.bytes);
  if (pool.reserved > pool.threshold)
    pool.reserved = std::max(chunks_of(pool.used), std::min(pool.reserved, pool.threshold / chunk * chunk));
}

}  // namespace bscope::cuda

using namespace bscope::cuda;

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return api([&](Runtime&) {
    if (!pool || !properties || properties->allocType != cudaMemAllocationTypePinned)
      return cudaErrorInvalidValue;
    if (properties->location.type == cudaMemLocationTypeDevice && properties->location.id != 0)
      return cudaErrorInvalidDevice;
    *pool = new CUmemPool_st;
    living<CUmemPool_st>().insert(*pool);
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return api([&](Runtime& r) {
    if (!living<CUmemPool_st>().erase(pool)) return cudaErrorInvalidValue;
    if (current_pool() == pool) current_pool() = &default_pool();
    for (auto& [address, allocation] : r.allocations)  // they stay until they are freed
      if (allocation.pool == pool) allocation.pool = nullptr;
    delete pool;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return with_pool(pool, [&](CUmemPool_st& p) {
    if (!value) return cudaErrorInvalidValue;
    const uint64_t number = attribute >= cudaMemPoolAttrReleaseThreshold ? *static_cast<uint64_t*>(value) : 0;
    switch (attribute) {
      case cudaMemPoolReuseFollowEventDependencies:
      case cudaMemPoolReuseAllowOpportunistic:
      case cudaMemPoolReuseAllowInternalDependencies:
        p.reuse[attribute - 1] = *static_cast<int*>(value);
        return cudaSuccess;
      case cudaMemPoolAttrReleaseThreshold: p.threshold = number; return cudaSuccess;
      case cudaMemPoolAttrReservedMemHigh:  // "can only be reset to zero"
      case cudaMemPoolAttrUsedMemHigh:
        if (number) return cudaErrorInvalidValue;
        (attribute == cudaMemPoolAttrUsedMemHigh ? p.used_high : p.reserved_high) =
            attribute == cudaMemPoolAttrUsedMemHigh ? p.used : p.reserved;
        return cudaSuccess;
      default: return cudaErrorInvalidValue;
    }
  });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return with_pool(pool, [&](CUmemPool_st& p) {
    if (!value) return cudaErrorInvalidValue;
    const auto give = [&](uint64_t number) {
      *static_cast<uint64_t*>(value) = number;
      return cudaSuccess;
    };
    switch (attribute) {
      case cudaMemPoolReuseFollowEventDependencies:
      case cudaMemPoolReuseAllowOpportunistic:
      case cudaMemPoolReuseAllowInternalDependencies:
        *static_cast<int*>(value) = p.reuse[attribute - 1];
        return cudaSuccess;
      case cudaMemPoolAttrReleaseThreshold: return give(p.threshold);
      case cudaMemPoolAttrReservedMemCurrent: return give(p.reserved);
      case cudaMemPoolAttrReservedMemHigh: return give(p.reserved_high);
      case cudaMemPoolAttrUsedMemCurrent: return give(p.used);
      case cudaMemPoolAttrUsedMemHigh: return give(p.used_high);
      default: return cudaErrorInvalidValue;
    }
  });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes) {
  return with_pool(pool, [&](CUmemPool_st& p) {
    p.reserved = std::min(p.reserved, std::max(chunks_of(p.used), chunks_of(bytes)));
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* all, size_t count) {
  return with_pool(pool, [&](CUmemPool_st& p) {
    if (count && !all) return cudaErrorInvalidValue;
    for (size_t k = 0; k < count; ++k) {
      if (all[k].location.type != cudaMemLocationTypeDevice || all[k].location.id != 0)
        return cudaErrorInvalidDevice;
      if (all[k].flags == cudaMemAccessFlagsProtNone) return cudaErrorInvalidValue;  // of its own device
      p.access = all[k].flags;
    }
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  return with_pool(pool, [&](CUmemPool_st& p) {
    if (!flags || !location) return cudaErrorInvalidValue;
    *flags = p.access;
    return cudaSuccess;
  });
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return api([&](Runtime& r) {
    if (!bscope::cuda::lives(stream)) return cudaErrorInvalidResourceHandle;
    if (!pool) return cudaErrorInvalidValue;
    const cudaError_t error = allocate_in_pool(r, pointer, bytes, pool, "cudaMallocFromPoolAsync");
    if (const auto in_capture = captured(stream, cudaGraphNodeTypeMemAlloc, nullptr)) return *in_capture;
    return error;
  });
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return api([&](Runtime&) {
    if (!pool) return cudaErrorInvalidValue;
    *pool = &default_pool();
    return check_device(device);
  });
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return api([&](Runtime&) {
    if (const auto error = check_device(device)) return error;
    if (!is_pool(pool)) return cudaErrorInvalidValue;
    current_pool() = pool;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return api([&](Runtime&) {
    if (!pool) return cudaErrorInvalidValue;
    *pool = current_pool();
    return check_device(device);
  });
}
cudaError_t cudaDeviceGraphMemTrim(int device) {
  return api([&](Runtime&) { return check_device(device); });
}
