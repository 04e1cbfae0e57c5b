// A user's program by NVIDIA's compiler and disassembler, as text: what its kernels are to a GPU. Nothing
// of it is run.
#pragma once

#include <string>
#include <vector>

#include "engine/cuda/toolchain/diagnostics.hpp"
#include "engine/cuda/toolchain/program.hpp"
#include "engine/trace/error.hpp"

namespace bscope::cuda {

/// A tool is missing, or it failed; what() is one sentence that says what to do.
struct NoDisassembly : Error {
  using Error::Error;
};

/// What it takes; tests hand in their own.
struct Disassembler {
  std::string nvcc, nvdisasm;  ///< programs; empty: there is none
  std::string nvidia_smi;      ///< knows this machine's GPU; empty: there is none
  /// nvdisasm is $NVDISASM, beside nvcc, on PATH, or where CUDA is installed.
  static Disassembler of_this_machine();
  /// The first thing that is missing, one sentence; empty: nothing is.
  Message missing() const;
  /// "sm_86", of this machine's first GPU; empty: it has none, or it is unknown. May take a second.
  std::string architecture() const;
};

struct Disassembled {
  std::vector<Diagnostic> diagnostics;  ///< nvcc's, files as the user named them
  bool compiled = false;
  std::string nvcc;  ///< its version, "13.0.88"
  /// Of one of the program's .cu files, or of all, where they share device code.
  struct FileListing {
    std::string listing;  ///< what `nvdisasm -c -gi` prints
    std::string said;     ///< what nvcc prints, with what ptxas and nvlink say of each kernel
  };
  std::vector<FileListing> files;
};
/// Compiles each .cu file for the architecture ("sm_90"), as it would be for being timed, and with
/// -lineinfo, which changes no instruction; files that share device code are linked, too. What that takes
/// lies in a folder that goes with it. For a worker thread. Throws NoDisassembly, BadFile,
/// UsageError, SystemError, Cancelled.
Disassembled disassemble(const Program&, const Disassembler&, const std::string& architecture);

}  // namespace bscope::cuda
