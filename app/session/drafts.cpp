#include "app/session/drafts.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope {

namespace fs = std::filesystem;

std::string draft_path(const std::string& settings_file, const std::string& file) {
  if (settings_file.empty()) return "";
  std::string name = fs::absolute(file).lexically_normal().string();
  std::ranges::replace(name, '/', '!');
  constexpr size_t longest = 240;  // bytes that a name may have
  if (name.size() > longest) name.erase(0, name.size() - longest);
  return (fs::path(settings_file).parent_path() / "drafts" / name).string();
}

std::optional<std::string> read_draft(const std::string& settings_file, const std::string& file) {
  const std::string path = draft_path(settings_file, file);
  std::error_code none;
  if (path.empty() || !fs::exists(path, none)) return {};
  constexpr size_t largest = 1 << 22;
  try {
    return as_text(read_file(path, largest), path);
  } catch (const BadFile&) { return {}; }
}

void write_draft(const std::string& settings_file, const std::string& file,
                 const std::optional<std::string>& text) {
  const std::string path = draft_path(settings_file, file);
  if (path.empty()) return;
  std::error_code error;
  if (!text) {
    fs::remove(path, error);
    return;
  }
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error) throw SystemError(message("cannot write {}", path), error);
  write_whole(path, *text);
}

}  // namespace bscope
