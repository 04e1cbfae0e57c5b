// What a run is made from.
#pragma once

#include <string>

#include "engine/catalog/run_spec.hpp"
#include "engine/cuda/toolchain/program.hpp"
#include "engine/cuda/toolchain/terms.hpp"

namespace bscope {

/// The run to look at: an algorithm to trace now, a .bscope file to load, or a user's own CUDA program to
/// compile and run.
struct Target {
  std::string file;  ///< path of a .bscope or .cu file; empty: trace `request`
  RunSpec request;
  Device device = Device::cpu;
  Schedule schedule;
  cuda::Program program =
      {};  ///< how the .cu file is compiled and run, where that is said; its files may be empty
  cuda::Terms terms = {};  ///< of a program that is judged, or run with a change that is tried
  /// Whether the lines of a catalog's kernel are those of its CUDA program, where it has one. The views ask
  /// for that (State::dialect); what is said of a run elsewhere has the dialect's lines.
  bool in_cuda = false;
  bool is_file() const { return !file.empty(); }
  bool is_program() const { return cuda::is_program(file); }
  bool operator==(const Target&) const = default;
};

}  // namespace bscope
