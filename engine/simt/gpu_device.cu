// Which GPU is there, and CUDA's errors as sentences.
#include <cuda_runtime.h>

#include <cstdio>

#include "engine/simt/device_module.hpp"
#include "engine/simt/gpu_memory.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {
/// Compiled for one architecture; the question whether the device runs it is asked of this kernel.
__global__ void probe() {}

std::string version_text(int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); }

/// Why no GPU can be used; empty if one can.
Message missing() {
  int devices = 0;
  const cudaError_t e = cudaGetDeviceCount(&devices);
  if (e == cudaErrorInsufficientDriver) {
    int driver = 0;
    cudaDriverGetVersion(&driver);
    return driver ? message(
                        "no CUDA device: the driver is for CUDA {}, this program needs {}: update the NVIDIA "
                        "driver",
                        version_text(driver), version_text(CUDART_VERSION))
                  : message("no CUDA device: no NVIDIA driver is installed on this machine");
  }
  if (e != cudaSuccess) return message("no CUDA device: {}", cudaGetErrorString(e));
  if (devices == 0) return message("no CUDA device: the driver sees no GPU");
  cudaFuncAttributes attributes;
  if (const cudaError_t f = cudaFuncGetAttributes(&attributes, probe); f != cudaSuccess) {
    cudaGetLastError();  // not to be found again by the next call
    cudaDeviceProp p{};
    cudaGetDeviceProperties(&p, 0);
    return message(
        "no CUDA device that runs this program: {} has compute capability {} ({}): build with "
        "CMAKE_CUDA_ARCHITECTURES set to it",
        p.name, std::to_string(p.major) + "." + std::to_string(p.minor), cudaGetErrorString(f));
  }
  return {};
}
/// The kernel module's version, as nvidia-smi prints it; else the CUDA version the driver speaks.
std::string driver_text() {
  std::string version;
  if (std::FILE* f = std::fopen("/sys/module/nvidia/version", "r")) {
    char line[64] = {};
    if (std::fgets(line, sizeof line, f)) version = line;
    std::fclose(f);
  }
  while (!version.empty() && std::isspace(static_cast<unsigned char>(version.back()))) version.pop_back();
  if (!version.empty()) return version;
  int driver = 0;
  cudaDriverGetVersion(&driver);
  return "CUDA " + version_text(driver);
}

std::optional<GpuInfo> first_gpu(Message* why) {
  // The answer does not change while the program runs, and asking takes the driver a while.
  static const Message reason = missing();
  if (why) *why = reason;
  if (!reason.empty()) return {};
  static const GpuInfo info = [] {
    cudaDeviceProp p{};
    must(cudaGetDeviceProperties(&p, 0), "asking for the GPU's properties");
    int clock_khz = 0, bus_bits = 0;
    cudaDeviceGetAttribute(&clock_khz, cudaDevAttrMemoryClockRate, 0);
    cudaDeviceGetAttribute(&bus_bits, cudaDevAttrGlobalMemoryBusWidth, 0);
    GpuInfo g;
    g.name = p.name;
    g.driver = driver_text();
    g.multiprocessors = p.multiProcessorCount;
    g.memory_bytes = double(p.totalGlobalMem);
    g.peak_gb_per_s = 2.0 * clock_khz * 1e3 * (bus_bits / 8) * 1e-9;  // two transfers a clock
    return g;
  }();
  return info;
}

int count() {
  int devices = 0;
  if (first_gpu(nullptr)) must(cudaGetDeviceCount(&devices), "counting the GPUs");
  return devices;
}

const RegisterDevice here({first_gpu, count});
}  // namespace

inline namespace on_gpu {
void need_device() {
  Message why;
  if (!gpu(&why)) throw NoDevice(why);
}

void must(cudaError_t e, const std::string& what) {
  if (e == cudaSuccess) return;
  cudaGetLastError();
  if (e == cudaErrorNoDevice || e == cudaErrorInsufficientDriver)
    throw NoDevice(message("no CUDA device: {}", cudaGetErrorString(e)));
  if (e == cudaErrorMemoryAllocation)
    throw UsageError(message("the GPU has too little free memory (while {}): use a smaller --n", what));
  throw Error(message("CUDA error while {}: {} ({})", what, cudaGetErrorString(e), cudaGetErrorName(e)));
}

std::string bytes_text(double bytes) {
  char text[40];
  if (bytes >= 1e9)
    std::snprintf(text, sizeof text, "%.1f GB", bytes * 1e-9);
  else if (bytes >= 1e6)
    std::snprintf(text, sizeof text, "%.1f MB", bytes * 1e-6);
  else
    std::snprintf(text, sizeof text, "%.0f bytes", bytes);
  return text;
}

static double free_memory() {
  size_t free = 0, total = 0;
  must(cudaMemGetInfo(&free, &total), "asking for the GPU's free memory");
  return double(free);
}
bool has_memory(double bytes) { return bytes <= free_memory(); }
void need_memory(double bytes, const std::string& what) {
  if (!has_memory(bytes))
    throw UsageError(message("{} needs {} of GPU memory and {} are free: use a smaller --n", what,
                             bytes_text(bytes), bytes_text(free_memory())));
}
}  // namespace on_gpu
}  // namespace bscope
