// The environment that a started program gets.
#pragma once

#include <string>
#include <vector>

namespace bscope::cuda {

/// Those variables of ours that compilers and programs work by (paths of programs, libraries and headers,
/// language, time zone, CUDA's and OpenMP's settings), and `more`, NAME=VALUE, which wins. Tokens and keys
/// that tools keep in variables are none of them.
std::vector<std::string> environment_with(const std::vector<std::string>& more);

}  // namespace bscope::cuda
