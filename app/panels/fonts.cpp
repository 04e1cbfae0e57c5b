#include "app/panels/fonts.hpp"

#include <imgui_freetype.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

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

std::vector<char> read(const File& file) {
  for (const char* root : {"/usr/share/fonts/", "/usr/local/share/fonts/"}) {
    std::ifstream in(std::filesystem::path(root) / file.path, std::ios::binary);
    if (in) return {std::istreambuf_iterator<char>(in), {}};
  }
  throw std::runtime_error("the font /usr/share/fonts/" + std::string(file.path) +
                           " is missing: install the Debian package " + file.package);
}

uint32_t big_endian(const std::vector<char>& d, size_t at, int bytes) {
  uint32_t v = 0;
  for (int i = 0; i < bytes; ++i) v = v << 8 | uint8_t(d.at(at + size_t(i)));
  return v;
}

/// Ascent minus descent over the em (tables hhea and head). ImGui takes a font's size to be the former; our
/// sizes are ems.
float line_over_em(const std::vector<char>& d) {
  size_t head = 0, hhea = 0;
  const uint32_t tables = big_endian(d, 4, 2);
  for (uint32_t i = 0; i < tables; ++i) {
    const size_t entry = 12 + 16 * size_t(i);
    const uint32_t tag = big_endian(d, entry, 4), offset = big_endian(d, entry + 8, 4);
    if (tag == 0x68656164) head = offset;
    if (tag == 0x68686561) hhea = offset;
  }
  const float em = float(big_endian(d, head + 18, 2));
  const float ascent = float(int16_t(big_endian(d, hhea + 4, 2)));
  const float descent = float(int16_t(big_endian(d, hhea + 6, 2)));
  return (ascent - descent) / em;
}

}  // namespace

Fonts load_fonts() {
  Fonts fonts;
  for (size_t i = 0; i < std::size(files); ++i) {
    std::vector<char> data = read(files[i]);
    ImFontConfig config;
    // Hinting across would round advances to whole pixels and space letters unevenly.
    config.FontLoaderFlags = ImGuiFreeTypeLoaderFlags_LightHinting;
    try {
      config.ExtraSizeScale = line_over_em(data);
    } catch (const std::out_of_range&) {
      throw std::runtime_error("the font /usr/share/fonts/" + std::string(files[i].path) +
                               " is damaged: install the Debian package " + files[i].package + " again");
    }
    // ImGui frees what it owns with its own allocator.
    void* owned = ImGui::MemAlloc(data.size());
    std::copy(data.begin(), data.end(), static_cast<char*>(owned));
    fonts.font[i] = ImGui::GetIO().Fonts->AddFontFromMemoryTTF(owned, int(data.size()), 0, &config);
  }
  return fonts;
}

float drawn_size(float em) { return std::max(1.0f, std::round(em)); }

Metrics metrics(const Fonts& fonts) {
  return {[fonts](Font f, float size, const std::string& s) {
    return fonts[f]->CalcTextSizeA(drawn_size(size), 1e30f, 0, s.data(), s.data() + s.size()).x;
  }};
}

}  // namespace bscope
