// The shaders' files as they were at build time.
#pragma once

#include <span>
#include <string_view>

namespace bscope {

struct ShaderFile {
  std::string_view path;  ///< shaders/box.vert
  std::string_view text;  ///< GLSL 3.30 and GLSL ES 3.00 alike, without the line that says which
};
std::span<const ShaderFile> shader_files();

}  // namespace bscope
