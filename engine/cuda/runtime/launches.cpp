// Launches of kernels: configuration, checks as the hardware makes them, the kernel's execution.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "engine/cuda/machine/launch_rules.hpp"
#include "engine/cuda/runtime/async_order.hpp"
#include "engine/cuda/runtime/graphs.hpp"
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
    case BrokenRule::invalid_cluster: return cudaErrorInvalidClusterSize;
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

/// What the attributes of a launch ask for. Priorities, caches and policies change no result.
LaunchOptions options_of(const cudaLaunchConfig_t& config) {
  LaunchOptions options;
  for (unsigned int k = 0; k < config.numAttrs; ++k) {
    const cudaLaunchAttributeValue& value = config.attrs[k].val;
    switch (config.attrs[k].id) {
      case cudaLaunchAttributeCooperative: options.cooperative = value.cooperative != 0; break;
      case cudaLaunchAttributeClusterDimension:
        options.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
        break;
      case cudaLaunchAttributeProgrammaticStreamSerialization:
        options.begins_early = value.programmaticStreamSerializationAllowed != 0;
        break;
      default: break;
    }
  }
  return options;
}

Kernel* kernel_of(Runtime& runtime, const void* host) {
  auto it = runtime.kernels.find(host);
  if (it == runtime.kernels.end() && register_early()) it = runtime.kernels.find(host);
  return it == runtime.kernels.end() || !it->second.function ? nullptr : &it->second;
}

cudaError_t launch(Runtime& runtime, const void* host, dim3 grid, dim3 block, void** given, size_t shared,
                   cudaStream_t stream, const LaunchOptions& options) {
  const Kernel* const found = kernel_of(runtime, host);
  if (!found) return cudaErrorInvalidDeviceFunction;
  const Kernel& kernel = *found;
  LaunchRequest request{
      .kernel = kernel.function,
      .grid = {grid.x, grid.y, grid.z},
      .block = {block.x, block.y, block.z},
      .dynamic_shared = shared,
      .most_dynamic_shared = kernel.most_dynamic_shared,
      .cooperative = options.cooperative,
      .wants_use = runtime.shares_memory || runtime.order.has_streams() || options.begins_early,
      .begins_early = options.begins_early,
      .cluster = options.cluster};
  if (const auto rule = runtime.machine.broken_rule(request)) {
    const cudaError_t error = error_of(rule->error);  // of what nvcc refuses there is a warning already
    return rule->error == BrokenRule::not_compiled ? error : runtime.warn(error, rule->message, rule->help);
  }

  if (is_any_captured())
    if (auto call = kernel_call(runtime, host, grid, block, given, shared, options))
      if (const auto error = captured(stream, std::move(*call))) return *error;
  Arguments arguments(runtime, *kernel.function, given);
  request.arguments = arguments.get();
  if (!runtime.label.empty()) request.label = runtime.label + kernel.function->source_name;
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
    end_program({ProgramEnd::refused, 2, outcome.message, at});
  }
  runtime.mirrors.to_host(runtime.machine);
  if (outcome.code == LaunchOutcome::fault) {
    runtime.errors.fault(error_of(outcome.fault_kind));
    if (!runtime.broken_launch.depth) runtime.broken_launch = runtime.latest_launch;
    return cudaSuccess;
  }
  if (options.begins_early)
    tell_of_early_use(runtime, kernel.function->source_name, outcome, number_of(stream));
  add_operation(runtime, {.kernel_name = kernel.function->source_name,
                          .use = std::move(outcome.use),
                          .prints = outcome.printed,
                          .stream = number_of(stream)});
  return cudaSuccess;
}

/// A launch for the API: a kernel that never ran is no reason to end the program.
cudaError_t launching(const void* host, dim3 grid, dim3 block, void** arguments, size_t shared,
                      cudaStream_t stream, const LaunchOptions& options = {}) {
  return api([&](Runtime& runtime) {
    runtime.latest_launch = runtime.here();
    try {
      return launch(runtime, host, grid, block, arguments, shared, stream, options);
    } catch (const std::bad_alloc&) { throw; } catch (const std::exception& e) {
      return runtime.warn(cudaErrorLaunchFailure, message("The kernel could not be run: {}", message_of(e)));
    }
  });
}

}  // namespace

