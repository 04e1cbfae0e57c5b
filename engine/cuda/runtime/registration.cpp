// What host objects say before main begins: their device code, their kernels, their variables.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <utility>

#include "engine/cuda/include/barrierscope/attributes.h"
#include "engine/cuda/machine/launch_rules.hpp"
#include "engine/cuda/runtime/runtime.hpp"
#include "engine/cuda/runtime/source_words.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope::cuda {
namespace {

constexpr size_t most_code = size_t(1) << 30;
constexpr const char* marker = "barrierscope-device:";

struct Wrapper {
  int magic, version;
  const char* binary;
  void* unused;
};

/// Warns where the module's __constant__ variables need more than the device has: ptxas refuses them.
void tell_of_constant_memory(Runtime& runtime, int module) {
  const Machine::ConstantMemory memory = runtime.machine.constant_memory(module);
  constexpr uint64_t most = __bscope_device_TotalConstantMemory;
  if (memory.bytes <= most) return;
  runtime.warn_at(
      line_with(runtime.settings, {"__constant__", memory.names.front()}),
      memory.names.size() == 1
          ? message("{} has {} of constant memory, and nvcc compiles no more than {}.", memory.names.front(),
                    in_bytes(memory.bytes), in_bytes(most))
          : message("{} and the other __constant__ variables have {}, and nvcc compiles no more than {}.",
                    memory.names.front(), in_bytes(memory.bytes), in_bytes(most)),
      message("Put {} into global memory: declare it __device__.", memory.names.front()));
}

/// The code of all files, when the first one names its own: one that has nothing but functions for other
/// files' kernels names none.
void load_all(Runtime& runtime) {
  if (std::exchange(runtime.has_device_code, true)) return;
  for (const auto& device : runtime.settings.devices) {
    const int module = runtime.machine.load(read_file(device, most_code), runtime.settings.ours_on_device);
    tell_of_constant_memory(runtime, module);
  }
}

int load(Runtime& runtime, const Wrapper& wrapper) {
  const size_t length = std::strlen(marker);
  if (std::strncmp(wrapper.binary, marker, length) != 0)
    throw std::runtime_error("device code of another compiler");
  const auto number = size_t(std::atoi(wrapper.binary + length));
  if (number >= runtime.settings.devices.size())
    throw std::runtime_error("run.json names no such device code");
  load_all(runtime);
  return int(number);
}

struct Managed {
  char *begin = nullptr, *end = nullptr;
};
std::vector<Managed>& managed_sections() {
  static auto* const sections = new std::vector<Managed>;
  return *sections;
}

}  // namespace

int module_of(void** handle) { return int(reinterpret_cast<intptr_t>(*handle)); }

}  // namespace bscope::cuda

using namespace bscope::cuda;

void** __cudaRegisterFatBinary(void* wrapper) {
  const ApiCallGuard inside;
  try {
    const int module = load(Runtime::get(), *static_cast<const Wrapper*>(wrapper));
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a handle is the module's number
    return new void*(reinterpret_cast<void*>(intptr_t(module)));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "barrierscope cannot read the device code: %s\n", e.what());
    _exit(2);
  }
}
void __cudaRegisterFatBinaryEnd(void**) {}
// What static destructors launch must still be known, and a constructor that register_early has called comes
// back here twice.
void __cudaUnregisterFatBinary(void**) {}

/// Returns an int because clang declares it so, and WebAssembly compares the types of functions.
int __cudaRegisterFunction(void** handle, const void* host, char*, const char* name, int, void*, void*, void*,
                           void*, int*) {
  Runtime& runtime = Runtime::get();
  const ir::Function* const kernel = runtime.machine.kernel(module_of(handle), name);
  const bool known = std::exchange(runtime.kernels[host].function, kernel) != nullptr;
  if (!kernel || known) return 0;
  if (auto refused = refused_by_nvcc(*kernel, runtime.machine.shared_bytes(*kernel))) {
    const Machine::Definition at = runtime.machine.definition(*kernel);
    const UserSource* const source = runtime.settings.source(at.file);
    runtime.warn_at({source ? source->shown : at.file, int(at.line)}, refused->message, refused->help);
  }
  return 0;
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t bytes, int, int) {
  Runtime& runtime = Runtime::get();
  Memory* const memory = runtime.machine.variable(module_of(handle), name);
  if (!memory) return;  // the device code does not use it
  if (!runtime.symbols.try_emplace(host, Symbol{memory, bytes}).second) return;
  for (const Managed& section : managed_sections()) {
    if (host < section.begin || host >= section.end) continue;
    std::memcpy(host, runtime.machine.look(*memory, 0, bytes).data(),
                bytes);  // clang initialises the device's
    runtime.shares_memory = true;
    runtime.mirrors.add(reinterpret_cast<std::byte*>(host), bytes, memory, facts_of(*memory).address);
  }
}

void __bscope_managed_variables(void* begin, void* end) {
  managed_sections().push_back({static_cast<char*>(begin), static_cast<char*>(end)});
}
