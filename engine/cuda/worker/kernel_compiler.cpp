#include "engine/cuda/worker/kernel_compiler.hpp"

#include <string>
#include <vector>

#include "engine/cuda/toolchain/child.hpp"
#include "engine/cuda/toolchain/places.hpp"
#include "engine/cuda/toolchain/web/clang_driver.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;

/// The compiler of kernels is given the files of this folder, and no others (own_code.js).
const fs::path folder = "/barrierscope/kernels";

bool runs(std::vector<std::string> words) {
  words.insert(words.begin(), {find_places().clang, kernel_target});
  return run({.words = std::move(words), .where = folder}).good();
}

}  // namespace

void KernelCompiler::ask(int number, const std::string& text) {
  fs::create_directories(folder);
  const std::string name = folder / std::to_string(number), source = name + ".c", object = name + ".o",
                    library = name + ".wasm";
  write_whole(source, text);
  const bool made = runs({"-c", "-x", "c", source, "-o", object}) && runs({"-shared", object, "-o", library});
  libraries_[number] = fs::path(made ? library : "");
  fs::remove(source);
  fs::remove(object);
}

}  // namespace bscope::cuda
