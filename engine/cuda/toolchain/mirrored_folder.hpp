// A folder that looks like another one to a program that reads, and that it may write to.
#pragma once

#include <filesystem>
#include <vector>

namespace bscope::cuda {

/// Makes `folder` look like `original` to a program that reads: a link for each of its entries, and
/// above it for those of the folders that it lies in, three at most. What the program may have written
/// itself, small files in its own folder that are no sources, is copied with its time, so that it can be
/// written again. Returns where to stand: a folder that the program may write to.
std::filesystem::path mirrored(const std::filesystem::path& original, const std::filesystem::path& folder);
/// Links and copies in `folder` for those entries of `original` whose names are not taken there.
void add_links(const std::filesystem::path& original, const std::filesystem::path& folder);
/// The same folders, with links for these files alone.
std::filesystem::path mirrored(const std::filesystem::path& original, const std::filesystem::path& folder,
                               const std::vector<std::filesystem::path>& files);

}  // namespace bscope::cuda
