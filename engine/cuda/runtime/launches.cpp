// Launches of kernels: configuration, checks as the hardware makes them, the kernel's execution.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "engine/cuda/machine/launch_rules.hpp"
#include "engine/cuda/runtime/async_order.hpp"
#include "engine/cuda/runtime/report.hpp"
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
  // never freed: static destructors launch kernels when the thread's own objects are gone
  constinit thread_local static std::vector<Configuration>* configurations = nullptr;
  if (!configurations) configurations = new std::vector<Configuration>;
  return *configurations;
}

/// Of a block of the kernel.
int most_threads(const ir::Function& kernel) {
  return kernel.launch_bound ? int(kernel.launch_bound) : __bscope_device_MaxThreadsPerBlock;
}

cudaError_t error_of(BrokenRule::Error error) {
  switch (error) {
    case BrokenRule::invalid_configuration: return cudaErrorInvalidConfiguration;
    case BrokenRule::invalid_value: return cudaErrorInvalidValue;
    case BrokenRule::cooperative_too_large: return cudaErrorCooperativeLaunchTooLarge;
    case BrokenRule::not_compiled: break;
  }
  return cudaErrorInvalidDeviceFunction;
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

Kernel* kernel_of(Runtime& runtime, const void* host) {
  auto it = runtime.kernels.find(host);
  if (it == runtime.kernels.end() && register_early()) it = runtime.kernels.find(host);
  return it == runtime.kernels.end() || !it->second.function ? nullptr : &it->second;
}

cudaError_t launch(Runtime& runtime, const void* host, dim3 grid, dim3 block, void** given, size_t shared,
                   cudaStream_t stream, bool cooperative) {
  const Kernel* const found = kernel_of(runtime, host);
  if (!found) return cudaErrorInvalidDeviceFunction;
  const Kernel& kernel = *found;
  LaunchRequest request{.kernel = kernel.function,
                        .grid = {grid.x, grid.y, grid.z},
                        .block = {block.x, block.y, block.z},
                        .dynamic_shared = shared,
                        .most_dynamic_shared = kernel.most_dynamic_shared,
                        .cooperative = cooperative,
                        .wants_use = runtime.shares_memory || runtime.order.has_streams()};
  if (const auto rule = runtime.machine.broken_rule(request)) {
    const cudaError_t error = error_of(rule->error);  // of what nvcc refuses there is a warning already
    return rule->error == BrokenRule::not_compiled ? error : runtime.warn(error, rule->message, rule->help);
  }

  Arguments arguments(runtime, *kernel.function, given);
  request.arguments = arguments.get();
  runtime.mirrors.to_device(runtime.machine);
  if (runtime.machine.is_librarys(*kernel.function)) {
    const LibraryCall call = library_call(runtime.latest_launch, runtime.settings);
    request.library = {call.function.empty() ? kernel.function->source_name : call.function, call.file,
                       call.at.line};
  }
  const auto begin = std::chrono::steady_clock::now();
  LaunchOutcome outcome = runtime.machine.launch(request);
  runtime.seconds_in_launches =
      runtime.seconds_in_launches +
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (outcome.code == LaunchOutcome::unsupported) {
    const UserSource* const source = runtime.settings.source(outcome.file);
    const HostLine at{source ? source->shown : outcome.file, int(outcome.line)};
    end_program({ProgramEnd::stopped, 2, outcome.message, at});
  }
  runtime.mirrors.to_host(runtime.machine);
  if (outcome.code == LaunchOutcome::fault) {
    runtime.errors.fault(error_of(outcome.fault_kind));
    if (!runtime.broken_launch.depth) runtime.broken_launch = runtime.latest_launch;
    return cudaSuccess;
  }
  add_operation(runtime, {.kernel_name = kernel.function->source_name,
                          .use = std::move(outcome.use),
                          .prints = outcome.printed,
                          .stream = number_of(stream)});
  return cudaSuccess;
}

/// A launch for the API: a kernel that never ran is no reason to end the program.
cudaError_t launching(const void* host, dim3 grid, dim3 block, void** arguments, size_t shared,
                      cudaStream_t stream, bool cooperative) {
  return api([&](Runtime& runtime) {
    runtime.latest_launch = Stack::now();
    try {
      return launch(runtime, host, grid, block, arguments, shared, stream, cooperative);
    } catch (const std::bad_alloc&) { throw; } catch (const std::exception& e) {
      return runtime.warn(cudaErrorLaunchFailure, message("The kernel could not be run: {}", message_of(e)));
    }
  });
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
                             cudaStream_t stream) {
  return launching(kernel, grid, block, arguments, shared, stream, false);
}
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared, cudaStream_t stream) {
  return launching(kernel, grid, block, arguments, shared, stream, true);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
  if (!config) return api([](Runtime&) { return cudaErrorInvalidValue; });
  return launching(kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                   config->stream, false);
}
// What the function tells other host threads is not seen: from here on the host is taken to know what it
// knows.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  const cudaError_t error = waiting([&](Runtime& runtime) {
    runtime.order.host_waits_for_stream(number_of(stream));
    return function ? cudaSuccess : cudaErrorInvalidValue;
  });
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
    const uint64_t bytes = runtime.machine.shared_bytes(*kernel->function) + shared;
    const bool fits = threads <= most_threads(*kernel->function);
    *blocks = fits ? int(resident_blocks(uint64_t(threads), bytes)) : 0;
    return cudaSuccess;
  });
}
