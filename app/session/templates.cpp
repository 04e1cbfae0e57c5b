#include "app/session/templates.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "app/run/assets.hpp"
#include "app/run/own_program.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {
namespace fs = std::filesystem;

std::vector<ProgramTemplate> program_templates() {
  constexpr size_t largest = 1 << 16;
  std::vector<ProgramTemplate> all;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(assets_folder() / "templates", none)) {
    if (entry.path().extension() != ".cu") continue;
    try {
      std::string text = as_text(read_file(entry.path(), largest), entry.path().string());
      const size_t begin = text.starts_with("// ") ? 3 : 0;
      std::string title = text.substr(begin, text.find('\n') - begin);
      all.push_back({entry.path().stem().string(), std::move(title), std::move(text)});
    } catch (const BadFile&) { continue; }  // a foreign file: it is not offered
  }
  std::ranges::sort(all, {}, &ProgramTemplate::name);
  return all;
}

namespace {

/// The first file of that name for which `fits` is true.
fs::path program_file(const std::string& name, const std::function<bool(const fs::path&)>& fits) {
  const char* const home = std::getenv("HOME");
  std::error_code none;
  // in a page the folder that links hold
  const bool at_home = home && *home == '/' && !programs_in_page;
  const fs::path folder = at_home ? fs::path(home) / "barrierscope" : fs::current_path(none);
  for (int n = 1;; ++n) {
    const fs::path file = folder / (name + (n > 1 ? "-" + std::to_string(n) : std::string()) + ".cu");
    if (fits(file)) return file;
  }
}
bool is_new(const fs::path& file) {
  std::error_code none;
  return !fs::exists(file, none);
}

}  // namespace

fs::path new_program_file(const std::string& name) { return program_file(name, is_new); }

fs::path file_of_program(const std::string& name, const std::string& text) {
  return program_file(name, [&](const fs::path& file) {
    if (is_new(file)) return true;
    try {
      return as_text(read_file(file, text.size()), file.string()) == text;
    } catch (const BadFile&) { return false; }
  });
}

}  // namespace bscope
