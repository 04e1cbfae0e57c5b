// The options of clang that do not depend on the program.
#pragma once

#include <string>
#include <vector>

namespace bscope::cuda {

struct ClangOption {
  /// What is compiled (clang_options.def).
  enum Of : unsigned char { every_file, cuda_file, device_code, host_code, kernel_code } of;
  const char* word;
};
inline constexpr ClangOption clang_options[] = {
#define CLANG_OPTION(of, word) {ClangOption::of, word},
#include "engine/cuda/toolchain/clang_options.def"
#undef CLANG_OPTION
};

inline std::vector<std::string> options_of(ClangOption::Of of) {
  std::vector<std::string> all;
  for (const ClangOption& o : clang_options)
    if (o.of == of) all.emplace_back(o.word);
  return all;
}

}  // namespace bscope::cuda
