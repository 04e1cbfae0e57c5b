// What a program's files lack and no build file names, where it lies around them: a folder with a header, a
// file with a function.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/cuda/toolchain/diagnostics.hpp"
#include "engine/cuda/toolchain/program.hpp"

namespace bscope::cuda {

/// The program with the folder that has the first header which the compiler did not find: the nearest around
/// the program's folder, in it and the four above. Where no header is missing, with the files beside it that
/// have what it lacks. Nothing: no part is found, several could be meant, or none may be looked for.
std::optional<Program> with_parts_around(const Program&, const std::vector<Diagnostic>&,
                                         const std::vector<std::string>& beside);

}  // namespace bscope::cuda
