// Where no program can be started, as in a browser: users' own CUDA files are traced elsewhere.
#include "engine/cuda/toolchain/own_program.hpp"

#include <system_error>

#include "engine/cuda/toolchain/child.hpp"
#include "engine/cuda/toolchain/terms.hpp"
#include "engine/trace/error.hpp"

namespace bscope::cuda {

bool can_limit_reading() { return false; }

ProgramRun run_program(const Program& p, const Schedule& s) { return run_program(p, s, {}); }

ProgramRun run_program(const Program&, const Schedule&, const Terms&) {
  throw NoToolchain(message(
      "a browser compiles no CUDA: record the program's trace elsewhere (barrierscope trace FILE.cu -o "
      "FILE.bscope) and open that file here"));
}

Ended run(const ProcessCommand&) {
  throw SystemError(message("Barrierscope cannot run programs here"),
                    std::make_error_code(std::errc::function_not_supported));
}

}  // namespace bscope::cuda
