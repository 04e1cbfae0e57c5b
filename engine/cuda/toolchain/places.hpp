// Where clang is, and what of ours students' programs include and are linked with.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/trace/error.hpp"

namespace bscope::cuda {

/// What is needed to compile is not there; what() is one sentence that says what to install.
struct NoToolchain : Error {
  using Error::Error;
};

struct Places {
  std::string clang;              ///< clang++
  std::filesystem::path include;  ///< CUDA's headers as we have them
  std::filesystem::path forced;   ///< the one that every file includes, as with nvcc
  std::filesystem::path library;  ///< the CUDA runtime
  std::vector<std::string> system = {"/usr/include",
                                     "/usr/lib"};  ///< folders of other headers that are not the user's
};
/// Clang is find_clang(); ours lies beside the program, where it was installed, or in $BARRIERSCOPE_CUDA.
/// Throws NoToolchain.
Places find_places();

/// The compiler of users' programs: $CLANG, or clang++ 19, which is also the page's, or another of 16 to 21
/// that is installed. Throws NoToolchain.
std::string find_clang();

/// A program by its name on PATH, or by its path; empty: there is none.
std::string find_program(const std::string& name);

}  // namespace bscope::cuda
