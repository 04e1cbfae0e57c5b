#include "engine/catalog/image.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "engine/catalog/input_file.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/json_fields.hpp"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
// A broken JPEG may name tables that it never defines, and the decoder reads them: let them be zero.
#define STBI_MALLOC(bytes) std::calloc(1, bytes)
#define STBI_REALLOC(p, bytes) std::realloc(p, bytes)
#define STBI_FREE(p) std::free(p)
#include <stb/stb_image.h>

namespace bscope {
namespace {

constexpr std::string_view png_begins("\x89PNG\r\n\x1a\n", 8), jpeg_begins("\xff\xd8\xff", 3);
constexpr long long most_decoded = 1 << 26;  // 64 million pixels: 256 MB while they are read

bool begins_like_one(std::string_view bytes) {
  return bytes.starts_with(png_begins) || bytes.starts_with(jpeg_begins);
}

bool named_like_one(const std::string& path) {
  std::string ending = path.substr(std::min(path.rfind('.'), path.size()));
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return ending == ".png" || ending == ".jpg" || ending == ".jpeg";
}

/// A decoder fills in what is missing at the end of a JPEG: the end must be there.
bool whole(std::string_view bytes) {
  if (bytes.starts_with(png_begins)) return bytes.find("IEND") != std::string_view::npos;
  const size_t scan = bytes.rfind("\xff\xda"), end = bytes.rfind("\xff\xd9");
  return scan != std::string_view::npos && end != std::string_view::npos && scan < end;
}

int big_endian(std::string_view bytes, size_t at) {
  return at + 1 < bytes.size() ? uint8_t(bytes[at]) << 8 | uint8_t(bytes[at + 1]) : 0;
}

/// A JPEG without what its pixels do not need: previews and profiles, in which any bytes may stand.
std::string bare_jpeg(std::string_view bytes) {
  std::string out(bytes.substr(0, 2));
  size_t at = 2;
  while (at + 4 <= bytes.size() && uint8_t(bytes[at]) == 0xff && uint8_t(bytes[at + 1]) != 0xda) {
    const int kind = uint8_t(bytes[at + 1]), length = 2 + big_endian(bytes, at + 2);
    const bool spoken = kind == 0xfe || (kind >= 0xe1 && kind <= 0xef && kind != 0xee);
    if (!spoken) out += bytes.substr(at, size_t(length));
    at += size_t(length);
  }
  return out += bytes.substr(std::min(at, bytes.size()));
}

/// The decoder believes the code lengths of a JPEG's tables: more than 256 codes would leave its own.
bool tables_fit(std::string_view jpeg) {
  for (size_t at = jpeg.find("\xff\xc4"); at != std::string_view::npos; at = jpeg.find("\xff\xc4", at + 1)) {
    const size_t end = std::min(jpeg.size(), at + 2 + size_t(big_endian(jpeg, at + 2)));
    for (size_t table = at + 4; table < end;) {
      size_t codes = 0;
      for (size_t k = table + 1; k <= table + 16 && k < jpeg.size(); ++k) codes += uint8_t(jpeg[k]);
      if (codes > 256) return false;
      table += 17 + codes;
    }
  }
  return true;
}

uint8_t luma(const uint8_t* rgba) {
  const int grey = (299 * rgba[0] + 587 * rgba[1] + 114 * rgba[2] + 500) / 1000;
  return uint8_t((grey * rgba[3] + 255 * (255 - rgba[3]) + 127) / 255);
}

/// The size in proportion with at most so many pixels.
std::pair<int, int> fitted(int width, int height, long long pixels) {
  const double share = std::sqrt(double(pixels) / (double(width) * height));
  if (share >= 1) return {width, height};
  int w = std::max(1, int(width * share)), h = std::max(1, int(height * share));
  // a strip one pixel high takes all of them
  if (h == 1) w = int(std::min<long long>(width, pixels));
  if (w == 1) h = int(std::min<long long>(height, pixels));
  return {w, h};
}

std::string size_text(int width, int height) {
  return std::to_string(width) + " x " + std::to_string(height);
}

}  // namespace

bool is_image(std::string_view bytes, const std::string& name) {
  return begins_like_one(bytes) || (!bytes.empty() && named_like_one(name));
}

GreyImage scaled(const GreyImage& from, long long pixels) {
  const auto [width, height] = fitted(from.width, from.height, pixels);
  if (width == from.width && height == from.height) return from;
  GreyImage to{width, height, std::vector<uint8_t>(size_t(width) * size_t(height)), from.full_width,
               from.full_height};
  for (long y = 0; y < height; ++y)
    for (long x = 0; x < width; ++x) {
      const long left = x * from.width / width, right = (x + 1) * from.width / width;
      const long top = y * from.height / height, bottom = (y + 1) * from.height / height;
      long sum = 0;
      for (long v = top; v < bottom; ++v)
        for (long u = left; u < right; ++u) sum += from.levels[size_t(v * from.width + u)];
      const long count = (right - left) * (bottom - top);
      to.levels[size_t(y * width + x)] = uint8_t((sum + count / 2) / count);
    }
  return to;
}

GreyImage decode_image(std::string_view file, const std::string& name, long long pixels) {
  const std::string bare = file.starts_with(jpeg_begins) ? bare_jpeg(file) : std::string();
  const std::string_view bytes = bare.empty() ? file : std::string_view(bare);
  if (!begins_like_one(bytes))
    throw UsageError(
        message("{} is no PNG or JPEG image, whatever its name says: save it as one of them.", name));
  const Message damaged =
      message("{} is a damaged image: it ends too early or does not make sense; save it anew.", name);
  if (!bare.empty() && !tables_fit(bytes)) throw UsageError(damaged);
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  int width = 0, height = 0, channels = 0;
  if (!stbi_info_from_memory(data, int(bytes.size()), &width, &height, &channels) || width < 1 || height < 1)
    throw UsageError(message("{} is a damaged image: its size cannot be read; save it anew.", name));
  const long long all = static_cast<long long>(width) * height;
  if (all > most_decoded)
    throw UsageError(message("{} has {} pixels, too many to read: scale it to at most 64 million.", name,
                             size_text(width, height)));
  if (!pixels && all > most_pixels) {
    const auto [w, h] = fitted(width, height, handy_pixels);
    throw UsageError(message("{} has {} pixels, too many to follow one by one: --n {} scales it to {}.", name,
                             size_text(width, height), handy_pixels, size_text(w, h)));
  }
  using Pixels = std::unique_ptr<stbi_uc, decltype([](stbi_uc* p) { stbi_image_free(p); })>;
  const Pixels rgba(stbi_load_from_memory(data, int(bytes.size()), &width, &height, &channels, 4));
  if (!rgba || !whole(bytes)) throw UsageError(damaged);
  // what was decoded counts, not what the head said before
  GreyImage image{width, height, std::vector<uint8_t>(size_t(width) * size_t(height)), width, height};
  for (size_t k = 0; k < image.levels.size(); ++k) image.levels[k] = luma(rgba.get() + 4 * k);
  return pixels ? scaled(image, pixels) : image;
}

GreyImage read_image(const std::string& path, long long pixels) {
  return decode_image(read_input_file(path), path, pixels);
}

nlohmann::ordered_json GreyImage::json() const {
  std::string digits;
  for (const uint8_t level : levels) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", level);
    digits += two;
  }
  return {{"width", width},
          {"height", height},
          {"full_width", full_width},
          {"full_height", full_height},
          {"levels", digits}};
}

