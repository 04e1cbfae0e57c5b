// Which GPU is there, and CUDA's errors as sentences.
#include <cuda_runtime.h>

#include <cstdio>
#include <stdexcept>

#include "engine/simt/device_module.hpp"
#include "engine/simt/gpu_memory.hpp"
#include "engine/simt/problem.hpp"

namespace bscope {
namespace {
/// Compiled for one architecture; the question whether the device runs it is asked of this kernel.
__global__ void probe() {}

std::string version_text(int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); }

/// Why no GPU can be used; empty if one can.
std::string missing() {
  int devices = 0;
  const cudaError_t e = cudaGetDeviceCount(&devices);
  if (e == cudaErrorInsufficientDriver) {
    int driver = 0;
    cudaDriverGetVersion(&driver);
    return driver ? "no CUDA device: the driver is for CUDA " + version_text(driver) +
                        ", this program needs " + version_text(CUDART_VERSION) + ": update the NVIDIA driver"
                  : "no CUDA device: no NVIDIA driver is installed on this machine";
  }
  if (e != cudaSuccess) return std::string("no CUDA device: ") + cudaGetErrorString(e);
  if (devices == 0) return "no CUDA device: the driver sees no GPU";
  cudaFuncAttributes attributes;
  if (const cudaError_t f = cudaFuncGetAttributes(&attributes, probe); f != cudaSuccess) {
    cudaGetLastError();  // not to be found again by the next call
    cudaDeviceProp p{};
    cudaGetDeviceProperties(&p, 0);
    return "no CUDA device that runs this program: " + std::string(p.name) + " has compute capability " +
           std::to_string(p.major) + "." + std::to_string(p.minor) + " (" + cudaGetErrorString(f) +
           "): build with CMAKE_CUDA_ARCHITECTURES set to it";
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

std::optional<GpuInfo> first_gpu(std::string* why) {
  // The answer does not change while the program runs, and asking takes the driver a while.
  static const std::string reason = missing();
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
  std::string why;
  if (!gpu(&why)) throw NoDevice(why);
}

void must(cudaError_t e, const std::string& what) {
  if (e == cudaSuccess) return;
  cudaGetLastError();
  if (e == cudaErrorNoDevice || e == cudaErrorInsufficientDriver)
    throw NoDevice(std::string("no CUDA device: ") + cudaGetErrorString(e));
  if (e == cudaErrorMemoryAllocation)
    throw UsageError("the GPU has too little free memory (while " + what + "): use a smaller --n");
  throw std::runtime_error("CUDA error while " + what + ": " + cudaGetErrorString(e) + " (" +
                           cudaGetErrorName(e) + ")");
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
    throw UsageError(what + " needs " + bytes_text(bytes) + " of GPU memory and " +
                     bytes_text(free_memory()) + " are free: use a smaller --n");
}
}  // namespace on_gpu
}  // namespace bscope
