#include "engine/cuda/machine/device_model.hpp"

#include "engine/cuda/include/barrierscope/attributes.h"

namespace bscope::cuda {

std::optional<int> attribute_of(const DeviceModel& m, int attribute) {
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor: return m.major;
    case cudaDevAttrComputeCapabilityMinor: return m.minor;
    case cudaDevAttrMultiProcessorCount: return m.multiprocessors;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return m.threads_of_multiprocessor;
    case cudaDevAttrMaxBlocksPerMultiprocessor: return m.blocks_of_multiprocessor;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return m.shared_of_multiprocessor;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return m.most_shared_of_block;
    case cudaDevAttrReservedSharedMemoryPerBlock: return m.reserved_shared;
    case cudaDevAttrClockRate: return m.clock_khz;
    case cudaDevAttrMemoryClockRate: return m.memory_clock_khz;
    case cudaDevAttrGlobalMemoryBusWidth: return m.memory_bus_bits;
    case cudaDevAttrL2CacheSize: return m.l2_bytes;
    case cudaDevAttrClusterLaunch: return int(m.has_clusters);
    default: break;
  }
  switch (attribute) {  // what is alike on all
#define ENTRY(name, number, value) \
  case number: return value;
    __BSCOPE_DEVICE_ATTRIBUTES(ENTRY)
#undef ENTRY
    default: return {};
  }
}

}  // namespace bscope::cuda
