// The one device: what it is like, and what can be set of it.
#include <cstring>
#include <string>

#include "engine/cuda/machine/device_model.hpp"
#include "engine/cuda/runtime/arrays.hpp"
#include "engine/cuda/runtime/runtime.hpp"
#include "engine/cuda/runtime/stream_handles.hpp"

namespace bscope::cuda {
namespace {

constexpr int version = 12000;
/// "Barrierscope (an H100 played by the CPU)".
std::string device_name(const DeviceModel& m) {
  return "Barrierscope (" + std::string(m.product.empty() ? "a GPU" : m.product) + " played by the CPU)";
}

/// Limits that programs set and ask for; only that of malloc() in kernels has an effect here.
size_t& limit_of(cudaLimit limit) {
  static size_t limits[cudaLimitPersistingL2CacheSize + 1] = {1024, 1u << 20, 8u << 20, 2, 2048, 64, 0};
  return limits[limit];
}

template <class T>
cudaError_t answer(T* to, T value) {
  return api([&](Runtime&) { return to ? (*to = value, cudaSuccess) : cudaErrorInvalidValue; });
}

cudaError_t done() {
  return api([](Runtime&) { return cudaSuccess; });
}

void describe(const Runtime& runtime, cudaDeviceProp& p) {
  const DeviceModel& device = *runtime.settings.limits.device;
#define SET(member, attribute) p.member = *attribute_of(device, cudaDevAttr##attribute)
  SET(sharedMemPerBlock, MaxSharedMemoryPerBlock);
  SET(regsPerBlock, MaxRegistersPerBlock);
  SET(warpSize, WarpSize);
  SET(memPitch, MaxPitch);
  SET(maxThreadsPerBlock, MaxThreadsPerBlock);
  SET(maxThreadsDim[0], MaxBlockDimX);
  SET(maxThreadsDim[1], MaxBlockDimY);
  SET(maxThreadsDim[2], MaxBlockDimZ);
  SET(maxGridSize[0], MaxGridDimX);
  SET(maxGridSize[1], MaxGridDimY);
  SET(maxGridSize[2], MaxGridDimZ);
  SET(clockRate, ClockRate);
  SET(totalConstMem, TotalConstantMemory);
  SET(major, ComputeCapabilityMajor);
  SET(minor, ComputeCapabilityMinor);
  SET(textureAlignment, TextureAlignment);
  SET(texturePitchAlignment, TexturePitchAlignment);
  SET(surfaceAlignment, SurfaceAlignment);
  describe_textures(p);
  SET(multiProcessorCount, MultiProcessorCount);
  SET(canMapHostMemory, CanMapHostMemory);
  SET(concurrentKernels, ConcurrentKernels);
  SET(deviceOverlap, GpuOverlap);
  SET(asyncEngineCount, AsyncEngineCount);
  SET(streamPrioritiesSupported, StreamPrioritiesSupported);
  SET(computePreemptionSupported, ComputePreemptionSupported);
  SET(unifiedAddressing, UnifiedAddressing);
  SET(memoryClockRate, MemoryClockRate);
  SET(memoryBusWidth, GlobalMemoryBusWidth);
  SET(l2CacheSize, L2CacheSize);
  SET(maxThreadsPerMultiProcessor, MaxThreadsPerMultiProcessor);
  SET(globalL1CacheSupported, GlobalL1CacheSupported);
  SET(localL1CacheSupported, LocalL1CacheSupported);
  SET(sharedMemPerMultiprocessor, MaxSharedMemoryPerMultiprocessor);
  SET(regsPerMultiprocessor, MaxRegistersPerMultiprocessor);
  SET(managedMemory, ManagedMemory);
  SET(singleToDoublePrecisionPerfRatio, SingleToDoublePrecisionPerfRatio);
  SET(concurrentManagedAccess, ConcurrentManagedAccess);
  SET(canUseHostPointerForRegisteredMem, CanUseHostPointerForRegisteredMem);
  SET(cooperativeLaunch, CooperativeLaunch);
  SET(sharedMemPerBlockOptin, MaxSharedMemoryPerBlockOptin);
  SET(directManagedMemAccessFromHost, DirectManagedMemAccessFromHost);
  SET(maxBlocksPerMultiProcessor, MaxBlocksPerMultiprocessor);
  SET(hostRegisterSupported, HostRegisterSupported);
  SET(memoryPoolsSupported, MemoryPoolsSupported);
  SET(clusterLaunch, ClusterLaunch);
  SET(reservedSharedMemPerBlock, ReservedSharedMemoryPerBlock);
#undef SET
  std::strcpy(p.name, device_name(device).c_str());
  p.totalGlobalMem = runtime.settings.limits.memory;
}

}  // namespace
}  // namespace bscope::cuda

