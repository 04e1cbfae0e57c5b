#include "engine/cuda/toolchain/mirrored_folder.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;

/// Whether a program may have written the file, and may want to write it again. Sources, which are most of a
/// folder, are not copied for that.
bool is_result(const fs::directory_entry& entry) {
  constexpr uintmax_t most_bytes = 16 << 20;
  constexpr std::string_view of_sources[] = {".cu", ".cuh", ".c",  ".cc",    ".cpp", ".cxx", ".h",
                                             ".hh", ".hpp", ".py", ".ipynb", ".md",  ".o",   ".so"};
  std::error_code error;
  return entry.symlink_status(error).type() == fs::file_type::regular &&
         entry.file_size(error) <= most_bytes && !error &&
         std::ranges::find(of_sources, entry.path().extension().string()) == std::end(of_sources);
}
/// The time of its last change stays, by which note_files() knows what a program has not touched.
bool copy_with_time(const fs::path& from, const fs::path& to) {
  std::error_code error;
  if (!fs::copy_file(from, to, error)) {
    if (error != std::errc::file_exists) fs::remove(to, error);  // not a part of a file
    return false;
  }
  fs::permissions(to, fs::perms::owner_write, fs::perm_options::add, error);
  fs::last_write_time(to, fs::last_write_time(from, error), error);
  return true;
}

enum class Results : uint8_t { linked, copied };

/// A link in `folder` for each entry of `original` but `but`, or a copy of what the program can overwrite.
void link_entries(const fs::path& original, const fs::path& folder, const fs::path& but, Results results) {
  constexpr int most = 2000;  // a program reads what lies beside it, not a whole disk
  constexpr int most_copies = 200;
  constexpr uintmax_t most_copied = 64 << 20;  // bytes of all
  std::error_code error;
  int count = 0, copies = 0;
  uintmax_t copied = 0;
  for (fs::directory_iterator at(original, error), end; !error && at != end && count < most;
       at.increment(error)) {
    if (at->path().filename() == but) continue;
    const fs::path to = folder / at->path().filename();
    std::error_code ignored;
    const bool copies_it =
        results == Results::copied && copies < most_copies && copied < most_copied && is_result(*at);
    if (copies_it && copy_with_time(at->path(), to)) {
      ++copies;
      copied += at->file_size(ignored);
    } else {
      fs::create_symlink(at->path(), to, ignored);
    }
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
    link_entries(at, own, names.empty() ? fs::path() : names.back(),
                 names.empty() ? Results::copied : Results::linked);
    if (names.empty()) return own;
  }
}

void add_links(const fs::path& original, const fs::path& folder) {
  link_entries(original, folder, {}, Results::copied);
}

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
