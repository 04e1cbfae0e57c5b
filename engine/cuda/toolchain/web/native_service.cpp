// In a page the machine is in a module of its own, which asks for native code itself where there is any.
#include "engine/cuda/toolchain/native_service.hpp"

#include <utility>

namespace bscope::cuda {

NativeService::NativeService(std::string clang, std::filesystem::path asks, std::filesystem::path answers,
                             NativeLibraries& known)
    : clang_(std::move(clang)), asks_(std::move(asks)), answers_(std::move(answers)), known_(known) {}
NativeService::~NativeService() = default;

}  // namespace bscope::cuda