using namespace bscope::cuda;

cudaError_t cudaDeviceSynchronize() {
  return waiting([](Runtime& runtime) {
    if (const auto error = may_call_while_capturing(runtime, "cudaDeviceSynchronize")) return error;
    return runtime.order.host_waits_for_all(), cudaSuccess;
  });
}
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaDeviceReset() {
  const ApiCallGuard inside;
  Runtime& runtime = Runtime::get();
  runtime.errors.reset();
  runtime.allocations.clear();  // the driver takes them back
  runtime.order.host_waits_for_all();
  return cudaSuccess;
}
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

cudaError_t cudaSetDevice(int device) {
  return api([&](Runtime&) { return check_device(device); });
}
cudaError_t cudaGetDevice(int* device) { return answer(device, 0); }
cudaError_t cudaGetDeviceCount(int* count) { return answer(count, 1); }
cudaError_t cudaSetDeviceFlags(unsigned int) { return done(); }
cudaError_t cudaGetDeviceFlags(unsigned int* flags) { return answer(flags, 0u); }
cudaError_t cudaSetValidDevices(int*, int) { return done(); }
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return answer(device, 0); }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return api([&](Runtime& runtime) {
    if (!properties) return cudaErrorInvalidValue;
    if (const auto error = check_device(device)) return error;
    runtime.asked_for_device = true;
    *properties = {};
    describe(runtime, *properties);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return api([&](Runtime& r) {
    if (const auto error = check_device(device)) return error;
    r.asked_for_device = true;
    const auto known = attribute_of(*r.settings.limits.device, attribute);
    return value && known ? (*value = *known, cudaSuccess) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return api([&](Runtime&) {
    constexpr const char* id = "0000:00:00.0";
    if (!text || length <= int(std::strlen(id))) return cudaErrorInvalidValue;
    if (const auto error = check_device(device)) return error;
    std::strcpy(text, id);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return done(); }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return answer(config, cudaFuncCachePreferNone);
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return done(); }
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return answer(config, cudaSharedMemBankSizeFourByte);
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return api([&](Runtime& runtime) {
    if (limit < 0 || limit > cudaLimitPersistingL2CacheSize) return cudaErrorUnsupportedLimit;
    limit_of(limit) = value;
    if (limit == cudaLimitMallocHeapSize) runtime.machine.set_heap_bytes(value);
    if (limit == cudaLimitDevRuntimePendingLaunchCount) runtime.machine.set_pending_children(value);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return api([&](Runtime&) {
    if (!value || limit < 0 || limit > cudaLimitPersistingL2CacheSize) return cudaErrorUnsupportedLimit;
    *value = limit_of(limit);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) { return answer(can, 0); }
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) {
  return api([](Runtime&) { return cudaErrorInvalidDevice; });
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
  return api([](Runtime&) { return cudaErrorPeerAccessNotEnabled; });
}
cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
  return api([](Runtime&) { return cudaErrorInvalidDevice; });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api([&](Runtime&) {
    if (least) *least = least_priority;
    if (greatest) *greatest = greatest_priority;
    return cudaSuccess;
  });
}
cudaError_t cudaDriverGetVersion(int* number) { return answer(number, version); }
cudaError_t cudaRuntimeGetVersion(int* number) { return answer(number, version); }
cudaError_t cudaCtxResetPersistingL2Cache() { return done(); }
cudaError_t cudaProfilerStart() { return done(); }
cudaError_t cudaProfilerStop() { return done(); }
