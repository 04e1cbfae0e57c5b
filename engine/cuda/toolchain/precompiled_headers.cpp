#include "engine/cuda/toolchain/precompiled_headers.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <system_error>
#include <utility>

#include "engine/trace/whole_file.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
constexpr uintmax_t most_parsed_bytes = uintmax_t(400) << 20;  // a file has 5 to 30 MB
constexpr uintmax_t bytes_of_a_text = 4096;                    // what a small file takes on a disk
constexpr size_t most_leading_headers = 60;

std::string_view taken_line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r'))
    line.remove_suffix(1);
  return line;
}

/// "cub/cub.cuh" of "#include <cub/cub.cuh>"; empty: the line is another.
std::string_view header_in(std::string_view line) {
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (!line.starts_with("include")) return {};
  line.remove_prefix(7);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const size_t end = line.find('>');
  if (!line.starts_with('<') || end == std::string_view::npos) return {};
  const std::string_view behind = line.substr(end + 1);
  const size_t text = behind.find_first_not_of(" \t");
  if (text != std::string_view::npos && !behind.substr(text).starts_with("//")) return {};
  return line.substr(1, end - 1);
}

/// Of the toolchain or of the C++ library: no path leads out of their folders.
bool is_of_toolchain(std::string_view header, const fs::path& include) {
  std::error_code ignored;
  const bool plain = std::ranges::all_of(header, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '/';
  });
  if (!plain || header.find("..") != std::string_view::npos || header.starts_with('/')) return false;
  return header.find('/') == std::string_view::npos || fs::is_regular_file(include / header, ignored);
}

uint64_t mixed(uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ uint64_t(uint8_t(c))) * 1099511628211u;
  return (hash ^ 0xff) * 1099511628211u;
}
std::string state_of(const fs::path& file) {
  std::error_code ignored;
  const fs::path real = fs::canonical(file, ignored);
  const auto size = fs::file_size(real, ignored);
  const auto time = int64_t(fs::last_write_time(real, ignored).time_since_epoch().count());
  return real.string() + ":" + std::to_string(size) + ":" + std::to_string(time);
}

/// All that the content depends on: the compiler, its options, the headers, and our own, which come with
/// them.
std::string file_name_for(const std::vector<std::string>& command, const std::vector<std::string>& headers) {
  uint64_t hash = 14695981039346656037u;
  for (const std::string& word : command) hash = mixed(hash, word);
  hash = mixed(hash, state_of(command.front()));
  for (size_t k = 0; k + 1 < command.size(); ++k) {
    if (command[k] != "-isystem" && command[k] != "-include") continue;
    const fs::path at = command[k + 1];
    hash = mixed(hash, state_of(at));
    std::error_code error;
    for (fs::directory_iterator in(at / "barrierscope", error), end; !error && in != end; in.increment(error))
      hash ^= mixed(1, state_of(in->path()));  // in any order
    hash = mixed(hash, state_of(at / "cub" / "version.cuh"));
  }
  for (const std::string& header : headers) hash = mixed(hash, header);
  return "headers-" + std::to_string(hash);
}

/// What stands beside a text that is not to be made a file of.
fs::path refused(const fs::path& text) { return fs::path(text).replace_extension(".refused"); }

/// Those that were used last stay, and so do the texts of which no file was made.
void remove_oldest(const fs::path& folder) {
  struct ParsedFile {
    fs::file_time_type used;
    uintmax_t bytes;
    fs::path file;
  };
  std::vector<ParsedFile> all;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() != ".h") continue;
    const fs::path file = fs::path(at->path()).replace_extension(".pch");
    std::error_code missing;
    const uintmax_t bytes = fs::file_size(file, missing);
    all.push_back({fs::last_write_time(missing ? at->path() : file, missing),
                   bytes_of_a_text + (bytes == uintmax_t(-1) ? 0 : bytes), file});
  }
  std::ranges::sort(all, std::greater(), &ParsedFile::used);
  uintmax_t kept = 0;
  for (const ParsedFile& e : all) {
    kept += e.bytes;
    if (kept > most_parsed_bytes) PrecompiledHeaders::forget(e.file);
  }
}

}  // namespace

std::vector<std::string> leading_headers(std::string_view text, const fs::path& include,
                                         const std::vector<std::string>& searched_before) {
  std::vector<std::string> all;
  bool in_comment = false;
  while (!text.empty() && all.size() < most_leading_headers) {
    const std::string_view line = taken_line(text);
    if (in_comment || line.starts_with("/*")) {
      const size_t end = line.find("*/");
      in_comment = end == std::string_view::npos;
      if (!in_comment && end + 2 != line.size()) break;
      continue;
    }
    if (line.empty() || line.starts_with("//")) continue;
    const std::string_view header = header_in(line);
    std::error_code ignored;
    const bool found_before = std::ranges::any_of(searched_before, [&](const std::string& folder) {
      return fs::exists(fs::path(folder) / header, ignored);
    });
    if (header.empty() || found_before || !is_of_toolchain(header, include)) break;
    all.emplace_back(header);
  }
  return all;
}

fs::path PrecompiledHeaders::folder_beside(const fs::path& run) { return run.parent_path() / "headers"; }

PrecompiledHeaders::PrecompiledHeaders(const fs::path& run) : folder_(folder_beside(run)) {
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
  fs::permissions(folder_, fs::perms::owner_all, ignored);
}

fs::path PrecompiledHeaders::find(const std::vector<std::string>& command,
                                  const std::vector<std::string>& headers) const {
  const fs::path at = folder_ / (file_name_for(command, headers) + ".pch");
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(at, error)) || error) return {};
  fs::last_write_time(at, fs::file_time_type::clock::now(), error);
  return at;
}

bool PrecompiledHeaders::was_asked_for(const std::vector<std::string>& command,
                                       const std::vector<std::string>& headers) const {
  std::error_code ignored;
  const fs::path text = folder_ / (file_name_for(command, headers) + ".h");
  return fs::exists(text, ignored) && !fs::exists(refused(text), ignored);
}

fs::path PrecompiledHeaders::text_for(const std::vector<std::string>& command,
                                      const std::vector<std::string>& headers) const {
  const fs::path at = folder_ / (file_name_for(command, headers) + ".h");
  std::string text;
  for (const std::string& header : headers) text += "#include <" + header + ">\n";
  try {
    if (std::error_code error; !fs::exists(at, error)) write_whole(at, text);
  } catch (const std::exception&) { return {}; }
  return at;
}

void PrecompiledHeaders::keep(const fs::path& made, const fs::path& text) const {
  std::error_code error;
  fs::rename(made, fs::path(text).replace_extension(".pch"), error);
  remove_oldest(folder_);
}

void PrecompiledHeaders::refuse(const fs::path& text) {
  try {
    write_whole(refused(text), "");
  } catch (const std::exception&) {}  // it is tried again
}

void PrecompiledHeaders::forget(const fs::path& file) {
  std::error_code ignored;
  fs::remove(file, ignored);
  fs::remove(refused(file), ignored);
  fs::remove(fs::path(file).replace_extension(".h"), ignored);
}

}  // namespace bscope::cuda
