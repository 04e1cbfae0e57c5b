// What can be asked of the device (cudaDeviceGetAttribute): name, number, and what this machine answers. Some
// of it is chosen for watching: few multiprocessors, so that programs that ask make small grids.
#pragma once

#define __BSCOPE_DEVICE_ATTRIBUTES(M)               \
  M(MaxThreadsPerBlock, 1, 1024)                    \
  M(MaxBlockDimX, 2, 1024)                          \
  M(MaxBlockDimY, 3, 1024)                          \
  M(MaxBlockDimZ, 4, 64)                            \
  M(MaxGridDimX, 5, 2147483647)                     \
  M(MaxGridDimY, 6, 65535)                          \
  M(MaxGridDimZ, 7, 65535)                          \
  M(MaxSharedMemoryPerBlock, 8, 49152)              \
  M(TotalConstantMemory, 9, 65536)                  \
  M(WarpSize, 10, 32)                               \
  M(MaxPitch, 11, 2147483647)                       \
  M(MaxRegistersPerBlock, 12, 65536)                \
  M(ClockRate, 13, 1000000)                         \
  M(TextureAlignment, 14, 512)                      \
  M(GpuOverlap, 15, 1)                              \
  M(MultiProcessorCount, 16, 2)                     \
  M(KernelExecTimeout, 17, 0)                       \
  M(Integrated, 18, 0)                              \
  M(CanMapHostMemory, 19, 1)                        \
  M(ComputeMode, 20, 0)                             \
  M(SurfaceAlignment, 30, 512)                      \
  M(ConcurrentKernels, 31, 1)                       \
  M(EccEnabled, 32, 0)                              \
  M(PciBusId, 33, 0)                                \
  M(PciDeviceId, 34, 0)                             \
  M(TccDriver, 35, 0)                               \
  M(MemoryClockRate, 36, 1000000)                   \
  M(GlobalMemoryBusWidth, 37, 256)                  \
  M(L2CacheSize, 38, 4194304)                       \
  M(MaxThreadsPerMultiProcessor, 39, 2048)          \
  M(AsyncEngineCount, 40, 2)                        \
  M(UnifiedAddressing, 41, 1)                       \
  M(TexturePitchAlignment, 51, 32)                  \
  M(PciDomainId, 50, 0)                             \
  M(ComputeCapabilityMajor, 75, 7)                  \
  M(ComputeCapabilityMinor, 76, 0)                  \
  M(StreamPrioritiesSupported, 78, 1)               \
  M(GlobalL1CacheSupported, 79, 1)                  \
  M(LocalL1CacheSupported, 80, 1)                   \
  M(MaxSharedMemoryPerMultiprocessor, 81, 98304)    \
  M(MaxRegistersPerMultiprocessor, 82, 65536)       \
  M(ManagedMemory, 83, 1)                           \
  M(IsMultiGpuBoard, 84, 0)                         \
  M(MultiGpuBoardGroupID, 85, 0)                    \
  M(HostNativeAtomicSupported, 86, 0)               \
  M(SingleToDoublePrecisionPerfRatio, 87, 2)        \
  M(PageableMemoryAccess, 88, 0)                    \
  M(ConcurrentManagedAccess, 89, 1)                 \
  M(ComputePreemptionSupported, 90, 1)              \
  M(CanUseHostPointerForRegisteredMem, 91, 1)       \
  M(CooperativeLaunch, 95, 1)                       \
  M(CooperativeMultiDeviceLaunch, 96, 0)            \
  M(MaxSharedMemoryPerBlockOptin, 97, 232448)       \
  M(CanFlushRemoteWrites, 98, 0)                    \
  M(HostRegisterSupported, 99, 1)                   \
  M(PageableMemoryAccessUsesHostPageTables, 100, 0) \
  M(DirectManagedMemAccessFromHost, 101, 1)         \
  M(MaxBlocksPerMultiprocessor, 106, 32)            \
  M(MaxPersistingL2CacheSize, 108, 0)               \
  M(MaxAccessPolicyWindowSize, 109, 0)              \
  M(ReservedSharedMemoryPerBlock, 111, 0)           \
  M(MemoryPoolsSupported, 115, 1)                   \
  M(ClusterLaunch, 120, 1)

enum cudaDeviceAttr {
#define __BSCOPE_ATTRIBUTE(name, number, value) cudaDevAttr##name = number,
  __BSCOPE_DEVICE_ATTRIBUTES(__BSCOPE_ATTRIBUTE)
#undef __BSCOPE_ATTRIBUTE
};
/// What a cudaDevAttr is on this machine, to be written where a number is wanted.
enum __bscope_device_value {
#define __BSCOPE_ATTRIBUTE(name, number, value) __bscope_device_##name = value,
  __BSCOPE_DEVICE_ATTRIBUTES(__BSCOPE_ATTRIBUTE)
#undef __BSCOPE_ATTRIBUTE
};
