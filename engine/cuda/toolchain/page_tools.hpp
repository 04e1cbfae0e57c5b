// A page's compiler and linker on this machine: what `tools.run` of a page asks for (engine/cuda/web),
// confined.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/cuda/toolchain/run_folder.hpp"

namespace bscope::cuda {

/// A run of clang or of wasm-ld as a page asks for it, and what came of it. Paths are the page's: they begin
/// with /barrierscope/, and files lie below /barrierscope/files and /barrierscope/work.
struct ToolRun {
  std::vector<std::string> words = {};  ///< "clang", "-cc1" or "wasm-ld", then its options
  int exit = -1;                        ///< its exit code, or 128 and the signal that ended it
  std::string output = {};              ///< what it said
  std::vector<std::pair<std::string, std::string>> files = {};  ///< bytes by path: to be read, or written
};
/// The first line is JSON, { "words" or "exit" and "output", "files": [[path, bytes], ...] }, and their bytes
/// follow. Throws BadFile.
ToolRun read_tool_run(std::string_view packet);
/// The same back, for an answer.
std::string tool_answer(const ToolRun&);

class PageTools {
 public:
  /// `packs`: the folder of packed headers and libraries that the page itself would fetch
  /// (tools/header_packs.py), which are unpacked. Throws NoToolchain, BadFile.
  explicit PageTools(const std::filesystem::path& packs);
  /// Runs a tool, for a worker thread; several may run at a time. Words that would let a tool run code are
  /// refused. Throws UsageError, SystemError.
  ToolRun run(const ToolRun& asked) const;

 private:
  std::string clang_, linker_;
  RunFolder headers_;  ///< what the packs hold, below a folder of the page's name
};

}  // namespace bscope::cuda
