// Host memory that kernels use as well: __managed__ variables, and what cudaHostRegister names. The device
// has memory of its own for each; before a launch it is made equal to the host's, after it the host's to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/cuda/machine/machine.hpp"

namespace bscope::cuda {

class Mirrors {
 public:
  void add(std::byte* host, size_t bytes, Memory*, uint64_t device);
  /// False: there is none that begins there.
  bool remove(const void* host);
  /// The device's address for one of the host's; 0: it is in no mirror.
  uint64_t device_of(const void* host) const;
  /// The host's address for one of the device's; 0: it is in no mirror.
  uint64_t host_of(uint64_t device) const;

  void to_device(Machine&);
  void to_host(Machine&);

 private:
  struct Mirror {
    std::byte* host;
    size_t bytes;
    Memory* memory;
    uint64_t device;
    std::vector<std::byte> common;  ///< what both held last
  };
  std::vector<Mirror> mirrors_;
};

}  // namespace bscope::cuda
