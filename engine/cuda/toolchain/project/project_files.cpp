#include "engine/cuda/toolchain/project/project_files.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "engine/cuda/toolchain/file_access.hpp"
#include "engine/cuda/toolchain/paths.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;

constexpr size_t most_build_text = size_t(1) << 20, most_read_files = 200, most_read_bytes = size_t(8) << 20;
constexpr size_t most_project_work = size_t(24) << 20;
constexpr size_t most_left_out = 8, most_name = 80;
constexpr size_t most_folder_entries = 4000, most_found_files = 2000;
constexpr int most_folders_below = 8;

/// The names in a folder, sorted.
std::vector<fs::path> names_in(const fs::path& folder) {
  std::vector<fs::path> all;
  std::error_code error;
  size_t count = 0;
  for (fs::directory_iterator at(folder, error), end; !error && at != end && count < most_folder_entries;
       at.increment(error), ++count)
    all.push_back(at->path().filename());
  std::ranges::sort(all);
  return all;
}

/// Adds what the parts of a pattern from `part` on name below `folder`, where `said` is its name.
void match(const std::vector<std::string>& parts, size_t part, const fs::path& folder,
           const std::string& said, std::vector<std::string>& found) {
  if (found.size() >= most_found_files) return;
  const bool last = part + 1 == parts.size();
  const auto take = [&](const std::string& name) {
    std::error_code ignored;
    if (last ? !fs::exists(folder / name, ignored) : !fs::is_directory(folder / name, ignored)) return;
    if (last)
      found.push_back(said + name);
    else
      match(parts, part + 1, folder / name, said + name + "/", found);
  };
  if (!is_pattern(parts[part])) return take(parts[part]);
  for (const fs::path& name : names_in(folder))
    if (::fnmatch(parts[part].c_str(), name.c_str(), FNM_PERIOD) == 0) take(name.string());
}

void add_below(const fs::path& folder, const std::string& pattern, int depth, size_t& looked,
               std::vector<std::string>& found) {
  for (const fs::path& name : names_in(folder)) {
    if (++looked > most_folder_entries || found.size() >= most_found_files) return;
    const fs::path path = folder / name;
    std::error_code ignored;
    if (fs::is_symlink(path, ignored) && fs::is_directory(path, ignored)) continue;  // it may lead back
    if (fs::is_directory(path, ignored)) {
      if (depth < most_folders_below && name.string().front() != '.')
        add_below(path, pattern, depth + 1, looked, found);
    } else if (::fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0) {
      found.push_back(path.string());
    }
  }
}

}  // namespace

std::optional<std::string> ProjectFiles::text(const fs::path& path) {
  if (++files_ > most_read_files || bytes_ > most_read_bytes) return {};
  try {
    std::string text = as_text(read_file(path, most_build_text), path.filename().string());
    bytes_ += text.size();
    std::erase(text, '\r');
    return text;
  } catch (const BadFile&) { return {}; }
}

bool ProjectFiles::work(size_t bytes) {
  work_ = std::min(most_project_work + 1, work_ + std::min(bytes, most_project_work) + 16);
  return work_ <= most_project_work;
}

void ProjectFiles::leave_out(std::string_view what) {
  std::string name(what.substr(0, most_name));
  std::ranges::replace_if(
      name, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  if (what.size() > most_name) name += "...";
  if (left_out_.size() < most_left_out && std::ranges::find(left_out_, name) == left_out_.end())
    left_out_.push_back(std::move(name));
}

bool is_pattern(std::string_view text) { return text.find_first_of("*?[") != std::string_view::npos; }

std::vector<std::string> files_of_pattern(const std::string& pattern, const fs::path& folder) {
  std::vector<std::string> found, parts;
  std::error_code ignored;
  if (pattern.empty() || pattern.size() > 4000) return found;
  if (!is_pattern(pattern)) {
    if (fs::exists(folder / pattern, ignored)) found.push_back(pattern);
    return found;
  }
  size_t at = pattern.front() == '/' ? 1 : 0;
  const std::string root = at ? "/" : "";
  while (at <= pattern.size()) {
    const size_t end = std::min(pattern.find('/', at), pattern.size());
    if (end > at) parts.push_back(pattern.substr(at, end - at));
    at = end + 1;
  }
  if (parts.size() <= size_t(2 * most_folders_below))
    match(parts, 0, at && !root.empty() ? "/" : folder, root, found);
  return found;
}

std::vector<std::string> files_below(const fs::path& folder, const std::string& name_pattern) {
  std::vector<std::string> found;
  size_t looked = 0;
  add_below(folder, name_pattern, 0, looked, found);
  return found;
}

bool may_be_named(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  const fs::path home = fs::weakly_canonical(home_folder(), error);
  const fs::path real = fs::weakly_canonical(path, error), own = fs::weakly_canonical(folder, error);
  if (error) return false;
  if (home.empty() || !lies_in(real, home) || lies_in(real, own)) return true;
  return !real.lexically_relative(home).begin()->string().starts_with('.') || real == home;
}

std::vector<std::string> words_between_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\n\r";
  std::vector<std::string> all;
  for (size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;
       at = text.find_first_not_of(blanks, at)) {
    const size_t end = std::min(text.find_first_of(blanks, at), text.size());
    all.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return all;
}

std::string joined_by_blanks(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) {
    if (!all.empty()) all += ' ';
    all += word;
  }
  return all;
}

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\n\r";
  const size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

void add_new(std::vector<std::string>& all, const std::vector<std::string>& more) {
  for (const std::string& one : more)
    if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

}  // namespace bscope::cuda
