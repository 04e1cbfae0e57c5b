#ifdef BARRIERSCOPE_NCCL
#include "engine/timing/nccl.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "engine/simt/device.hpp"

namespace bscope {
namespace {

Nccl load() {
  const char* named = std::getenv("BARRIERSCOPE_NCCL");
  const std::string file = named && *named ? named : "libnccl.so.2";
  // Off by default: NVLink's multicast takes memory on every GPU, and a few bytes gain nothing from
  // it.
  setenv("NCCL_NVLS_ENABLE", "0", 0);
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw NoDevice(
        message("NCCL, through which several GPUs exchange sums, cannot be loaded ({}): install it (package "
                "libnccl2, or nvidia-nccl-cu13 for Python), put its folder into LD_LIBRARY_PATH or name its "
                "file in BARRIERSCOPE_NCCL",
                dlerror()));
  const auto take = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (!function)
      throw NoDevice(
          message("{} has no function {}: install NCCL 2.13 or newer, or name its file in BARRIERSCOPE_NCCL",
                  file, name));
  };
  Nccl n;
  take(n.init_all, "ncclCommInitAll");
  take(n.destroy, "ncclCommDestroy");
  take(n.abort, "ncclCommAbort");
  take(n.group_start, "ncclGroupStart");
  take(n.group_end, "ncclGroupEnd");
  take(n.all_reduce, "ncclAllReduce");
  take(n.all_gather, "ncclAllGather");
  take(n.error_text, "ncclGetErrorString");
  take(n.last_error, "ncclGetLastError");
  return n;
}

}  // namespace

const Nccl& nccl() {
  static const Nccl library = load();
  return library;
}

void Nccl::must(ncclResult_t result, const std::string& what) const {
  if (result == ncclSuccess) return;
  const std::string reason = last_error(nullptr);
  throw NoDevice(message(
      "NCCL failed while {}: {}; if a link between the GPUs is refused, NCCL_P2P_DISABLE=1 goes through "
      "the host's memory",
      what, error_text(result) + (reason.empty() ? std::string() : " (" + reason + ")")));
}

}  // namespace bscope
#endif
