// The way between a program's module and the machine's, each with a memory of its own. In a page it leads
// through JavaScript; natively, for tests, from one library to another.
#pragma once

#include "engine/cuda/remote/packet.hpp"

namespace bscope::cuda {

/// A question of the program's (messages.hpp) to the machine. Returns the answer.
Bytes ask(ByteSpan request);
/// The other direction: what the program's side (machine_client.cpp) answers to the machine while it waits
/// for an answer of the machine's.
Bytes answer_back(ByteSpan request);

}  // namespace bscope::cuda
