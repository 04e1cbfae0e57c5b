#include "engine/cuda/toolchain/places.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <vector>

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

/// The folder `cuda`.
fs::path find_ours() {
  std::error_code ignored;
  const fs::path beside = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  std::vector<fs::path> all;
  if (const char* chosen = std::getenv("BARRIERSCOPE_CUDA"); chosen && *chosen)
    all.push_back(fs::absolute(chosen, ignored));
  all.push_back(beside / "cuda");
  all.push_back(beside.parent_path() / "cuda");  // of a test's program in a folder of the build
  for (const char* lib : {"lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"})
    all.push_back(beside.parent_path() / lib / "barrierscope" / "cuda");
  for (const fs::path& folder : all)
    if (fs::exists(folder / "include" / "cuda_runtime.h", ignored)) return folder;
  throw NoToolchain(
      message("the folder cuda, which CUDA files are compiled with, is not beside {}: build or install "
              "barrierscope again",
              beside.string()));
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  std::string_view rest = path && *path ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(':'), rest.size());
    const std::string candidate = std::string(rest.substr(0, end)) + "/" + name;
    if (candidate[0] == '/' && ::access(candidate.c_str(), X_OK) == 0) return candidate;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

std::string find_clang() {
  if (const char* chosen = std::getenv("CLANG"); chosen && *chosen) {
    if (std::string found = find_program(chosen); !found.empty()) return found;
    throw NoToolchain(
        message("there is no compiler {}, which CLANG names: name clang++ 19, or unset it", chosen));
  }
  for (const char* version : {"19", "20", "21", "18", "17", "16"})
    for (const std::string& name : {"clang++-"s + version, "/usr/lib/llvm-"s + version + "/bin/clang++"})
      if (std::string found = find_program(name); !found.empty()) return found;
  throw NoToolchain(
      message("clang 19, which reads CUDA files, is not installed: sudo apt-get install clang-19"));
}

Places find_places() {
  const fs::path ours = find_ours();
  return {.clang = find_clang(),
          .include = ours / "include",
          .forced = ours / "include" / "cuda_runtime.h",
          .library = ours / "lib" / "libbarrierscope_cuda.so"};
}

}  // namespace bscope::cuda
