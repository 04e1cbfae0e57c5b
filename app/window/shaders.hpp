// The shaders of shaders/, as OpenGL 3.3 (or OpenGL ES 3.0) draws with them.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "app/shell/painter.hpp"
#include "app/window/shader_files.hpp"

namespace bscope {

/// GLSL's first line here.
#ifdef __EMSCRIPTEN__
inline constexpr const char* glsl = "#version 300 es";
#else
inline constexpr const char* glsl = "#version 330 core";
#endif

/// Draws instances in the OpenGL context in which it was made, which must be current whenever it is called.
class Shaders : public InstanceDrawer {
 public:
  /// `version` is GLSL's first line. Throws std::runtime_error, one sentence: this driver cannot compile
  /// them.
  explicit Shaders(const std::string& version = glsl, std::span<const ShaderFile> files = shader_files());
  ~Shaders() override;
  void draw(Primitive, const void* instances, int count, const ImDrawCmd&, ImTextureID) override;

 private:
  struct Gl;
  std::unique_ptr<Gl> gl_;
};

/// Lets the painter draw with shaders as long as the result lives. Where the driver cannot, `refused`
/// receives
/// the reason, and the painter draws with ImGui's lists as before.
std::shared_ptr<void> draw_with_shaders(Painter&, const std::function<void(const std::string&)>& refused);

}  // namespace bscope
