// A program's files to a program that can be run: device code as LLVM IR beside it, diagnostics as data.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/cuda/toolchain/constants.hpp"
#include "engine/cuda/toolchain/diagnostics.hpp"
#include "engine/cuda/toolchain/line_edits.hpp"
#include "engine/cuda/toolchain/places.hpp"
#include "engine/cuda/toolchain/program.hpp"

namespace bscope::cuda {

/// A file of the program: where it is, the user's name for it, where a copy of its text lies.
struct SourceFile {
  std::filesystem::path path;
  std::string shown;
  std::filesystem::path copy;
};

struct Compiled {
  std::vector<Diagnostic> diagnostics;  ///< files as the user named them
  bool done = false;                    ///< there is a program
  std::filesystem::path program;
  std::vector<std::string> device;  ///< files of device code in the folder, by module
  std::vector<SourceFile> sources;  ///< headers of theirs, too
  std::vector<NamedText> texts;     ///< of the files named, as they were compiled
  std::string first_text;           ///< of the first file named, as it was read
  /// Files beside the program's that alone have a function, or a main, that it lacks.
  std::vector<std::string> beside;
};

/// How far a program is compiled: `objects` says whether its files compile.
enum class Until : unsigned char { objects, program };

/// Compiles into the folder. Throws BadFile for what cannot be read, UsageError for a constant
/// that cannot be changed, NoToolchain, Cancelled.
/// `edits` are made in a copy, before constants are changed.
Compiled compile(const Program&, const Places&, const std::filesystem::path& folder,
                 const std::vector<LineEdit>& edits = {}, Until = Until::program);

}  // namespace bscope::cuda
