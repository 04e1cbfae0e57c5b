// The service that makes native code of C: this process may not start a compiler itself.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace bscope::cuda {

class NativeCompiler {
 public:
  virtual ~NativeCompiler() = default;
  /// Asks for a text to be compiled. It may take its time.
  virtual void ask(int number, const std::string& text) = 0;
  /// The library that came of it; an empty path: none can. nullopt: not yet.
  virtual std::optional<std::filesystem::path> answer(int number) = 0;
};

}  // namespace bscope::cuda
