// What host objects say before main begins: their device code, their kernels, their variables.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <utility>

#include "engine/cuda/runtime/runtime.hpp"
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

/// The code of all files, when the first one names its own: one that has nothing but functions for other
/// files' kernels names none.
void load_all(Runtime& runtime) {
  if (std::exchange(runtime.has_device_code, true)) return;
  for (const auto& device : runtime.settings.devices)
    runtime.machine.load(read_file(device, most_code), runtime.settings.our_folders);
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

int module_of(void** handle) { return int(reinterpret_cast<intptr_t>(*handle)); }

struct Managed {
  char *begin = nullptr, *end = nullptr;
};
std::vector<Managed>& managed_sections() {
  static auto* const sections = new std::vector<Managed>;
  return *sections;
}

}  // namespace
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
void __cudaUnregisterFatBinary(void** handle) { delete handle; }

void __cudaRegisterFunction(void** handle, const void* host, char*, const char* name, int, void*, void*,
                            void*, void*, int*) {
  Runtime& runtime = Runtime::get();
  runtime.kernels[host].function = runtime.machine.kernel(module_of(handle), name);
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t bytes, int, int) {
  Runtime& runtime = Runtime::get();
  Memory* const memory = runtime.machine.variable(module_of(handle), name);
  if (!memory) return;  // the device code does not use it
  runtime.symbols[host] = {memory, bytes};
  for (const Managed& section : managed_sections()) {
    if (host < section.begin || host >= section.end) continue;
    std::memcpy(host, runtime.machine.look(*memory, 0, bytes).data(),
                bytes);  // clang initialises the device's
    runtime.mirrors.add(reinterpret_cast<std::byte*>(host), bytes, memory, facts_of(*memory).address);
  }
}

void __bscope_managed_variables(void* begin, void* end) {
  managed_sections().push_back({static_cast<char*>(begin), static_cast<char*>(end)});
}
