// Several GPUs in a program that was built without CUDA or without NCCL's header: says so.
#ifndef BARRIERSCOPE_NCCL
#include "engine/simt/device.hpp"
#include "engine/timing/several.hpp"

namespace bscope {

std::unique_ptr<Meter> several_gpus(int, const Patience&, std::function<bool()>) {
  std::string why;
  if (!gpu(&why)) throw NoDevice(why);
  throw NoDevice(
      "several GPUs exchange their sums through NCCL, and this program was built without its header nccl.h: "
      "install NCCL (package libnccl-dev) and build again, or leave out --gpus");
}

}  // namespace bscope
#endif
