#include "app/window/png.hpp"

#include <cstdio>

#include "app/window/offscreen.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/whole_file.hpp"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>

namespace bscope {

void save_png(const Image& image, const std::string& path) {
  std::vector<uint8_t> bytes;
  const auto append = [](void* to, void* data, int n) {
    const auto* p = static_cast<uint8_t*>(data);
    static_cast<std::vector<uint8_t>*>(to)->insert(static_cast<std::vector<uint8_t>*>(to)->end(), p, p + n);
  };
  // without the alpha, which is 255 everywhere
  std::vector<uint8_t> rgb;
  rgb.reserve(image.rgba.size() / 4 * 3);
  for (size_t i = 0; i < image.rgba.size(); i += 4) rgb.insert(rgb.end(), &image.rgba[i], &image.rgba[i] + 3);
  stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, rgb.data(), image.width * 3);

  write_whole(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Image load_png(const std::string& path) {
  Image image;
  int channels = 0;
  uint8_t* pixels = stbi_load(path.c_str(), &image.width, &image.height, &channels, 4);
  if (!pixels) throw Error(message("cannot read {} as a PNG picture", path));
  image.rgba.assign(pixels, pixels + size_t(image.width) * size_t(image.height) * 4);
  stbi_image_free(pixels);
  return image;
}

}  // namespace bscope
