#include "app/shell/fonts.hpp"

#include <fcntl.h>
#include <imgui_freetype.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <span>
#include <stdexcept>
#include <string>

namespace bscope {
namespace {

struct File {
  const char *path, *package;
};
constexpr File files[] = {
    {"opentype/inter/Inter-Regular.otf", "fonts-inter"},
    {"opentype/inter/Inter-SemiBold.otf", "fonts-inter"},
    {"truetype/jetbrains-mono/JetBrainsMono-Regular.ttf", "fonts-jetbrains-mono"},
    {"truetype/jetbrains-mono/JetBrainsMono-Bold.ttf", "fonts-jetbrains-mono"},
};
constexpr File chinese{"truetype/wqy/wqy-microhei.ttc", "fonts-wqy-microhei"};

using Bytes = std::span<const uint8_t>;

/// The file's bytes, mapped once and for good: of a font of 5 MB only the pages that are drawn from are read.
/// Empty if there is none.
Bytes mapped(const File& file) {
  static std::map<std::string, Bytes> known;
  if (const auto it = known.find(file.path); it != known.end()) return it->second;
  for (const char* root : {"/usr/share/fonts/", "/usr/local/share/fonts/"}) {
    const int in = ::open((std::string(root) + file.path).c_str(), O_RDONLY | O_CLOEXEC);
    if (in < 0) continue;
    struct stat about {};
    void* at = MAP_FAILED;
    if (::fstat(in, &about) == 0 && about.st_size > 0)
      at = ::mmap(nullptr, size_t(about.st_size), PROT_READ, MAP_PRIVATE, in, 0);
    ::close(in);
    if (at != MAP_FAILED) return known[file.path] = {static_cast<const uint8_t*>(at), size_t(about.st_size)};
  }
  return {};
}

std::runtime_error trouble(const File& file, const char* what, const char* again) {
  return std::runtime_error("the font /usr/share/fonts/" + std::string(file.path) + " is " + what +
                            ": install the Debian package " + file.package + again);
}

uint32_t big_endian(Bytes d, size_t at, size_t bytes) {
  if (at + bytes > d.size()) throw std::out_of_range("font");
  uint32_t v = 0;
  for (size_t i = 0; i < bytes; ++i) v = v << 8 | d[at + i];
  return v;
}

/// Ascent minus descent over the em (tables hhea and head). ImGui takes a font's size to be the former; our
/// sizes are ems.
float line_over_em(Bytes d) {
  size_t font = 0, head = 0, hhea = 0;
  if (big_endian(d, 0, 4) == 0x74746366) font = big_endian(d, 12, 4);  // a collection: its first font
  const uint32_t tables = big_endian(d, font + 4, 2);
  for (uint32_t i = 0; i < tables; ++i) {
    const size_t entry = font + 12 + 16 * size_t(i);
    const uint32_t tag = big_endian(d, entry, 4), offset = big_endian(d, entry + 8, 4);
    if (tag == 0x68656164) head = offset;
    if (tag == 0x68686561) hhea = offset;
  }
  const float em = float(big_endian(d, head + 18, 2));
  const float ascent = float(int16_t(big_endian(d, hhea + 4, 2)));
  const float descent = float(int16_t(big_endian(d, hhea + 6, 2)));
  return (ascent - descent) / em;
}

/// A font of its own, or `into` one: the characters that it lacks.
ImFont* add(const File& file, ImFont* into, unsigned flags) {
  const Bytes data = mapped(file);
  if (data.empty()) throw trouble(file, "missing", "");
  ImFontConfig config;
  config.FontLoaderFlags = flags;
  config.MergeMode = into != nullptr;
  config.DstFont = into;
  config.FontDataOwnedByAtlas = false;
  try {
    config.ExtraSizeScale = line_over_em(data);
  } catch (const std::out_of_range&) { throw trouble(file, "damaged", " again"); }
  // ImGui only reads what it does not own
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<uint8_t*>(data.data()), int(data.size()), 0,
                                                    &config);
}

}  // namespace

Fonts load_fonts() {
  Fonts fonts;
  // Hinting across would round advances to whole pixels and space letters unevenly.
  constexpr unsigned light = ImGuiFreeTypeLoaderFlags_LightHinting;
  for (size_t i = 0; i < std::size(files); ++i) fonts.font[i] = add(files[i], nullptr, light);
  try {
    for (const Font f : {Font::text, Font::text_bold, Font::mono, Font::mono_bold}) {
      const bool bold = f == Font::text_bold || f == Font::mono_bold;  // the font has no bold face of its own
      add(chinese, fonts[f], light | (bold ? unsigned(ImGuiFreeTypeLoaderFlags_Bold) : 0u));
    }
  } catch (const std::runtime_error& e) { fonts.no_chinese = e.what(); }
  return fonts;
}

float drawn_size(float em) { return std::max(1.0f, std::round(em)); }

Metrics metrics(const Fonts& fonts) {
  return {[font = fonts.font](Font f, float size, const std::string& s) {
    return font[size_t(f)]->CalcTextSizeA(drawn_size(size), 1e30f, 0, s.data(), s.data() + s.size()).x;
  }};
}

}  // namespace bscope
