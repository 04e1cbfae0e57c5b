// From the program's module through the page to the machine's, and back (engine/cuda/web/machine_imports.js).
#include "engine/cuda/remote/transport.hpp"

#include "engine/cuda/web/system.h"

extern "C" {
#define MACHINE(name) [[clang::import_module("machine"), clang::import_name(#name)]]
/// Asks the machine. Returns the size of its answer, which machine_take copies. 0: time is up.
MACHINE(ask) size_t machine_ask(const std::byte* request, size_t size);
MACHINE(take) void machine_take(std::byte* to);
/// The program's answer to the machine.
MACHINE(answered) void machine_answered(const std::byte* answer, size_t size);
}

namespace bscope::cuda {

Bytes ask(ByteSpan request) {
  const size_t size = machine_ask(request.data(), request.size());
  if (size == 0) system_trap();
  Bytes answer(size);
  machine_take(answer.data());
  return answer;
}

}  // namespace bscope::cuda

extern "C" [[clang::export_name("answer_machine")]] void bscope_answer_machine(const std::byte* request,
                                                                               size_t size) {
  const bscope::cuda::Bytes answer = bscope::cuda::answer_back({request, size});
  machine_answered(answer.data(), answer.size());
}
