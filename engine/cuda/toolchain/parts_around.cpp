#include "engine/cuda/toolchain/parts_around.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "engine/cuda/toolchain/paths.hpp"
#include "engine/cuda/toolchain/project/project_files.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;

constexpr int most_above = 4, most_below = 2;
constexpr size_t most_folders = 400, most_header = size_t(1) << 20;

/// "common/book.h" of "'common/book.h' file not found".
std::string missing_header(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& d : diagnostics) {
    const std::string text = d.text.english();
    const size_t end = text.ends_with("found") ? text.find("' file ") : std::string::npos;
    const size_t begin = end == std::string::npos ? end : text.rfind('\'', end - 1);
    if (d.severity == Diagnostic::error && begin != std::string::npos)
      return text.substr(begin + 1, end - begin - 1);
  }
  return {};
}

/// The folders in these, sorted. What a dot hides is no part of a program.
std::vector<fs::path> folders_in(const std::vector<fs::path>& parents) {
  std::vector<fs::path> all;
  for (const fs::path& parent : parents) {
    std::error_code error;
    for (fs::directory_iterator at(parent, error), end; !error && at != end && all.size() < most_folders;
         at.increment(error))
      if (std::error_code ignored; !at->path().filename().string().starts_with('.') &&
                                   !at->is_symlink(ignored) && at->is_directory(ignored))
        all.push_back(at->path());
  }
  std::ranges::sort(all);
  return all;
}

bool same_text(const fs::path& a, const fs::path& b) {
  try {
    return read_file(a, most_header) == read_file(b, most_header);
  } catch (const BadFile&) { return false; }
}

/// The one of these folders from which the header's name leads to it. Several are one where all have the same
/// text.
fs::path folder_with(const std::vector<fs::path>& folders, const std::string& header, bool& several) {
  fs::path found;
  for (const fs::path& folder : folders) {
    std::error_code ignored;
    if (!fs::is_regular_file(folder / header, ignored)) continue;
    if (found.empty()) {
      found = folder;
    } else if (!same_text(found / header, folder / header)) {
      several = true;
    }
  }
  return several ? fs::path() : found;
}

fs::path folder_around(const fs::path& from, const std::string& header) {
  fs::path top = from;
  for (int above = 0; above <= most_above; ++above, top = top.parent_path()) {
    std::error_code ignored;
    // the folder of all users' files, or the whole machine, is no project
    if (top == top.root_path() || top.parent_path() == top.root_path() || !may_be_named(top, from)) break;
    std::vector<fs::path> level = {top};
    for (int below = 0; below <= most_below; ++below) {
      bool several = false;
      const fs::path found = folder_with(level, header, several);
      if (several || !found.empty()) return found;
      level = folders_in(level);
    }
    if (fs::exists(top / ".git", ignored)) break;
  }
  return {};
}

}  // namespace

std::optional<Program> with_parts_around(const Program& p, const std::vector<Diagnostic>& diagnostics,
                                         const std::vector<std::string>& beside) {
  if (p.alone || p.named_only || p.files.empty()) return {};
  const fs::path folder = absolute_path(p.files.front()).parent_path();
  Program all = p;
  if (const std::string header = missing_header(diagnostics); !header.empty()) {
    const fs::path found = folder_around(folder, header);
    if (found.empty() || std::ranges::find(p.includes, found.string()) != p.includes.end()) return {};
    all.includes.push_back(found.string());
    const fs::path near = found.lexically_relative(folder);
    all.read.push_back(message("{} was found with -I {}, which no build file says", header,
                               near.empty() ? found.string() : near.string()));
    return all;
  }
  for (const std::string& name : beside) {
    all.files.push_back((fs::path(p.files.front()).parent_path() / name).string());
    all.read.push_back(
        message("{} was compiled, too: it alone of the files beside has what was missing", name));
  }
  if (beside.empty()) return {};
  return all;
}

}  // namespace bscope::cuda
