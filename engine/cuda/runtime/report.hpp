// What is left of a run in its folder: trace.bscope, if there is one, and report.json, each whole or not at
// all.
#pragma once

#include <string>

#include "engine/cuda/runtime/runtime.hpp"

namespace bscope::cuda {

/// How a program ended.
struct ProgramEnd {
  enum Reason { returned, exited, crashed, stopped, refused } how = returned;
  int exit = 0;
  Message message = {};  ///< empty if nothing was wrong
  HostLine at = {};
};

void write_report(Runtime&, const ProgramEnd&);
/// Ends the program here, from a call of CUDA's.
[[noreturn]] void end_program(const ProgramEnd&);

}  // namespace bscope::cuda
