// What a build file (Makefile, CMakeLists.txt, compile_commands.json) says of the programs that it builds. It
// is read, and nothing of it is run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/cuda/toolchain/program.hpp"
#include "engine/trace/message.hpp"

namespace bscope::cuda {

/// A program that a build file builds. Paths are absolute.
struct ProjectProgram {
  std::string name;                     ///< "vector_add"
  std::vector<std::string> files = {};  ///< that are compiled, in its order
  std::vector<std::string> cuda = {};   ///< those of them that are CUDA whatever their names say
  std::vector<std::string> includes = {}, defines = {};
  std::vector<std::string> link_with = {};  ///< objects and archives that lie there, -lNAME, -LFOLDER
  std::string standard = {};                ///< empty: it is not said
  std::string architecture = {};            ///< "sm_80"; empty: it is not said
  std::filesystem::path folder = {};        ///< where it is run
  /// Where it is run, too: a program of CMake's is started in its build folder or beside its CMakeLists.txt.
  std::filesystem::path source_folder = {};
  std::vector<std::string> arguments = {};  ///< that a rule of the build file runs it with
  std::string run_by = {};                  ///< the name of that rule
};

struct Project {
  std::filesystem::path file;            ///< the build file
  std::vector<ProjectProgram> programs;  ///< in its order
  std::vector<std::string> left_out;     ///< what could not be decided, as the file has it: "$(shell date)"
};

/// Whether the file's name is that of a build file.
bool is_build_file(const std::filesystem::path&);
/// The build file of a folder; empty: it has none.
std::filesystem::path build_file_in(const std::filesystem::path& folder);

/// Reads a build file. Throws BadFile where it cannot be read.
Project read_project(const std::filesystem::path& build_file);

/// A program's files and options with those of the build file that builds its first file: it lies in the
/// folder of the file, or above it within the project. Nothing: no build file says anything that the program
/// lacks.
std::optional<Program> with_project(const Program&);

/// The program of a build file or a folder that is named in place of a file. `chosen`: the name of one of its
/// programs; empty: it has one. Throws BadFile, and UsageError with the names to choose from.
Program program_of_project(const std::string& build_file_or_folder, const std::string& chosen,
                           const Program& options);

}  // namespace bscope::cuda
