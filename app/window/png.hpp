// PNG files, whole or not at all.
#pragma once

#include <string>

namespace bscope {

struct Image;

/// Writes the image to a temporary beside the file, then renames it. Throws SystemError.
void save_png(const Image&, const std::string& path);
/// Reads 8-bit RGBA. Throws std::runtime_error that names the file.
Image load_png(const std::string& path);

}  // namespace bscope
