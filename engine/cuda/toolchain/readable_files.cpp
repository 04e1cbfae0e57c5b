#include "engine/cuda/toolchain/readable_files.hpp"

#include <algorithm>
#include <string_view>

#include "engine/cuda/toolchain/paths.hpp"
#include "engine/trace/error.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view of_headers[] = {".h",   ".hpp", ".cuh", ".hh", ".hxx",
                                           ".h++", ".inl", ".inc", ".ipp"};
constexpr size_t most_headers = 10'000;

/// Whether a rule for this folder would also uncover what is hidden in the user's.
bool holds_home(const fs::path& folder) {
  std::error_code error;
  const fs::path real = fs::canonical(folder, error);
  return error || lies_in(home_folder(), real) || real == real.root_path();
}

/// The files of a folder that are headers by their names; not links, which stand for others.
void add_headers(const fs::path& folder, std::vector<fs::path>& all) {
  std::error_code error;
  size_t count = 0;
  for (fs::directory_iterator at(folder, error), end; !error && at != end && count < most_headers;
       at.increment(error), ++count) {
    const std::string ending = at->path().extension().string();
    std::error_code ignored;
    if (std::ranges::find(of_headers, ending) != std::end(of_headers) &&
        fs::is_regular_file(at->symlink_status(ignored)))
      all.push_back(at->path());
  }
}

}  // namespace

std::vector<fs::path> folders_of_tool(const std::string& program) {
  std::error_code error;
  const fs::path real = fs::canonical(program, error);
  if (error) return {};
  const fs::path programs = real.parent_path(), all = programs.parent_path();
  std::vector<fs::path> folders;
  if (all.parent_path().filename() == "nvidia") folders.push_back(all.parent_path());  // packages of Python
  folders.push_back(holds_home(all) ? programs : all);
  folders.push_back(fs::path(program).parent_path());  // a link to it, with others beside it
  std::erase_if(folders, holds_home);
  return folders;
}

std::vector<fs::path> tools_of(const Places& places) {
  std::vector<fs::path> all = folders_of_tool(places.clang);
  all.push_back(places.include.parent_path());
  all.push_back(places.library.parent_path());
  return all;
}

std::vector<fs::path> named_files(const Program& p) {
  std::vector<fs::path> all;
  for (const std::string& file : p.files) all.push_back(absolute_path(file));
  const fs::path home = all.empty() ? fs::path("/") : folder_of(p);  // where the program stands
  for (const std::string& argument : p.arguments) {
    const fs::path file = (home / argument).lexically_normal();
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored)) all.push_back(file);
  }
  return all;
}

MayRead may_read(const Program& p, const std::vector<fs::path>& tools) {
  MayRead may{.listed_only = p.named_only, .files = tools};
  for (const fs::path& file : named_files(p)) {
    std::error_code ignored;
    if (p.named_only && fs::is_symlink(file, ignored))
      throw BadFile(message("{} is a link to another file: name the file itself", file.filename().string()));
    may.files.push_back(file);
    const fs::path folder = file.parent_path();
    if (p.named_only)
      add_headers(folder, may.files);
    else if (!holds_home(folder))
      may.files.push_back(folder);
  }
  for (const std::string& word : p.link_with)
    if (!word.starts_with('-')) may.files.push_back(word);
  for (const std::string& folder : {p.folder, p.source_folder})
    if (!folder.empty() && !p.named_only && !holds_home(folder)) may.files.emplace_back(folder);
  for (const std::string& folder : p.includes)
    if (p.named_only || !holds_home(folder)) may.files.push_back(absolute_path(folder));
  return may;
}

bool is_listed(const MayRead& may, const fs::path& file) {
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  return !error && std::ranges::any_of(may.files, [&](const fs::path& listed) {
    std::error_code ignored;
    return lies_in(real, fs::canonical(listed, ignored)) && !ignored;
  });
}

}  // namespace bscope::cuda
