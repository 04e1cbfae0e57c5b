#include "app/shell/fonts.hpp"

#include <fcntl.h>
#include <ft2build.h>
#include <imgui_freetype.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/trace/error.hpp"
#include FT_FREETYPE_H

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <span>
#include <stdexcept>
#include <string>

namespace bscope {
namespace {

struct FontFile {
  const char *path, *package;
};
constexpr FontFile font_files[] = {
    {"opentype/inter/Inter-Regular.otf", "fonts-inter"},
    {"opentype/inter/Inter-SemiBold.otf", "fonts-inter"},
    {"truetype/jetbrains-mono/JetBrainsMono-Regular.ttf", "fonts-jetbrains-mono"},
    {"truetype/jetbrains-mono/JetBrainsMono-Bold.ttf", "fonts-jetbrains-mono"},
};
constexpr FontFile chinese{"truetype/wqy/wqy-microhei.ttc", "fonts-wqy-microhei"};
/// What a page has of it from the beginning: the name of the language, on the button that asks for the rest.
constexpr FontFile few_chinese{"truetype/wqy/few.ttf", ""};

using Bytes = std::span<const uint8_t>;

/// The file's bytes, mapped once and for good: of a font of 5 MB only the pages that are drawn from are read.
/// Empty if there is none.
Bytes mapped(const FontFile& file) {
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

/// Ascent minus descent over the em. ImGui takes a font's size to be the former; our sizes are ems.
float line_over_em(const FontFile& file, Bytes d) {
  FT_Library library = nullptr;
  FT_Face face = nullptr;
  const bool whole = FT_Init_FreeType(&library) == 0 &&
                     FT_New_Memory_Face(library, d.data(), FT_Long(d.size()), 0, &face) == 0 &&
                     face->units_per_EM > 0;
  const float ratio = whole ? float(face->ascender - face->descender) / float(face->units_per_EM) : 0;
  FT_Done_FreeType(library);  // the face goes with it
  if (!whole)
    throw Error(message("the font /usr/share/fonts/{} is damaged: install the Debian package {} again",
                        file.path, file.package));
  return ratio;
}

/// A font of its own, or `into` one: the characters that it lacks.
ImFont* add(const FontFile& file, ImFont* into, unsigned flags) {
  const Bytes data = mapped(file);
  if (data.empty())
    throw Error(message("the font /usr/share/fonts/{} is missing: install the Debian package {}", file.path,
                        file.package));
  ImFontConfig config;
  config.FontLoaderFlags = flags;
  config.MergeMode = into != nullptr;
  config.DstFont = into;
  config.FontDataOwnedByAtlas = false;
  config.ExtraSizeScale = line_over_em(file, data);
  // ImGui only reads what it does not own
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<uint8_t*>(data.data()), int(data.size()), 0,
                                                    &config);
}

// Hinting across would round advances to whole pixels and space letters unevenly.
constexpr unsigned light = ImGuiFreeTypeLoaderFlags_LightHinting;

}  // namespace

Fonts load_fonts() {
  Fonts fonts;
  for (size_t i = 0; i < std::size(font_files); ++i) fonts.font[i] = add(font_files[i], nullptr, light);
  // a page's bold faces have the letters of western languages alone: the others are the regular face's,
  // emboldened
  for (const Font f : {Font::text, Font::mono})
    add(font_files[size_t(f)], fonts.font[size_t(f) + 1], light | unsigned(ImGuiFreeTypeLoaderFlags_Bold));
  if (!mapped(few_chinese).empty()) add(few_chinese, fonts[Font::text], light);
  find_chinese(fonts);
  return fonts;
}

bool find_chinese(Fonts& fonts) {
  try {
    for (const Font f : {Font::text, Font::text_bold, Font::mono, Font::mono_bold}) {
      const bool bold = f == Font::text_bold || f == Font::mono_bold;  // the font has no bold face of its own
      add(chinese, fonts[f], light | (bold ? unsigned(ImGuiFreeTypeLoaderFlags_Bold) : 0u));
    }
    fonts.no_chinese = {};
  } catch (const Error& e) { fonts.no_chinese = e.message(); }
  return fonts.no_chinese.empty();
}

float drawn_size(float em) { return std::max(1.0f, std::round(em)); }

Metrics metrics(const Fonts& fonts) {
  return {[font = fonts.font](Font f, float size, const std::string& s) {
    return font[size_t(f)]->CalcTextSizeA(drawn_size(size), 1e30f, 0, s.data(), s.data() + s.size()).x;
  }};
}

}  // namespace bscope
