// Functions that a program's files call and do not have, where a file beside them has them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/toolchain/diagnostics.hpp"
#include "engine/cuda/toolchain/own_texts.hpp"

namespace bscope::cuda {

/// The source files in the folder of the program's first file that are not part of it.
class FilesBeside {
 public:
  /// `own`: all texts of the program; none is read again.
  explicit FilesBeside(const std::vector<OwnText>& own);

  /// The name of the first that defines the function: "f(int)", "Point::move(int)", "f". Empty: none does.
  std::string that_defines(std::string_view function);
  /// The files, by name, that were an answer to one of these questions, and the only one that could be.
  const std::vector<std::string>& only_ones() const { return only_ones_; }
  /// The name of the first that has a main and names a function of the program. Empty: none does.
  std::string whose_main_calls_it();

 private:
  struct File {
    std::string name, text;
  };
  /// Their texts, which are read when the first is asked for.
  const std::vector<File>& files();

  /// The first of them. `all`: those that are an answer.
  std::string first_of(const std::vector<std::string>& all);

  const std::vector<OwnText>& own_;
  std::vector<File> files_;
  std::vector<std::string> only_ones_;
  bool read_ = false;
};

/// Says of each function that the linker did not find which file beside the program has it.
void name_files_beside(std::vector<Diagnostic>&, FilesBeside&);
/// The mangled names of functions that device code (LLVM IR, the texts of all its modules) calls and does not
/// define.
std::vector<std::string> undefined_device_functions(const std::vector<std::string>& modules);
/// The mangled names of variables that device code (LLVM IR) defines, and that the linker did not find in
/// host code: another file of the program declares them `extern`, and uses them as symbols.
std::vector<std::string> device_variables_wanted(std::string_view module, std::string_view said_by_linker);
/// An error for each of these that a file beside the program defines.
std::vector<Diagnostic> device_functions_beside(const std::vector<std::string>& mangled, FilesBeside&);

}  // namespace bscope::cuda
