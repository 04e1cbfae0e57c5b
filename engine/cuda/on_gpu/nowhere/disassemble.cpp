// Where no program can be started, as in a browser: machine code of users' own programs is made elsewhere.
#include "engine/cuda/on_gpu/disassemble.hpp"

namespace bscope::cuda {

Disassembler Disassembler::of_this_machine() { return {}; }

Message Disassembler::missing() const { return message("a browser can start no compiler"); }

std::string Disassembler::architecture() const { return {}; }

Disassembled disassemble(const Program&, const Disassembler& tools, const std::string&) {
  throw NoDisassembly(tools.missing());
}

}  // namespace bscope::cuda
