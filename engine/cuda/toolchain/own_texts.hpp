// All texts of a program that are its own: the files named, and the headers that these include with quotes.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/toolchain/constants.hpp"
#include "engine/cuda/toolchain/program.hpp"

namespace bscope::cuda {

struct OwnText {
  std::filesystem::path path;  ///< absolute
  NamedText text;              ///< as it lies there, and the user's name for it
  bool header = false;
};
/// The files, in order, then their headers. Throws BadFile for a file that cannot be read; a header that
/// cannot is the compiler's matter. `may_read`: which headers may be read; empty: all.
std::vector<OwnText> own_texts(const std::vector<std::string>& files,
                               const std::vector<std::string>& includes,
                               const std::function<bool(const std::filesystem::path&)>& may_read = {});

/// Whether a text outside of the preprocessor's lines has kernels or launches: the file is CUDA then,
/// whatever its name says.
bool has_cuda_code(std::string_view text);
/// The files of the program that are CUDA: by their names, by `Program::cuda`, or by what stands in them.
/// Where none is, the first file is if one of its headers has CUDA code.
std::vector<std::string> cuda_files(const Program&, const std::vector<OwnText>&);

}  // namespace bscope::cuda
