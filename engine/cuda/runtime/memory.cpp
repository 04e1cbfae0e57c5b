// Memory for the device and for both sides: allocating, freeing and querying it.
#include <cstdint>
#include <cstring>
#include <set>

#include "engine/cuda/runtime/async_order.hpp"
#include "engine/cuda/runtime/graphs.hpp"
#include "engine/cuda/runtime/memory_calls.hpp"
#include "engine/cuda/runtime/report.hpp"
#include "engine/cuda/runtime/runtime.hpp"

namespace bscope::cuda {
namespace {

constexpr size_t pitch_of_device = 512;

}  // namespace

cudaError_t refuse_memory(Runtime& runtime, uint64_t bytes, const char* by) {
  constexpr uint64_t memory_of_large_gpu = 80'000'000'000;
  if (bytes > memory_of_large_gpu)
    return runtime.warn(
        cudaErrorMemoryAllocation,
        message("{} of {}: that is more than a GPU has; make the input smaller.", by, in_bytes(bytes)));
  end_program({ProgramEnd::refused, 2,
               message("{} of {}: Barrierscope has {} for all arrays together, so the program was stopped "
                       "there: make the input smaller.",
                       by, in_bytes(bytes), in_bytes(runtime.settings.limits.memory)),
               runtime.caller()});
}

cudaError_t allocate(Runtime& runtime, void** pointer, size_t bytes, Placement placement, const char* by) {
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  const uint64_t address = runtime.machine.allocate(bytes, placement);
  if (!address) return refuse_memory(runtime, bytes, by);
  runtime.note_allocation(address, bytes, by, runtime.here());
  runtime.shares_memory |= placement == Placement::visible;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the device
  *pointer = reinterpret_cast<void*>(address);
  return cudaSuccess;
}

namespace {
std::set<uint64_t>& memory_of_graphs() {
  static auto* const all = new std::set<uint64_t>;  // never unmade: programs call CUDA until their very end
  return *all;
}
}  // namespace
void belongs_to_graph(uint64_t address) { memory_of_graphs().insert(address); }
bool is_of_graph(uint64_t address) { return memory_of_graphs().contains(address); }

namespace {

/// An allocation that is no stream's. "Two operations from different streams cannot run concurrently if any
/// of the following operations is issued in-between them by the host thread: a page-locked host memory
/// allocation, a device memory allocation" (CUDA C++ Programming Guide, Implicit Synchronization)
cudaError_t allocate_in_order(Runtime& runtime, void** pointer, size_t bytes, Placement placement,
                              const char* by) {
  if (const auto error = may_call_while_capturing(runtime, by)) return error;
  runtime.order.order_all_streams();
  return allocate(runtime, pointer, bytes, placement, by);
}

cudaError_t give_back(Runtime& runtime, void* pointer, const char* by) {
  if (!pointer) return cudaSuccess;
  const auto address = reinterpret_cast<uint64_t>(pointer);
  if (is_of_graph(address)) {
    if (const auto it = runtime.allocations.find(address); it != runtime.allocations.end())
      give_back_to_pool(it->second);
    runtime.allocations.erase(address);
    return cudaSuccess;
  }
  const Machine::MemoryLocation place = runtime.machine.at(address);
  switch (runtime.machine.free(address)) {
    case Machine::Freed::done:
      if (const auto it = runtime.allocations.find(address); it != runtime.allocations.end())
        give_back_to_pool(it->second);
      runtime.allocations.erase(address);
      return cudaSuccess;
    case Machine::Freed::already:
      return runtime.warn(cudaErrorInvalidValue,
                          message("{}: {} has been freed before.", by, name_of(*place.memory)));
    case Machine::Freed::not_a_beginning:
      return runtime.warn(
          cudaErrorInvalidValue,
          message("{}: the pointer points {} into {}; give it the pointer that cudaMalloc gave.", by,
                  in_bytes(uint64_t(place.offset)), name_of(*place.memory)));
    case Machine::Freed::unknown: break;
  }
  return runtime.warn(
      cudaErrorInvalidValue,
      message("{}: this memory is not of cudaMalloc; what malloc or new gave is freed on the host.", by));
}

}  // namespace
}  // namespace bscope::cuda