GreyImage GreyImage::from_json(const nlohmann::ordered_json& j, const std::string& where) {
  if (!j.is_object()) detail::refuse(where, message("\"{}\" is no object", where));
  GreyImage image;
  std::string digits;
  const auto read = [&](const char* name, auto& into) {
    if (const auto it = j.find(name); it != j.end()) from_fields_json(into, *it, name);
  };
  read("width", image.width);
  read("height", image.height);
  read("full_width", image.full_width);
  read("full_height", image.full_height);
  read("levels", digits);
  const auto pixels = static_cast<long long>(image.width) * image.height;
  const bool fits = image.width > 0 && image.height > 0 && pixels <= most_pixels &&
                    image.full_width >= image.width && image.full_height >= image.height &&
                    static_cast<long long>(digits.size()) == 2 * pixels;
  if (!fits) detail::refuse(where, message("\"{}\" is no image", where));
  for (size_t k = 0; k < digits.size(); k += 2) {
    uint8_t level = 0;
    const char *from = digits.data() + k, *to = from + 2;
    if (const auto [end, error] = std::from_chars(from, to, level, 16); error != std::errc() || end != to)
      detail::refuse(where, message("\"{}\" is no image", where));
    image.levels.push_back(level);
  }
  return image;
}

}  // namespace bscope
