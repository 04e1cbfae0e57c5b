// What a launch must keep to: one list of rules, for the machine itself and for CUDA's runtime API on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/cuda/machine/machine.hpp"

namespace bscope::cuda {

/// A rule that a launch breaks.
struct BrokenRule {
  /// CUDA's error for it: cudaErrorInvalidConfiguration, cudaErrorInvalidValue,
  /// cudaErrorCooperativeLaunchTooLarge. `not_compiled`: nvcc refuses to compile the kernel.
  enum Error : uint8_t {
    invalid_configuration,
    invalid_value,
    cooperative_too_large,
    invalid_cluster,
    not_compiled
  } error = invalid_configuration;
  Message message;    ///< for the user
  Message help = {};  ///< what to change in the source; empty where nothing is known that works
};

/// The cluster that a launch asks for, or else its kernel.
Extent cluster_of(const LaunchRequest&);

/// The first rule that a launch breaks; nullopt: it can be. `fixed_shared`: bytes of shared memory that the
/// kernel declares.
std::optional<BrokenRule> broken_rule(const LaunchRequest&, uint64_t fixed_shared,
                                      const DeviceModel& = default_device_model());

/// The first thing for which nvcc would not compile a kernel that declares so much shared memory.
std::optional<BrokenRule> refused_by_nvcc(const ir::Function& kernel, uint64_t fixed_shared);

/// How many blocks of a kernel a multiprocessor of the device that is played has room for at once. Threads
/// and shared memory limit them; registers, which nvcc alone knows, do not. `shared`: bytes of a block.
uint64_t resident_blocks(uint64_t threads, uint64_t shared, const DeviceModel& = default_device_model());

}  // namespace bscope::cuda
