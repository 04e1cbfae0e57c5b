// The machine code of users' own CUDA programs, launch by launch.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/machine_code/launched_code.hpp"

namespace bscope {

struct Target;
struct Trace;

namespace cuda {
struct Diagnostic;
struct Disassembler;
struct ProgramRun;
}  // namespace cuda

/// Of a program's run.
struct OwnCode {
  ProgramMachineCode kernels;
  std::vector<OwnLaunch> launches;  ///< those of the trace, in its order
  std::string why_none;             ///< one sentence; empty: there is code

  LaunchedCode of(const Trace&, size_t launch) const;
};

/// Compiles the program as it stands for this machine's GPU, or for sm_90 where it has none, and reads what
/// comes of it. What nvcc says goes to `translated`. Throws UsageError where it does not compile,
/// cuda::NoDisassembly, BadFile, SystemError, Cancelled.
OwnCode compile_own_code(const Target&, const cuda::ProgramRun&, const cuda::Disassembler&,
                         std::vector<cuda::Diagnostic>& said);
/// The same for the window: what goes wrong is said in `why_none`. Throws Cancelled alone.
OwnCode own_code(const Target&, const cuda::ProgramRun&, const cuda::Disassembler&);

}  // namespace bscope
