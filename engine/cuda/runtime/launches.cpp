// Launches of kernels: configuration, checks as the hardware makes them, the kernel's execution.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "engine/cuda/machine/launch_rules.hpp"
#include "engine/cuda/runtime/report.hpp"
#include "engine/cuda/runtime/runtime.hpp"
#include "engine/trace/error.hpp"

namespace bscope::cuda {
namespace {

/// What <<<...>>> says, between the two calls that clang makes of it.
struct Configuration {
  dim3 grid, block;
  size_t shared;
  void* stream;
};
std::vector<Configuration>& pushed() {
  thread_local std::vector<Configuration> configurations;
  return configurations;
}

/// Of a block of the kernel.
int most_threads(const ir::Function& kernel) {
  return kernel.launch_bound ? int(kernel.launch_bound) : __bscope_device_MaxThreadsPerBlock;
}

cudaError_t error_of(BrokenRule::Error error) {
  return error == BrokenRule::invalid_value ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;
}

cudaError_t error_of(LaunchOutcome::Fault fault) {
  switch (fault) {
    case LaunchOutcome::address: return cudaErrorIllegalAddress;
    case LaunchOutcome::misaligned: return cudaErrorMisalignedAddress;
    case LaunchOutcome::assertion: return cudaErrorAssert;
    default: return cudaErrorLaunchFailure;
  }
}

/// The arguments, with pointers to host memory that has a mirror led to the device's.
class Arguments {
 public:
  Arguments(const Runtime& runtime, const ir::Function& kernel, void** given) {
    const size_t count = kernel.parameters.size();
    pointers_.reserve(count);  // so that their addresses stay
    for (size_t k = 0; k < count; ++k) {
      arguments_.push_back(given[k]);
      const ir::FunctionParameter& parameter = kernel.parameters[k];
      if (parameter.by_value || !parameter.type || parameter.type->kind != ir::Type::pointer) continue;
      void* pointer = nullptr;
      std::memcpy(&pointer, given[k], sizeof pointer);
      const uint64_t mirrored = runtime.mirrors.device_of(pointer);
      if (mirrored) arguments_.back() = &pointers_.emplace_back(mirrored);
    }
  }
  void** get() { return arguments_.data(); }

 private:
  std::vector<uint64_t> pointers_;
  std::vector<void*> arguments_;
};

cudaError_t launch(Runtime& runtime, const void* host, dim3 grid, dim3 block, void** given, size_t shared,
                   bool cooperative) {
  const auto it = runtime.kernels.find(host);
  if (it == runtime.kernels.end() || !it->second.function) return cudaErrorInvalidDeviceFunction;
  const Kernel& kernel = it->second;
  LaunchRequest request{.kernel = kernel.function,
                        .grid = {grid.x, grid.y, grid.z},
                        .block = {block.x, block.y, block.z},
                        .dynamic_shared = shared,
                        .most_dynamic_shared = kernel.most_dynamic_shared,
                        .cooperative = cooperative};
  if (const auto rule = runtime.machine.broken_rule(request))
    return runtime.warn(error_of(rule->error), rule->message);

  Arguments arguments(runtime, *kernel.function, given);
  request.arguments = arguments.get();
  runtime.mirrors.to_device(runtime.machine);
  const auto begin = std::chrono::steady_clock::now();
  const LaunchOutcome outcome = runtime.machine.launch(request);
  runtime.seconds_in_launches =
      runtime.seconds_in_launches +
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (outcome.code == LaunchOutcome::unsupported) {
    const UserSource* const source = runtime.settings.source(outcome.file);
    const HostLine at{source ? source->shown : outcome.file, int(outcome.line)};
    end_program({ProgramEnd::stopped, 2, outcome.message, at});
  }
  runtime.mirrors.to_host(runtime.machine);
  if (outcome.code == LaunchOutcome::fault) runtime.errors.fault(error_of(outcome.fault_kind));
  return cudaSuccess;
}

/// A launch for the API: a kernel that never ran is no reason to end the program.
cudaError_t launching(const void* host, dim3 grid, dim3 block, void** arguments, size_t shared,
                      bool cooperative) {
  return api([&](Runtime& runtime) {
    runtime.latest_launch = Stack::now();
    try {
      return launch(runtime, host, grid, block, arguments, shared, cooperative);
    } catch (const std::exception& e) {
      return runtime.warn(cudaErrorLaunchFailure, message("The kernel could not be run: {}", message_of(e)));
    }
  });
}

Kernel* kernel_of(Runtime& runtime, const void* host) {
  const auto it = runtime.kernels.find(host);
  return it == runtime.kernels.end() || !it->second.function ? nullptr : &it->second;
}

}  // namespace
}  // namespace bscope::cuda

