#include "engine/cuda/toolchain/mirrored_folder.hpp"

#include <system_error>

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;

/// A link in `folder` for each entry of `original` but `but`.
void link_entries(const fs::path& original, const fs::path& folder, const fs::path& but) {
  constexpr int most = 2000;  // a program reads what lies beside it, not a whole disk
  std::error_code error;
  int count = 0;
  for (fs::directory_iterator at(original, error), end; !error && at != end && count < most;
       at.increment(error)) {
    if (at->path().filename() == but) continue;
    std::error_code ignored;
    fs::create_symlink(at->path(), folder / at->path().filename(), ignored);
    ++count;
  }
}

/// The last folders of a path, the innermost first, and what they lie in.
struct Split {
  std::vector<fs::path> names;
  fs::path top;
};
Split split(const fs::path& original) {
  constexpr size_t most_above = 3;  // programs name ../../data
  Split s{{}, original};
  for (; s.names.size() < most_above && !s.top.filename().empty() && s.top.parent_path() != s.top.root_path();
       s.top = s.top.parent_path())
    s.names.push_back(s.top.filename());
  return s;
}

}  // namespace

fs::path mirrored(const fs::path& original, const fs::path& folder) {
  auto [names, at] = split(original);
  fs::path own = folder;
  for (;; at /= names.back(), own /= names.back(), names.pop_back()) {
    fs::create_directories(own);
    link_entries(at, own, names.empty() ? fs::path() : names.back());
    if (names.empty()) return own;
  }
}

void add_links(const fs::path& original, const fs::path& folder) { link_entries(original, folder, {}); }

fs::path mirrored(const fs::path& original, const fs::path& folder, const std::vector<fs::path>& files) {
  const auto [names, top] = split(original);
  const fs::path stand = folder / original.lexically_relative(top);
  fs::create_directories(stand);
  for (const fs::path& file : files) {
    const fs::path from_top = file.lexically_relative(top);
    if (from_top.empty() || *from_top.begin() == "..") continue;
    fs::create_directories((folder / from_top).parent_path());
    std::error_code ignored;
    fs::create_symlink(file, folder / from_top, ignored);
  }
  return stand;
}

}  // namespace bscope::cuda
