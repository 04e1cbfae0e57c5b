#include "engine/simt/device.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include "engine/simt/device_module.hpp"

const char BARRIERSCOPE_ENGINE = 0;

namespace bscope {
namespace {

DeviceQuery& query() {
  static DeviceQuery q;  // a function's own: what is linked in registers before main
  return q;
}

/// The module's file; empty where there is none.
std::filesystem::path module_file() {
  if (const char* named = std::getenv("BARRIERSCOPE_GPU_MODULE"); named && *named) return named;
  std::error_code none;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
  for (const auto& folder : {here, here.parent_path() / "lib"})
    if (auto file = folder / "libbarrierscope_gpu.so"; std::filesystem::exists(file, none)) return file;
  return {};
}

/// Loads the module unless its query is linked in; why there is none, empty if there is one.
Message load() {
  if (query().gpu) return {};
  const auto file = module_file();
  if (file.empty())
    return message(
        "no CUDA device: this program has no GPU module beside it; ./run.sh --with-gpu builds one where "
        "there is "
        "nvcc");
  if (dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL) && query().gpu) return {};
  const char* said = dlerror();
  const std::string reason = said ? said : file.string();
  if (reason.find("barrierscope_engine_") != std::string::npos)
    return message(
        "no CUDA device: the GPU module {} belongs to another build of this program; ./run.sh --with-gpu "
        "builds it "
        "anew",
        file.string());
  return message("no CUDA device: the GPU module cannot be loaded ({})", reason);
}

/// Once, and only on demand: a module takes a moment to load, and most runs need none.
const Message& missing() {
  static const Message why = load();
  return why;
}

}  // namespace

RegisterDevice::RegisterDevice(const DeviceQuery& q, const char*) { query() = q; }

std::optional<GpuInfo> gpu(Message* why) {
  if (missing().empty()) return query().gpu(why);
  if (why) *why = missing();
  return {};
}

int gpu_count() { return missing().empty() ? query().count() : 0; }

}  // namespace bscope
