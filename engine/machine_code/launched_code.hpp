// From a launch in a trace to the machine code that a GPU runs for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/machine_code/machine_code.hpp"
#include "engine/machine_code/occupancy.hpp"

namespace bscope {

struct Problem;
struct Trace;

/// A launch's, or why there is none.
struct LaunchedCode {
  enum Availability : uint8_t {
    there_is,
    own_program,     ///< a user's own CUDA: none is stored, it is made from the file
    unknown_kernel,  ///< the program has no kernel of that name
    other_launches,  ///< the kernel of that name launches something else today
    no_assets,       ///< the program came without them
    unreadable,      ///< the kernel's file is missing or damaged
    no_such_form,    ///< the file holds other forms of the kernel
    no_such_kernel   ///< nvcc has made other kernels of the program
  };
  std::optional<MachineCode> code = {};
  Availability why = there_is;
  Occupancy occupancy = {};
  uint32_t shared_bytes = 0;  ///< of a block: the code's own, and what the launch asks for
};
/// Of the trace's launch of that number. `folder`: assets/machine-code; empty: the program has no assets.
LaunchedCode launched_code(const Trace&, size_t launch, const std::filesystem::path& folder);

/// The machine code of a user's own program, kernel by kernel.
struct ProgramMachineCode {
  /// By symbol_alike of their mangled names, under which several files may have a kernel of their own each.
  std::multimap<std::string, MachineCode, std::less<>> kernels;
  /// Adds the kernels of one of its files, from what nvdisasm printed of it and what nvcc said when it
  /// compiled it (engine/machine_code/listing.hpp).
  void add(std::string_view listing, std::string_view said, const std::string& nvcc_version);
};
/// A launch as the program made it.
struct OwnLaunch {
  std::string symbol;           ///< of the kernel, as clang mangles it; empty: not known
  uint32_t dynamic_shared = 0;  ///< bytes
};
/// Of a launch in such a program's trace: of kernels of its symbol the one in its file. Where the symbol is
/// not known, or is not that of nvcc, a kernel that is the only one of its name is taken.
LaunchedCode launched_code(const Trace&, size_t launch, const ProgramMachineCode&, const OwnLaunch&);

/// The problem that a trace's parameters say, its input all zeros: enough to know its launches.
Problem problem_of(const Trace&);

}  // namespace bscope
