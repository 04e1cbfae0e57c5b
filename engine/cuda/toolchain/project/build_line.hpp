// A compiler's command line, as data: what it compiles, with what, and to what.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/trace/message.hpp"

namespace bscope::cuda {

/// What a line makes.
enum class Makes : unsigned char { program, object, archive, device_link, other };

/// One call of a compiler. All paths are absolute.
struct BuildLine {
  Makes makes = Makes::program;
  std::string output;                  ///< as it is named, or as the compiler names it
  std::vector<std::string> sources;    ///< .cu, .cpp, .cc, .cxx, .c
  std::vector<std::string> cuda;       ///< those of them that -x cu makes CUDA
  std::vector<std::string> objects;    ///< .o, .a, .so
  std::vector<std::string> libraries;  ///< of -l
  std::vector<std::string> library_folders;
  std::vector<std::string> includes, defines;
  std::string standard;                  ///< "c++17"; empty: the line does not say
  std::string architecture;              ///< "sm_80", the newest of those it names; empty: none
  std::vector<std::string> not_allowed;  ///< options that this compiler does not have, with what follows them
  std::string refused;       ///< an option that makes what Barrierscope has no use for: -ptx, -shared ...
  std::string dependencies;  ///< the file of a rule for make, where -M or -MM asks for one; "-": stdout
  bool prints_version = false;
};

/// Reads a command line without the compiler's name. `folder`: where it runs. Any compiler's options are
/// taken; those that nvcc does not have are listed, too.
BuildLine build_line(const std::vector<std::string>& words, const std::filesystem::path& folder);

/// The options of `nvcc` whose names are like this one, the most alike first; at most three.
std::vector<std::string> options_like(const std::string& option);

/// Whether a word of a command line is a compiler: "nvcc", "/usr/bin/g++-12", "cc".
bool is_compiler(const std::string& word);

/// Whether the file is source text that is compiled.
bool is_source(const std::filesystem::path& file);

/// "sm_86" of "sm_86", "compute_86", "86", "8.6", "86-real", "sm_90a"; empty: no number.
std::string architecture_of(std::string_view name);
/// The newer of two; either may be empty.
std::string newer_architecture(const std::string& a, const std::string& b);

}  // namespace bscope::cuda
