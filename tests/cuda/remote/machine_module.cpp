// A MachineServer as a library, in the place of machine.wasm.
#include "tests/cuda/remote/machine_module.hpp"

#include "engine/cuda/remote/machine_server.hpp"

namespace bscope::cuda {
namespace {

bscope_ask ask_program = nullptr;

void keep(void* to, const std::byte* bytes, size_t length) {
  static_cast<Bytes*>(to)->assign(bytes, bytes + length);
}

Bytes ask_back(ByteSpan request) {
  Bytes answer;
  ask_program(request.data(), request.size(), keep, &answer);
  return answer;
}

/// Never unmade: programs call CUDA until their very end.
MachineServer& server() {
  static auto* const all = new MachineServer({.ask_back = ask_back});
  return *all;
}

}  // namespace
}  // namespace bscope::cuda

#pragma GCC visibility push(default)
void bscope_machine_begin(bscope_ask ask_back) { bscope::cuda::ask_program = ask_back; }
void bscope_machine_ask(const std::byte* request, size_t length, bscope_take take, void* to) {
  const bscope::cuda::Bytes answer = bscope::cuda::server().answer({request, length});
  take(to, answer.data(), answer.size());
}
#pragma GCC visibility pop
