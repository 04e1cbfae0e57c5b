// nvcc's own command line, for Makefiles.
#include <filesystem>
#include <ostream>
#include <system_error>

#include "app/cli/console.hpp"
#include "app/cli/program_text.hpp"
#include "app/cli/verb.hpp"
#include "app/options/options.hpp"
#include "engine/cuda/toolchain/project/nvcc_step.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

/// This program, for files that start it; by its name where the system does not say.
std::string own_path() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "barrierscope" : path.string();
}

int run_nvcc(const std::vector<std::string>& words, Console& c) {
  const cuda::NvccStep step = cuda::nvcc_step(words, own_path());
  tell_diagnostics(step.diagnostics, c);
  c.out << step.out;
  return step.exit;
}

const RegisterVerb nvcc{{
    .name = "nvcc",
    .what = "Takes nvcc's options: make NVCC=\"barrierscope nvcc\"",
    .place = 10,
    .footer = "\nAll that follows is read as nvcc reads it. What it links runs under `barrierscope check`:\n"
              "  make NVCC=\"barrierscope nvcc\" && ./program 1024\n"
              "  barrierscope nvcc -O2 -arch=sm_80 main.cu util.cu -o program\n",
    .takes = [](Options&) -> Action {
      return [](Console&, const Window&) -> int {
        throw UsageError(message("nvcc: no input files: name a .cu file"));
      };
    },
    .takes_line = run_nvcc,
}};

}  // namespace
}  // namespace bscope
