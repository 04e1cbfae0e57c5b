// What compilers and a user's program may read beside the system's files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/cuda/toolchain/file_access.hpp"
#include "engine/cuda/toolchain/places.hpp"
#include "engine/cuda/toolchain/program.hpp"

namespace bscope::cuda {

/// The folders that a tool brings along, from the path of its program: /usr/lib/llvm-16 of
/// /usr/lib/llvm-16/bin/clang.
std::vector<std::filesystem::path> folders_of_tool(const std::string& program);

/// The folders of clang, our headers and our library.
std::vector<std::filesystem::path> tools_of(const Places&);

/// The files that the program names: its own, and arguments that are files. Absolute; what is not there is
/// left out.
std::vector<std::filesystem::path> named_files(const Program&);

/// What the program and its compilers may read. With Program::named_only: the files that it names, the
/// headers beside them, the folders of -I, and `tools`. Else all but what is hidden, and of that the same
/// with the folders of its files. Throws BadFile where a file of named_only is a link: it would stand for
/// another.
MayRead may_read(const Program&, const std::vector<std::filesystem::path>& tools);

/// Whether a path leads to one of the files listed, or below a folder listed.
bool is_listed(const MayRead&, const std::filesystem::path&);

}  // namespace bscope::cuda
