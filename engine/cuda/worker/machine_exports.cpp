// The machine as a page's worker calls it (machine.js): one at a time, for the program that runs.
#include <memory>

#include "engine/cuda/remote/machine_server.hpp"
#include "engine/cuda/worker/kernel_compiler.hpp"
#include "engine/trace/progress.hpp"
#include "engine/trace/scoped_assign.hpp"

// library.js
extern "C" {
/// Hands a request of the machine's to the program. Returns the size of the answer, which worker_take_answer
/// copies.
size_t worker_ask_program(const std::byte* request, size_t size);
void worker_take_answer(std::byte* to);
void worker_keep_trace(const std::byte* trace, size_t size);
/// Whether the program's time is over: its launch ends then.
int worker_time_is_up();
}

namespace bscope::cuda {
namespace {

std::unique_ptr<MachineServer> server;
Bytes latest_answer;
Progress progress;
Progress* outer_progress = nullptr;  // of the toolchain that runs the program

Bytes ask_program(ByteSpan request) {
  Bytes answer(worker_ask_program(request.data(), request.size()));
  worker_take_answer(answer.data());
  return answer;
}

void look_at_time(const Progress&) {
  if (worker_time_is_up()) progress.stop = true;
}

}  // namespace
}  // namespace bscope::cuda

using namespace bscope::cuda;

#define WORKER_EXPORT extern "C" [[gnu::used, gnu::visibility("default")]]

WORKER_EXPORT void machine_begin() {
  server = std::make_unique<MachineServer>(ServerEnvironment{
      .ask_back = ask_program,
      .keep_trace = [](const Bytes& trace) { worker_keep_trace(trace.data(), trace.size()); },
      .compiler = std::make_unique<KernelCompiler>()});
  progress.stop = false;
  progress.tell = look_at_time;
  outer_progress = bscope::current_progress;
}

WORKER_EXPORT void machine_end() {
  server.reset();
  // a program that ends while it is asked back ends machine_answer, too, without its destructors
  bscope::current_progress = outer_progress;
}

/// Answers a request of the program's. Returns the size of the answer; 0: the launch was stopped because time
/// is up.
WORKER_EXPORT size_t machine_answer(const std::byte* request, size_t size) {
  const bscope::ScopedAssign watched(bscope::current_progress, &progress);
  progress.stop = false;
  try {
    latest_answer = server->answer({request, size});
  } catch (const bscope::Cancelled&) { latest_answer = {}; }
  return latest_answer.size();
}
WORKER_EXPORT const std::byte* machine_answer_bytes() { return latest_answer.data(); }
