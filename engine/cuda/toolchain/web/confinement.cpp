// A page's compilers and programs are WebAssembly: each has a memory and files of its own, and reaches
// nothing else.
#include "engine/cuda/toolchain/confinement.hpp"

#include <utility>

namespace bscope::cuda {

struct Cage::Restrictions {};

Confinement for_a_compiler(const std::filesystem::path& folder, MayRead readable, unsigned seconds) {
  return {.writable = folder, .readable = std::move(readable), .seconds = seconds};
}

Cage::Cage(const Confinement&) {}
Cage::~Cage() = default;
bool Cage::keeps_files() const { return true; }
bool Cage::keeps_reading() const { return true; }

std::filesystem::path home_folder() { return {}; }
int FileAccess::version() { return 0; }

}  // namespace bscope::cuda
