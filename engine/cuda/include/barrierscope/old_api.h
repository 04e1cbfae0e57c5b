// What CUDA's runtime API had once, over what it has today.
#pragma once

#include "host_api.h"
#include "old.h"

#ifndef __BSCOPE_RUNTIME
// ---- "thread" meant the device of this host thread
__BSCOPE_OLD("4.0", "cudaDeviceSetLimit")
static inline cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
__BSCOPE_OLD("4.0", "cudaDeviceGetLimit")
static inline cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
__BSCOPE_OLD("4.0", "cudaDeviceSetCacheConfig")
static inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}
__BSCOPE_OLD("4.0", "cudaDeviceGetCacheConfig")
static inline cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) {
  return cudaDeviceGetCacheConfig(config);
}

// ---- a launch in three steps
struct __bscope_configured {
  dim3 grid, block;
  size_t shared, count;
  cudaStream_t stream;
  void* arguments[64];
  alignas(16) char bytes[4096];
  static __bscope_configured& get() {
    static __bscope_configured latest;
    return latest;
  }
};
__BSCOPE_OLD("7.0", "<<<grid, block, shared, stream>>>")
static inline cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0,
                                            cudaStream_t stream = 0) {
  __bscope_configured& c = __bscope_configured::get();
  c.grid = grid;
  c.block = block;
  c.shared = shared;
  c.stream = stream;
  c.count = 0;
  return cudaSuccess;
}
static inline cudaError_t __bscope_setup_argument(const void* value, size_t bytes, size_t offset) {
  __bscope_configured& c = __bscope_configured::get();
  if (offset > sizeof c.bytes || bytes > sizeof c.bytes - offset || c.count == 64)
    return cudaErrorInvalidValue;
  memcpy(c.bytes + offset, value, bytes);
  c.arguments[c.count++] = c.bytes + offset;
  return cudaSuccess;
}
__BSCOPE_OLD("7.0", "kernel<<<grid, block>>>(arguments)")
static inline cudaError_t cudaSetupArgument(const void* value, size_t bytes, size_t offset) {
  return __bscope_setup_argument(value, bytes, offset);
}
template <class T>
__BSCOPE_OLD("7.0", "kernel<<<grid, block>>>(arguments)")
static inline cudaError_t cudaSetupArgument(T value, size_t offset) {
  return __bscope_setup_argument(&value, sizeof value, offset);
}
template <class F>
__BSCOPE_OLD("7.0", "kernel<<<grid, block>>>(arguments)")
static inline cudaError_t cudaLaunch(F kernel) {
  __bscope_configured& c = __bscope_configured::get();
  return ::cudaLaunchKernel((const void*)kernel, c.grid, c.block, c.arguments, c.shared, c.stream);
}

// ---- a variable by its name in quotation marks
#define __BSCOPE_BY_NAME __BSCOPE_OLD("5.0", "the variable itself, without quotation marks")
template <size_t __n>
__BSCOPE_BY_NAME static inline cudaError_t cudaMemcpyToSymbol(const char (&name)[__n], const void* from,
                                                              size_t bytes, size_t offset = 0,
                                                              cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol(__bscope_symbol_named(name), from, bytes, offset, kind);
}
template <size_t __n>
__BSCOPE_BY_NAME static inline cudaError_t cudaMemcpyFromSymbol(
    void* to, const char (&name)[__n], size_t bytes, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, __bscope_symbol_named(name), bytes, offset, kind);
}
template <size_t __n>
__BSCOPE_BY_NAME static inline cudaError_t cudaGetSymbolAddress(void** pointer, const char (&name)[__n]) {
  return ::cudaGetSymbolAddress(pointer, __bscope_symbol_named(name));
}
template <size_t __n>
__BSCOPE_BY_NAME static inline cudaError_t cudaGetSymbolSize(size_t* bytes, const char (&name)[__n]) {
  return ::cudaGetSymbolSize(bytes, __bscope_symbol_named(name));
}
#undef __BSCOPE_BY_NAME
#endif
