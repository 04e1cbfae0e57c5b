// A program that runs asks for native code of its long kernels (engine/cuda/native): it may start no compiler
// itself. It writes C into a folder of its own; what comes of that lies in one that it can only read.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "engine/trace/progress.hpp"

namespace bscope::cuda {

/// The command, with the compiler's whole path, that makes a library of such C.
std::vector<std::string> native_command(const std::string& clang, const std::filesystem::path& text,
                                        const std::filesystem::path& library);

/// Libraries by the text that they were made of: a second run asks for the same again.
using NativeLibraries = std::map<std::string, std::filesystem::path>;

/// Answers for as long as it lives: ASKS/0.c becomes ANSWERS/0.so, or ANSWERS/0.none where it does not
/// compile.
class NativeService {
 public:
  /// Makes both folders.
  NativeService(std::string clang, std::filesystem::path asks, std::filesystem::path answers,
                NativeLibraries&);
  ~NativeService();
  NativeService(const NativeService&) = delete;

 private:
  void serve();
  void answer(int number);
  bool compile(int number, const std::string& text);

  std::string clang_;
  std::filesystem::path asks_, answers_;
  NativeLibraries& known_;
  Progress progress_;
  std::jthread thread_;
};

}  // namespace bscope::cuda
