// Native code for kernels in a page: WebAssembly that the machine's module loads into its own memory.
#pragma once

#include <map>

#include "engine/cuda/native/compiler.hpp"

namespace bscope::cuda {

/// Compiles at once, with the page's clang. Where the page has none now, kernels are interpreted.
class KernelCompiler : public NativeCompiler {
 public:
  void ask(int number, const std::string& text) override;
  std::optional<std::filesystem::path> answer(int number) override { return libraries_.at(number); }

 private:
  std::map<int, std::filesystem::path> libraries_;
};

}  // namespace bscope::cuda
