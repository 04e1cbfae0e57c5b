#include "engine/cuda/runtime/settings.hpp"

namespace bscope::cuda {

std::filesystem::path run_folder() { return "/barrierscope/run"; }

}  // namespace bscope::cuda
