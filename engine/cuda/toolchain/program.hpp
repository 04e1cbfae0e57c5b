// A user's CUDA program, as the command line names it.
#pragma once

#include <string>
#include <vector>

#include "engine/cuda/toolchain/constants.hpp"

namespace bscope::cuda {

/// A user's program.
struct Program {
  std::vector<std::string> files = {};     ///< .cu, .cpp and .c; the first gives it its name
  std::vector<std::string> includes = {};  ///< folders
  std::vector<std::string> defines = {};   ///< NAME or NAME=VALUE
  std::string standard = "c++17";
  std::string device_model = {};            ///< that is played, "sm_90"; empty: a fictitious one
  std::vector<Setting> constants = {};      ///< changed in a copy
  std::vector<std::string> arguments = {};  ///< of its main
  double seconds = 20;                      ///< that its run may take
  bool named_only = false;  ///< it is judged for others: it reads the files that it names, headers and the
                            ///< system's
  bool operator==(const Program&) const = default;
};

/// What Program::device_model can be.
std::vector<std::string> device_model_names();
/// Whether this name looks like that of a program, .cu.
bool is_program(const std::string& file);
/// Or like that of a file that can be compiled beside one, .cpp, .cc, .cxx, .c.
bool is_part_of_program(const std::string& file);
/// The command that would start the program once it is compiled: "./homework" of homework.cu and others. It
/// is the program's argv[0] on the CPU and on a GPU, because many programs print it.
std::string command_name(const Program&);

/// Folders whose programs the user has allowed to run. On a command line naming a file is consent; what was
/// opened otherwise asks once for its folder.
bool is_allowed(const std::string& file, const std::vector<std::string>& allowed_folders);

}  // namespace bscope::cuda