std::vector<void*> KernelCall::pointers() const {
  std::vector<void*> all;
  for (const auto& bytes : arguments) all.push_back(const_cast<std::byte*>(bytes.data()));
  return all;
}

std::optional<KernelCall> kernel_call(Runtime& runtime, const void* function, dim3 grid, dim3 block,
                                      void** arguments, size_t shared, const LaunchOptions& options) {
  const Kernel* const kernel = kernel_of(runtime, function);
  if (!kernel) return {};
  KernelCall call{function, grid, block, shared, options, {}};
  for (size_t k = 0; k < kernel->function->parameters.size() && arguments; ++k) {
    const ir::FunctionParameter& p = kernel->function->parameters[k];
    const auto* const bytes = static_cast<const std::byte*>(arguments[k]);
    call.arguments.emplace_back(bytes, bytes + (p.by_value ? p.by_value->size : p.type->size));
  }
  return call;
}

cudaError_t launch_call(const KernelCall& call, cudaStream_t stream) {
  std::vector<void*> arguments = call.pointers();
  return launching(call.function, call.grid, call.block, arguments.data(), call.shared, stream, call.options);
}

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
  return launching(kernel, grid, block, arguments, shared, stream);
}
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared, cudaStream_t stream) {
  return launching(kernel, grid, block, arguments, shared, stream, {.cooperative = true});
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
  if (!config || (config->numAttrs && !config->attrs))
    return api([](Runtime&) { return cudaErrorInvalidValue; });
  return launching(kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                   config->stream, options_of(*config));
}
// What the function tells other host threads is not seen: from here on the host is taken to know what it
// knows.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (const auto error = captured(stream, cudaGraphNodeTypeHost,
                                  [=](cudaStream_t in) { return cudaLaunchHostFunc(in, function, data); }))
    return *error;
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
    if (value < 0 || value > runtime.settings.limits.device->most_shared_of_block)
      return cudaErrorInvalidValue;
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
    attributes->ptxVersion = attributes->binaryVersion = runtime.settings.limits.device->capability();
    attributes->requiredClusterWidth = attributes->requiredClusterHeight = attributes->requiredClusterDepth =
        0;
    if (const auto& [x, y, z] = kernel->function->cluster; x * y * z > 1) {
      attributes->requiredClusterWidth = int(x);
      attributes->requiredClusterHeight = int(y);
      attributes->requiredClusterDepth = int(z);
    }
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
    *blocks = fits ? int(resident_blocks(uint64_t(threads), bytes, *runtime.settings.limits.device)) : 0;
    return cudaSuccess;
  });
}

// Blocks of a cluster run on neighbouring multiprocessors: so many fit as their blocks do.
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* host,
                                           const cudaLaunchConfig_t* config) {
  return api([&](Runtime& runtime) {
    const Kernel* const kernel = kernel_of(runtime, host);
    if (!clusters || !config) return cudaErrorInvalidValue;
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    const DeviceModel& device = *runtime.settings.limits.device;
    const dim3& block = config->blockDim;
    const uint64_t size = std::max<uint64_t>(1, options_of(*config).cluster.count()),
                   bytes = runtime.machine.shared_bytes(*kernel->function) + config->dynamicSmemBytes,
                   threads = uint64_t(block.x) * block.y * block.z;
    if (size > 1 && !device.has_clusters) return cudaErrorInvalidClusterSize;
    *clusters = int(resident_blocks(threads, bytes, device) * uint64_t(device.multiprocessors) / size);
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* host, const cudaLaunchConfig_t*) {
  return api([&](Runtime& runtime) {
    if (!size) return cudaErrorInvalidValue;
    if (!kernel_of(runtime, host)) return cudaErrorInvalidDeviceFunction;
    *size = runtime.settings.limits.device->has_clusters ? 8 : 1;
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* host, int blocks,
                                                      int threads) {
  return api([&](Runtime& runtime) {
    const Kernel* const kernel = kernel_of(runtime, host);
    if (!bytes || blocks < 1 || threads < 1) return cudaErrorInvalidValue;
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    const DeviceModel& device = *runtime.settings.limits.device;
    const int room = std::min(device.shared_of_multiprocessor / blocks - device.reserved_shared,
                              device.most_shared_of_block);
    const auto fixed = int(runtime.machine.shared_bytes(*kernel->function));
    *bytes = size_t(std::max(0, room - fixed));
    return cudaSuccess;
  });
}
