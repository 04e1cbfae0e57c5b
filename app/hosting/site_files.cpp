#include "app/hosting/site_files.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace bscope {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, const char*>, 11> types = {{
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".wasm", "application/wasm"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".json", "application/json"},
    {".css", "text/css; charset=utf-8"},
    {".ttf", "font/ttf"},
    {".txt", "text/plain; charset=utf-8"},
    {".md", "text/plain; charset=utf-8"},
    {".webmanifest", "application/manifest+json"},
}};

/// "%20" as the byte it stands for. Nothing: it is broken, or has a byte that no file name has.
std::optional<std::string> decoded(std::string_view text) {
  std::string all;
  for (size_t k = 0; k < text.size(); ++k) {
    unsigned value = static_cast<unsigned char>(text[k]);
    if (text[k] == '%') {
      if (k + 2 >= text.size() || std::from_chars(&text[k + 1], &text[k + 3], value, 16).ptr != &text[k + 3])
        return {};
      k += 2;
    }
    if (value == 0) return {};
    all += char(value);
  }
  return all;
}

bool accepts(std::string_view accepted, std::string_view coding) {
  for (size_t at = 0; (at = accepted.find(coding, at)) != std::string_view::npos; at += coding.size()) {
    const size_t end = at + coding.size();
    const bool whole =
        (at == 0 || accepted[at - 1] == ' ' || accepted[at - 1] == ',') &&
        (end == accepted.size() || accepted[end] == ',' || accepted[end] == ';' || accepted[end] == ' ');
    if (whole) return true;
  }
  return false;
}

}  // namespace

SiteFile site_file(const fs::path& folder, std::string_view target, std::string_view accepted) {
  const std::optional<std::string> address = decoded(target.substr(0, target.find_first_of("?#")));
  if (!address || !address->starts_with('/')) return {};
  const fs::path relative = fs::path(address->substr(1)).lexically_normal();
  if (relative.is_absolute() || (!relative.empty() && *relative.begin() == "..")) return {};
  for (const fs::path& part : relative)
    if (part != "." && part.string().starts_with('.')) return {};
  std::error_code none;
  SiteFile file{.path = folder / relative, .type = {}, .coding = {}, .mark = {}};
  if (fs::is_directory(file.path, none)) file.path /= "index.html";
  file.type = "application/octet-stream";
  for (const auto& [ending, type] : types)
    if (file.path.extension() == ending) file.type = type;
  for (const auto& [coding, ending] : {std::pair("br", ".br"), std::pair("gzip", ".gz")})
    if (fs::path packed = file.path.string() + ending;
        accepts(accepted, coding) && fs::is_regular_file(packed, none)) {
      file.path = std::move(packed);
      file.coding = coding;
      break;
    }
  if (!fs::is_regular_file(file.path, none)) return {};
  file.mark = fmt::format("\"{:x}-{:x}\"", fs::last_write_time(file.path, none).time_since_epoch().count(),
                          fs::file_size(file.path, none));
  return file;
}

}  // namespace bscope
