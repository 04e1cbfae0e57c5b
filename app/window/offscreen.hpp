// An OpenGL context without a display (EGL surfaceless), and an ImGui context that draws into it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/draw/picture.hpp"

namespace bscope {

/// A picture as its rows of RGBA bytes, the top first.
struct Image {
  int width = 0, height = 0;
  std::vector<uint8_t> rgba;
};

/// One at a time: it makes its OpenGL and ImGui contexts current.
class Offscreen {
 public:
  /// Throws std::runtime_error: no EGL, or no OpenGL 3.3 in it.
  Offscreen(int width, int height);
  ~Offscreen();
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

  /// Begins an ImGui frame 1/60 s after the last.
  void begin(float seconds = 1.0f / 60);
  /// Ends it and draws it on this background.
  void end(Colour background);
  /// Draws the lists that ImGui::Render() has made.
  void present(Colour background);
  /// Waits for the drawing and reads it back.
  Image read() const;
  void wait() const;
  const char* renderer() const;
  /// ImGui's backend lets its textures go; must come before what owns pictures' textures is destroyed.
  void shut_down();

 private:
  struct Gl;
  std::unique_ptr<Gl> gl_;
  int width_, height_;
};

}  // namespace bscope
