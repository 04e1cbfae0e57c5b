#include "engine/cuda/toolchain/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <string_view>

namespace bscope::cuda {
namespace {

constexpr std::string_view passed[] = {
    "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TERM", "LD_LIBRARY_PATH",
    // compilers
    "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "SOURCE_DATE_EPOCH",
    // wrappers of compilers on NixOS and Guix
    "NIX_CFLAGS_COMPILE", "NIX_LDFLAGS", "NIX_CC_WRAPPER_TARGET_HOST", "GUIX_ENVIRONMENT"};
constexpr std::string_view passed_beginnings[] = {"LC_", "OMP_", "CUDA_", "NVCC_", "NVIDIA_"};

bool is_passed(std::string_view name) {
  return std::ranges::find(passed, name) != std::end(passed) ||
         std::ranges::any_of(passed_beginnings, [&](std::string_view b) { return name.starts_with(b); });
}

}  // namespace

std::vector<std::string> environment_with(const std::vector<std::string>& more) {
  std::vector<std::string> all;
  for (char** e = environ; e && *e; ++e) {
    const std::string_view name(*e, std::string_view(*e).find('='));
    const auto is_it = [&](const std::string& m) { return m.starts_with(std::string(name) + "="); };
    if (is_passed(name) && std::ranges::none_of(more, is_it)) all.emplace_back(*e);
  }
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace bscope::cuda