using namespace bscope::cuda;

cudaError_t __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void* stream) {
  pushed().push_back({grid, block, shared, stream});
  return cudaSuccess;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void** stream) {
  if (pushed().empty()) return cudaErrorMissingConfiguration;
  const Configuration& last = pushed().back();
  *grid = last.grid, *block = last.block, *shared = last.shared, *stream = last.stream;
  pushed().pop_back();
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t) {
  return launching(kernel, grid, block, arguments, shared, false);
}
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared, cudaStream_t) {
  return launching(kernel, grid, block, arguments, shared, true);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
  if (!config) return api([](Runtime&) { return cudaErrorInvalidValue; });
  return launching(kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, false);
}
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void* data) {
  const cudaError_t error = waiting([&](Runtime&) { return function ? cudaSuccess : cudaErrorInvalidValue; });
  if (!error) function(data);
  return error;
}

cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) {
  return api([](Runtime&) { return cudaSuccess; });
}
cudaError_t cudaFuncSetSharedMemConfig(const void*, cudaSharedMemConfig) {
  return api([](Runtime&) { return cudaSuccess; });
}
cudaError_t cudaFuncSetAttribute(const void* host, cudaFuncAttribute attribute, int value) {
  return api([&](Runtime& runtime) {
    Kernel* const kernel = kernel_of(runtime, host);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    if (value < 0 || value > __bscope_device_MaxSharedMemoryPerBlockOptin) return cudaErrorInvalidValue;
    kernel->most_dynamic_shared = uint64_t(value);
    return cudaSuccess;
  });
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* host) {
  return api([&](Runtime& runtime) {
    const Kernel* const kernel = kernel_of(runtime, host);
    if (!attributes || !kernel) return cudaErrorInvalidDeviceFunction;
    *attributes = {};
    attributes->sharedSizeBytes = runtime.machine.shared_bytes(*kernel->function);
    attributes->maxThreadsPerBlock = most_threads(*kernel->function);
    attributes->ptxVersion = attributes->binaryVersion =
        10 * __bscope_device_ComputeCapabilityMajor + __bscope_device_ComputeCapabilityMinor;
    attributes->maxDynamicSharedSizeBytes = int(kernel->most_dynamic_shared);
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* host, int threads,
                                                          size_t shared) {
  return api([&](Runtime& runtime) {
    const Kernel* const kernel = kernel_of(runtime, host);
    if (!blocks || threads <= 0) return cudaErrorInvalidValue;
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    // registers are not known here; warps and shared memory are
    const int warps = (threads + 31) / 32;
    *blocks = std::min(int(__bscope_device_MaxBlocksPerMultiprocessor),
                       __bscope_device_MaxThreadsPerMultiProcessor / 32 / warps);
    if (threads > most_threads(*kernel->function)) *blocks = 0;
    const uint64_t bytes = runtime.machine.shared_bytes(*kernel->function) + shared;
    if (bytes)
      *blocks = int(
          std::min<uint64_t>(uint64_t(*blocks), __bscope_device_MaxSharedMemoryPerMultiprocessor / bytes));
    return cudaSuccess;
  });
}
