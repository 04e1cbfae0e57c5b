// From a launch in a trace to the machine code that a GPU runs for it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/machine_code/machine_code.hpp"
#include "engine/machine_code/occupancy.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

/// A launch's, or why there is none.
struct LaunchedCode {
  enum Why : uint8_t {
    there_is,
    own_program,     ///< people's own CUDA: none is kept of that
    unknown_kernel,  ///< the program has no kernel of that name
    other_launches,  ///< the kernel of that name launches something else today
    no_assets,       ///< the program came without them
    unreadable,      ///< the kernel's file is missing or damaged
    no_such_form     ///< the file holds other forms of the kernel
  };
  std::optional<MachineCode> code = {};
  Why why = there_is;
  Occupancy occupancy = {};
  uint32_t shared_bytes = 0;  ///< of a block: the code's own, and what the launch asks for
};
/// Of the trace's launch of that number. `folder`: assets/machine-code; empty: the program has no assets.
LaunchedCode launched_code(const Trace&, size_t launch, const std::filesystem::path& folder);

/// The problem that a trace's parameters say, its input all zeros: enough to know its launches.
Problem problem_of(const Trace&);

}  // namespace bscope
