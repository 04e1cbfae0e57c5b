// Why the host's code was stopped, as far as the runtime alone can say it.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/cuda/runtime/runtime.hpp"

namespace bscope::cuda {

/// An access of the host's to memory that it may not touch.
struct BadAccess {
  uint64_t address = 0;
  bool writes = false, in_call = false;  ///< whether it came in a call of CUDA
  const Stack* stack = nullptr;          ///< where
};

/// nullopt: the address is nothing that the runtime knows.
std::optional<Message> message_of_bad_access(const Runtime&, const BadAccess&);
/// Of a program whose time is over.
Message message_of_time(const Runtime&, bool in_call);

}  // namespace bscope::cuda
