// How what nvcc compiles comes into the program: linked in (the headless program), or as a module of its own,
// libbarrierscope_gpu.so, which is loaded when a GPU is first requested. Either way its kernels fill in
// their algorithms' entries as they do on the CPU, and the rest registers itself here and in
// engine/timing/gpu_meters.hpp. A module's calls of the engine are the program's functions.
#pragma once

#include <optional>
#include <string>

#include "engine/simt/device.hpp"
#include "engine/simt/engine_id.hpp"

// A name that follows from the engine's headers (cmake/engine_id.cmake). A module of other headers finds it
// not, so that the loader refuses it before anything of it runs.
extern "C" const char BARRIERSCOPE_ENGINE;

namespace bscope {

/// The device query, where there is what nvcc compiles: gpu() and gpu_count() are these.
struct DeviceQuery {
  std::optional<GpuInfo> (*gpu)(Message* why) = nullptr;
  int (*count)() = nullptr;
};

/// static const RegisterDevice here({gpu, count});
struct RegisterDevice {
  explicit RegisterDevice(const DeviceQuery&, const char* engine = &BARRIERSCOPE_ENGINE);
};

}  // namespace bscope
