// A user's program by NVIDIA's compiler, as it stands, with its launches timed (launch_times.cu).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/toolchain/diagnostics.hpp"
#include "engine/cuda/toolchain/program.hpp"

namespace bscope::cuda {

struct Confinement;
struct Ended;

/// $NVCC, nvcc on PATH, or where CUDA is installed; empty: there is none.
std::string find_nvcc();

struct CompiledByNvcc {
  std::vector<Diagnostic> diagnostics;  ///< in nvcc's words, files as the user named them
  bool done = false;
  std::filesystem::path program;
};
/// What nvcc is given of a program, beside what it is to make of it.
struct ForNvcc {
  std::vector<std::string> files;    ///< as they lie, or copies in the folder where constants are changed
  std::vector<std::string> options;  ///< the standard, folders and definitions
  std::vector<std::string> libraries = {};  ///< -lNAME, -LFOLDER
};
/// Throws BadFile, UsageError, SystemError.
ForNvcc for_nvcc(const Program&, const std::filesystem::path& folder);
/// Whether the program's .cu files share device code (functions or `__device__` variables of each other), by
/// what nvcc said of them when it compiled each for itself. Then `device_code_is_shared` has to be set, as
/// users set -rdc=true for such a program.
bool shares_device_code(const Program&, std::string_view said_by_nvcc);
inline constexpr const char* device_code_is_shared = "-rdc=true";
/// What it said, files as the user named them. Where it failed, an error is among them.
std::vector<Diagnostic> diagnostics_by_nvcc(const Program&, const std::string& nvcc, const Ended&);
/// Seconds that nvcc may take.
inline constexpr double seconds_of_nvcc = 180;

/// What nvcc and the tools beside it may do: read, and write into that folder.
Confinement for_nvcc_tools(const Program&, const std::string& tool, const std::filesystem::path& folder);

/// Compiles into the folder, for the GPU of this machine. The files are read where they lie; where constants
/// are changed, copies of them are. Throws BadFile, UsageError, SystemError, Cancelled.
CompiledByNvcc compile_by_nvcc(const Program&, const std::string& nvcc, const std::filesystem::path& folder);
/// The architecture of this machine's GPU as nvcc takes it, "sm_90": nvcc itself cannot ask for it where it
/// is confined. `native`: there is none, or it is not known.
std::string architecture_here();

/// nvcc's front end says FILE(LINE): error: TEXT; the same as FILE:LINE: error: TEXT.
std::string in_compilers_words(std::string_view said_by_nvcc);
/// The text of launch_times.cu, and the names of the functions that it wraps.
std::string_view launch_times_text();
std::vector<std::string> wrapped_functions(std::string_view text);

}  // namespace bscope::cuda
