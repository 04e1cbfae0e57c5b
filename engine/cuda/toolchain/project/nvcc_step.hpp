// A command line of nvcc, done as far as Barrierscope needs it: `make NVCC="barrierscope nvcc"`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/cuda/toolchain/diagnostics.hpp"
#include "engine/cuda/toolchain/program.hpp"

namespace bscope::cuda {

/// What a call of nvcc would have printed and returned.
struct NvccStep {
  std::vector<Diagnostic> diagnostics;
  std::string out;  ///< for stdout: a version, a rule for make
  int exit = 0;
};

/// Does what the words say, from the current folder on. A compile step checks that its files compile, and its
/// object names them with their options; a link step makes a program that runs under `barrierscope check`.
/// `barrierscope`: the path of this program, for that file. Throws UsageError with nvcc's kind of sentence,
/// BadFile, NoToolchain, SystemError.
NvccStep nvcc_step(const std::vector<std::string>& words, const std::string& barrierscope);

/// The program that a link step has written. Nothing: the file is none.
std::optional<Program> linked_program(const std::filesystem::path&);

}  // namespace bscope::cuda
