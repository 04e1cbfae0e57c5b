#include "engine/cuda/runtime/crash_messages.hpp"

#include <cstdio>

#include "engine/cuda/runtime/report.hpp"

namespace bscope::cuda {
namespace {

/// Of an address in or near memory that the program has from CUDA.
Message message_of_access_near(const Runtime& runtime, const Memory& memory, const BadAccess& access) {
  const MemoryFacts facts = facts_of(memory);
  const Message name = name_of(memory);
  const bool writes = access.writes;
  if (facts.freed)
    return writes ? message("The host writes {} after it was freed.", name)
                  : message("The host reads {} after it was freed.", name);
  const LibraryCall call = library_call(*access.stack, runtime.settings);
  if (!facts.visible && call.function.starts_with("thrust::"))
    return message(
        "{} runs on the host here, but {} is memory of the device: give it thrust::device as its first "
        "argument, or pass it a thrust::device_ptr.",
        call.function, name);
  if (!facts.visible)
    return writes ? message(
                        "The host writes {}, which is memory of the device: copy it with cudaMemcpy, or "
                        "allocate it with cudaMallocManaged.",
                        name)
                  : message(
                        "The host reads {}, which is memory of the device: copy it with cudaMemcpy, or "
                        "allocate it with cudaMallocManaged.",
                        name);
  return writes ? message("The host writes beyond the end of {}, which has {}.", name, in_bytes(facts.bytes))
                : message("The host reads beyond the end of {}, which has {}.", name, in_bytes(facts.bytes));
}

}  // namespace

std::optional<Message> message_of_bad_access(const Runtime& runtime, const BadAccess& access) {
  if (access.in_call)
    return message("This call is given memory of the host that is too small, or that is not the program's.");
  if (access.address < 65536)
    return access.writes ? message("The host writes through a null pointer.")
                         : message("The host reads through a null pointer.");
  const Machine::MemoryLocation place = runtime.machine.at(access.address);
  if (!place.memory) return {};
  return message_of_access_near(runtime, *place.memory, access);
}

Message message_of_time(const Runtime& runtime, bool in_call) {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.3g", runtime.settings.seconds);
  const bool by_launches = runtime.seconds_in_launches > runtime.settings.seconds / 2;
  return in_call ? message(
                       "The program was stopped after {} s, in the middle of a launch: make the input "
                       "smaller.",
                       seconds)
         : by_launches
             ? message(
                   "The program was stopped after {} s, most of them in its launches: make the "
                   "input smaller, or let it launch less.",
                   seconds)
             : message("The program was stopped after {} s: is there a loop of the host that never ends?",
                       seconds);
}

void end_without_memory() {
  Runtime& runtime = Runtime::get();
  const HostLine at = runtime.caller();
  end_program(
      {ProgramEnd::stopped, 2,
       message("The program and its kernels need more memory than a program may have here (5 GB): make "
               "the input smaller."),
       at});
}

}  // namespace bscope::cuda
