// From the program's library to the machine's, and back.
#include "engine/cuda/remote/transport.hpp"

#include "tests/cuda/remote/machine_module.hpp"

namespace bscope::cuda {
namespace {

void keep(void* to, const std::byte* bytes, size_t length) {
  static_cast<Bytes*>(to)->assign(bytes, bytes + length);
}

void answer_machine(const std::byte* request, size_t length, bscope_take take, void* to) {
  const Bytes answer = answer_back({request, length});
  take(to, answer.data(), answer.size());
}

}  // namespace

Bytes ask(ByteSpan request) {
  static const bool begun = (bscope_machine_begin(answer_machine), true);
  (void)begun;
  Bytes answer;
  bscope_machine_ask(request.data(), request.size(), keep, &answer);
  return answer;
}

}  // namespace bscope::cuda