using namespace bscope::cuda;

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return waiting(
      [&](Runtime& r) { return allocate_in_order(r, pointer, bytes, Placement::device, "cudaMalloc"); });
}
// In a capture the memory is there from then on, and each launch of the graph has the same.
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return api([&](Runtime& r) {
    const cudaError_t error = allocate_in_pool(r, pointer, bytes, nullptr, "cudaMallocAsync");
    if (const auto in_capture = captured(stream, cudaGraphNodeTypeMemAlloc, nullptr)) {
      if (!error && *in_capture == cudaSuccess) belongs_to_graph(reinterpret_cast<uint64_t>(*pointer));
      return *in_capture;
    }
    return error;
  });
}
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int) {
  return waiting([&](Runtime& r) {
    if (bytes == 0) return cudaErrorInvalidValue;
    return allocate_in_order(r, pointer, bytes, Placement::visible, "cudaMallocManaged");
  });
}
cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return waiting(
      [&](Runtime& r) { return allocate_in_order(r, pointer, bytes, Placement::visible, "cudaMallocHost"); });
}
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int) {
  return waiting(
      [&](Runtime& r) { return allocate_in_order(r, pointer, bytes, Placement::visible, "cudaHostAlloc"); });
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return waiting([&](Runtime& r) {
    if (!pitch) return cudaErrorInvalidValue;
    *pitch = (width + pitch_of_device - 1) / pitch_of_device * pitch_of_device;
    return allocate_in_order(r, pointer, *pitch * height, Placement::device, "cudaMallocPitch");
  });
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  return waiting([&](Runtime& r) {
    if (!pointer) return cudaErrorInvalidValue;
    *pointer = {nullptr, (extent.width + pitch_of_device - 1) / pitch_of_device * pitch_of_device,
                extent.width, extent.height};
    return allocate_in_order(r, &pointer->ptr, pointer->pitch * extent.height * extent.depth,
                             Placement::device, "cudaMalloc3D");
  });
}
// cudaFree waits for all work that was issued, which is what cudaFreeAsync was added for.
cudaError_t cudaFree(void* pointer) {
  return waiting([&](Runtime& r) {
    r.order.host_waits_for_all();
    return give_back(r, pointer, "cudaFree");
  });
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return api([&](Runtime& r) {
    const auto address = reinterpret_cast<uint64_t>(pointer);
    if (const auto in_capture = captured(stream, cudaGraphNodeTypeMemFree, nullptr)) {
      r.allocations.erase(address);  // the graph's, from now on
      return *in_capture;
    }
    if (const auto it = r.allocations.find(address); it != r.allocations.end())
      add_operation(r, {.kind = DeviceOperation::release,
                        .use = {.written = {{address, address + it->second.bytes}}},
                        .stream = number_of(stream)});
    return give_back(r, pointer, "cudaFreeAsync");
  });
}
cudaError_t cudaFreeHost(void* pointer) {
  return waiting([&](Runtime& r) {
    r.order.host_waits_for_all();
    return give_back(r, pointer, "cudaFreeHost");
  });
}

cudaError_t cudaHostRegister(void* host, size_t bytes, unsigned int) {
  return waiting([&](Runtime& r) {
    if (!host || !bytes) return cudaErrorInvalidValue;
    if (r.mirrors.device_of(host)) return cudaErrorHostMemoryAlreadyRegistered;
    const uint64_t address = r.machine.allocate(bytes, Placement::device);
    if (!address) return refuse_memory(r, bytes, "cudaHostRegister");
    r.shares_memory = true;
    r.mirrors.add(static_cast<std::byte*>(host), bytes, r.machine.at(address).memory, address);
    return cudaSuccess;
  });
}
cudaError_t cudaHostUnregister(void* host) {
  return waiting([&](Runtime& r) {
    const uint64_t address = r.mirrors.device_of(host);
    r.order.host_waits_for_all();
    if (!r.mirrors.remove(host)) return cudaErrorHostMemoryNotRegistered;
    r.machine.free(address);
    return cudaSuccess;
  });
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int) {
  return api([&](Runtime& r) {
    const Machine::MemoryLocation place = r.machine.at(reinterpret_cast<uint64_t>(host));
    const uint64_t mirrored = r.mirrors.device_of(host);
    if (!device || (!place.memory && !mirrored)) return cudaErrorInvalidValue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the device
    *device = mirrored ? reinterpret_cast<void*>(mirrored) : host;
    return cudaSuccess;
  });
}
cudaError_t cudaHostGetFlags(unsigned int* flags, void*) {
  return api(
      [&](Runtime&) { return flags ? (*flags = cudaHostAllocMapped, cudaSuccess) : cudaErrorInvalidValue; });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return waiting([&](Runtime& r) {
    if (!free || !total) return cudaErrorInvalidValue;
    uint64_t used = 0;
    for (const auto& [address, allocation] : r.allocations) used += allocation.bytes;
    *total = r.settings.limits.memory;
    *free = *total - std::min<uint64_t>(*total, used);
    return cudaSuccess;
  });
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return api([&](Runtime& r) {
    if (!attributes) return cudaErrorInvalidValue;
    *attributes = {cudaMemoryTypeUnregistered, 0, nullptr, const_cast<void*>(pointer)};
    const auto address = reinterpret_cast<uint64_t>(pointer);
    const Machine::MemoryLocation place = r.machine.at(address);
    if (const uint64_t mirrored = r.mirrors.device_of(pointer)) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the device
      *attributes = {cudaMemoryTypeHost, 0, reinterpret_cast<void*>(mirrored), const_cast<void*>(pointer)};
    } else if (place.memory) {
      const MemoryFacts facts = facts_of(*place.memory);
      const auto allocation = r.allocations.find(facts.address);
      const bool managed =
          allocation != r.allocations.end() && !std::strcmp(allocation->second.by, "cudaMallocManaged");
      attributes->type = managed         ? cudaMemoryTypeManaged
                         : facts.visible ? cudaMemoryTypeHost
                                         : cudaMemoryTypeDevice;
      attributes->devicePointer = const_cast<void*>(pointer);
      if (!facts.visible) attributes->hostPointer = nullptr;
    }
    return cudaSuccess;
  });
}
cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t) {
  return api([](Runtime&) { return cudaSuccess; });
}
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) {
  return api([](Runtime&) { return cudaSuccess; });
}
