// Every error of CUDA's runtime: name, number, and the text that cudaGetErrorString gives.
#pragma once

#define __BSCOPE_ERRORS(M)                                                                                  \
  M(cudaSuccess, 0, "no error")                                                                             \
  M(cudaErrorInvalidValue, 1, "invalid argument")                                                           \
  M(cudaErrorMemoryAllocation, 2, "out of memory")                                                          \
  M(cudaErrorInitializationError, 3, "initialization error")                                                \
  M(cudaErrorCudartUnloading, 4, "driver shutting down")                                                    \
  M(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")                  \
  M(cudaErrorProfilerNotInitialized, 6, "profiler not initialized: call cudaProfilerInitialize()")          \
  M(cudaErrorProfilerAlreadyStarted, 7, "profiler already started")                                         \
  M(cudaErrorProfilerAlreadyStopped, 8, "profiler already stopped")                                         \
  M(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                                     \
  M(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                               \
  M(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                                    \
  M(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                                                \
  M(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                            \
  M(cudaErrorInvalidTexture, 18, "invalid texture reference")                                               \
  M(cudaErrorInvalidTextureBinding, 19, "texture is not bound to a pointer")                                \
  M(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")                                    \
  M(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                               \
  M(cudaErrorAddressOfConstant, 22, "attempt to take the address of constant data")                         \
  M(cudaErrorTextureFetchFailed, 23, "fetch from texture failed")                                           \
  M(cudaErrorTextureNotBound, 24, "cannot fetch from a texture that is not bound")                          \
  M(cudaErrorSynchronizationError, 25, "incorrect use of __syncthreads()")                                  \
  M(cudaErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type")                 \
  M(cudaErrorInvalidNormSetting, 27, "read as normalized float not supported for 32-bit non float type")    \
  M(cudaErrorMixedDeviceExecution, 28, "device emulation mode and device execution mode cannot be mixed")   \
  M(cudaErrorNotYetImplemented, 31, "feature not yet implemented")                                          \
  M(cudaErrorMemoryValueTooLarge, 32, "memory size or pointer value too large to fit in 32 bit")            \
  M(cudaErrorStubLibrary, 34, "CUDA driver is a stub library")                                              \
  M(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")        \
  M(cudaErrorCallRequiresNewerDriver, 36, "API call is not supported in the installed CUDA driver")         \
  M(cudaErrorInvalidSurface, 37, "invalid surface reference")                                               \
  M(cudaErrorDuplicateVariableName, 43, "duplicate global variable looked up by string name")               \
  M(cudaErrorDuplicateTextureName, 44, "duplicate texture looked up by string name")                        \
  M(cudaErrorDuplicateSurfaceName, 45, "duplicate surface looked up by string name")                        \
  M(cudaErrorDevicesUnavailable, 46, "all CUDA-capable devices are busy or unavailable")                    \
  M(cudaErrorIncompatibleDriverContext, 49, "incompatible driver context")                                  \
  M(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")                        \
  M(cudaErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch")                          \
  M(cudaErrorLaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches")            \
  M(cudaErrorLaunchFileScopedTex, 66,                                                                       \
    "launch failed because kernel uses unsupported, file-scoped textures "                                  \
    "(texture objects are supported)")                                                                      \
  M(cudaErrorLaunchFileScopedSurf, 67,                                                                      \
    "launch failed because kernel uses unsupported, file-scoped surfaces "                                  \
    "(surface objects are supported)")                                                                      \
  M(cudaErrorSyncDepthExceeded, 68,                                                                         \
    "cudaDeviceSynchronize failed because caller's grid depth exceeds "                                     \
    "cudaLimitDevRuntimeSyncDepth")                                                                         \
  M(cudaErrorLaunchPendingCountExceeded, 69,                                                                \
    "launch failed because launch would exceed "                                                            \
    "cudaLimitDevRuntimePendingLaunchCount")                                                                \
  M(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                                          \
  M(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                           \
  M(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                                  \
  M(cudaErrorDeviceNotLicensed, 102, "device doesn't have valid Grid license")                              \
  M(cudaErrorSoftwareValidityNotEstablished, 103, "integrity checks failed")                                \
  M(cudaErrorStartupFailure, 127, "startup failure in cuda runtime")                                        \
  M(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")                                     \
  M(cudaErrorDeviceUninitialized, 201, "invalid device context")                                            \
  M(cudaErrorMapBufferObjectFailed, 205, "mapping of buffer object failed")                                 \
  M(cudaErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed")                             \
  M(cudaErrorArrayIsMapped, 207, "array is mapped")                                                         \
  M(cudaErrorAlreadyMapped, 208, "resource already mapped")                                                 \
  M(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device")       \
  M(cudaErrorAlreadyAcquired, 210, "resource already acquired")                                             \
  M(cudaErrorNotMapped, 211, "resource not mapped")                                                         \
  M(cudaErrorNotMappedAsArray, 212, "resource not mapped as array")                                         \
  M(cudaErrorNotMappedAsPointer, 213, "resource not mapped as pointer")                                     \
  M(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                                  \
  M(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")                          \
  M(cudaErrorDeviceAlreadyInUse, 216, "exclusive-thread device already in use by a different thread")       \
  M(cudaErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices")          \
  M(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed")                                               \
  M(cudaErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context")                              \
  M(cudaErrorNvlinkUncorrectable, 220, "uncorrectable NVLink error detected during the execution")          \
  M(cudaErrorJitCompilerNotFound, 221, "PTX JIT compiler library not found")                                \
  M(cudaErrorUnsupportedPtxVersion, 222, "the provided PTX was compiled with an unsupported toolchain.")    \
  M(cudaErrorJitCompilationDisabled, 223, "PTX JIT compilation was disabled")                               \
  M(cudaErrorUnsupportedExecAffinity, 224, "the provided execution affinity is not supported")              \
  M(cudaErrorInvalidSource, 300, "device kernel image is invalid")                                          \
  M(cudaErrorFileNotFound, 301, "file not found")                                                           \
  M(cudaErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found")                             \
  M(cudaErrorSharedObjectInitFailed, 303, "shared object initialization failed")                            \
  M(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")                  \
  M(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                                         \
  M(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")                   \
  M(cudaErrorSymbolNotFound, 500, "named symbol not found")                                                 \
  M(cudaErrorNotReady, 600, "device not ready")                                                             \
  M(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                               \
  M(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")                          \
  M(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                                 \
  M(cudaErrorLaunchIncompatibleTexturing, 703, "launch uses incompatible texturing mode")                   \
  M(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                               \
  M(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                                 \
  M(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")                  \
  M(cudaErrorContextIsDestroyed, 709, "context is destroyed")                                               \
  M(cudaErrorAssert, 710, "device-side assert triggered")                                                   \
  M(cudaErrorTooManyPeers, 711, "peer mapping resources exhausted")                                         \
  M(cudaErrorHostMemoryAlreadyRegistered, 712,                                                              \
    "part or all of the requested memory range is already mapped")                                          \
  M(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region")     \
  M(cudaErrorHardwareStackError, 714, "hardware stack error")                                               \
  M(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")                             \
  M(cudaErrorMisalignedAddress, 716, "misaligned address")                                                  \
  M(cudaErrorInvalidAddressSpace, 717, "operation not supported on global/shared address space")            \
  M(cudaErrorInvalidPc, 718, "invalid program counter")                                                     \
  M(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                              \
  M(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")                       \
  M(cudaErrorNotPermitted, 800, "operation not permitted")                                                  \
  M(cudaErrorNotSupported, 801, "operation not supported")                                                  \
  M(cudaErrorSystemNotReady, 802, "system not yet initialized")                                             \
  M(cudaErrorSystemDriverMismatch, 803, "system has unsupported display driver / cuda driver combination")  \
  M(cudaErrorCompatNotSupportedOnDevice, 804, "forward compatibility was attempted on non supported HW")    \
  M(cudaErrorMpsConnectionFailed, 805,                                                                      \
    "MPS client failed to connect to the MPS control daemon or the MPS "                                    \
    "server")                                                                                               \
  M(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")             \
  M(cudaErrorStreamCaptureInvalidated, 901, "operation failed due to a previous error during capture")      \
  M(cudaErrorStreamCaptureMerge, 902, "operation would result in a merge of separate capture sequences")    \
  M(cudaErrorStreamCaptureUnmatched, 903, "capture was not ended in the same stream as it began")           \
  M(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")                              \
  M(cudaErrorStreamCaptureIsolation, 905, "dependency created on uncaptured work in another stream")        \
  M(cudaErrorStreamCaptureImplicit, 906,                                                                    \
    "operation would make the legacy stream depend on a capturing "                                         \
    "blocking stream")                                                                                      \
  M(cudaErrorCapturedEvent, 907, "operation not permitted on an event last recorded in a capturing stream") \
  M(cudaErrorStreamCaptureWrongThread, 908,                                                                 \
    "attempt to terminate a thread-local capture sequence from "                                            \
    "another thread")                                                                                       \
  M(cudaErrorTimeout, 909, "wait operation timed out")                                                      \
  M(cudaErrorGraphExecUpdateFailure, 910,                                                                   \
    "the graph update was not performed because it included changes "                                       \
    "which violated constraints specific to instantiated graph update")                                     \
  M(cudaErrorExternalDevice, 911, "an async error has occured in external entity outside of CUDA")          \
  M(cudaErrorInvalidClusterSize, 912, "a kernel launch error has occurred due to cluster misconfiguration") \
  M(cudaErrorUnknown, 999, "unknown error")                                                                 \
  M(cudaErrorApiFailureBase, 10000, "api failure base")

enum cudaError {
#define __BSCOPE_ERROR(name, number, text) name = number,
  __BSCOPE_ERRORS(__BSCOPE_ERROR)
#undef __BSCOPE_ERROR
};
typedef enum cudaError cudaError_t;
