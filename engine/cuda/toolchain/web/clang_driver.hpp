// What clang's driver does natively, for a page, which has clang and wasm-ld without it: the words of a
// compilation or a link, as engine/cuda/toolchain says them, become those of the tool that does it.
#pragma once

#include <string>
#include <vector>

namespace bscope::cuda {

/// The word by which the driver knows kernels (engine/cuda/worker/kernel_compiler.hpp); other C is host code.
inline constexpr const char* kernel_target = "--target=wasm32-unknown-emscripten";

/// Of "clang++ OPTIONS FILE": "clang -cc1 ..." or, without -c and -S, "wasm-ld ...".
std::vector<std::string> tool_command(const std::vector<std::string>& driver_command);

}  // namespace bscope::cuda
