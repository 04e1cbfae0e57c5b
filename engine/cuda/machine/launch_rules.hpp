// What a launch must keep to: one list of rules, for the machine itself and for CUDA's runtime API on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/cuda/machine/machine.hpp"

namespace bscope::cuda {

/// A rule that a launch breaks.
struct BrokenRule {
  /// CUDA's error for it: cudaErrorInvalidConfiguration, cudaErrorInvalidValue.
  enum Error : uint8_t { invalid_configuration, invalid_value } error = invalid_configuration;
  Message message;  ///< for the user
};

/// The first rule that a launch breaks; nullopt: it can be. `fixed_shared`: bytes of shared memory that the
/// kernel declares; `most_shared`: bytes that a block has.
std::optional<BrokenRule> broken_rule(const LaunchRequest&, uint64_t fixed_shared, uint64_t most_shared);

}  // namespace bscope::cuda
