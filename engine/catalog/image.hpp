// Pictures as input of histograms: grey levels of a PNG or JPEG file.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace bscope {

/// Rows of grey levels, from the top: luma as ITU-R BT.601 weighs red, green and blue, 0 black to 255 white.
struct GreyImage {
  int width = 0, height = 0;
  std::vector<uint8_t> levels;
  int full_width = 0, full_height = 0;  ///< of the file; more than width and height if it was scaled
  bool scaled() const { return width != full_width || height != full_height; }
  bool operator==(const GreyImage&) const = default;
  /// As files keep it: the levels as pairs of hexadecimal digits.
  nlohmann::ordered_json json() const;
  /// Throws BadFile: `where` is no image.
  static GreyImage from_json(const nlohmann::ordered_json&, const std::string& where);
};

/// As many pixels as are taken without scaling: one key each.
inline constexpr long long most_pixels = 1 << 18;
/// The default size that an image is scaled to: quick to trace on every machine.
inline constexpr long long handy_pixels = 1 << 14;

/// Whether the file is a PNG or JPEG image, by its first bytes or its name.
bool is_image(std::string_view bytes, const std::string& name);
/// Reads an image; scaled, in proportion, to at most `pixels` if that is not 0. What is transparent lies on
/// white. Throws UsageError with one sentence: missing, no image, cut off, too large (and the size to take
/// instead).
GreyImage read_image(const std::string& path, long long pixels = 0);
/// The same from a file's bytes; `name` is said in errors.
GreyImage decode_image(std::string_view bytes, const std::string& name, long long pixels = 0);
/// The image in proportion, with at most so many pixels: each is the mean of those it stands for.
GreyImage scaled(const GreyImage&, long long pixels);
/// The bin of a grey level: 256 levels spread over the bins.
constexpr int bin_of_level(uint8_t level, int bins) { return int(level) * bins / 256; }

}  // namespace bscope
