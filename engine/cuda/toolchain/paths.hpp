// Paths by their names alone.
#pragma once

#include <filesystem>

namespace bscope::cuda {

/// The path from the root, without . and .. in it.
std::filesystem::path absolute_path(const std::filesystem::path&);

/// Whether a path is the folder's or leads below it.
bool lies_in(const std::filesystem::path&, const std::filesystem::path& folder);

}  // namespace bscope::cuda
