// The shaders against ImGui's lists, without a display.
#include "app/window/shaders.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/draw/sorted.hpp"
#include "app/window/offscreen.hpp"
#include "app/words/words.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

constexpr int width = 320, height = 240;
constexpr Colour background = 0x102030ff;
int wrong = 0;

void expect(bool fine, const std::string& what) {
  if (fine) return;
  std::printf("shaders: %s\n", what.c_str());
  ++wrong;
}

Image drawn(Offscreen& screen, auto&& content) {
  screen.begin();
  content(ImGui::GetForegroundDrawList());
  screen.end(background);
  return screen.read();
}

/// Sum of the three channels' difference from the background over all pixels, and between two images.
double ink(const Image& a, const Image* b = nullptr) {
  double sum = 0;
  for (size_t i = 0; i < a.rgba.size(); ++i)
    if (i % 4 < 3)
      sum += std::abs(int(a.rgba[i]) - (b ? int(b->rgba[i]) : int(background >> (24 - 8 * (i % 4)) & 255)));
  return sum;
}

/// Every type of shape: the same ink in the same places as by lists, but for how edges are smoothed.
void same_shapes(Offscreen& screen, Painter& painter, InstanceDrawer& shaders) {
  const Metrics widths = fixed_metrics();
  const Colour c = 0xffc040ff, d = 0x40a0ffff;
  const auto compare = [&](const char* name, double tolerance, auto&& draw) {
    Picture p;
    p.width = width, p.height = height;
    Pen pen(p, widths);
    draw(pen);
    const auto show = [&](ImDrawList* list) { painter.draw(p, {0, 0}, list); };
    painter.shaders = nullptr;
    const Image lists = drawn(screen, show);
    painter.shaders = &shaders;
    const Image ours = drawn(screen, show);
    // what was sorted is kept with the picture, and sorted again where it is drawn elsewhere
    Sorted ui;
    const auto again = [&](float x, float alpha) {
      return drawn(screen, [&](ImDrawList* list) { painter.draw(p, {x, 0}, list, alpha, &ui); });
    };
    const Image moved = again(5, 1), faded = again(0, 0.5f), back = again(0, 1), kept_back = again(0, 1);
    expect(ink(back, &ours) == 0 && ink(kept_back, &ours) == 0,
           std::string(name) + " change when they are kept");
    expect(ink(moved, &ours) > 0 && ink(faded, &ours) > 0, std::string(name) + " stay where they were kept");
    const double off = ink(ours, &lists) / std::max(1.0, ink(lists));
    expect(ink(lists) > 0 && off < tolerance,
           std::string(name) + " differ from those of lists by " + std::to_string(off) + " of their ink");
  };
  compare("boxes", 0.001, [&](Pen& pen) { pen.rect({20, 20, 200, 100}, c), pen.rect({30, 40, 20, 7}, d); });
  compare("translucent boxes", 0.01, [&](Pen& pen) { pen.rect({20, 20, 200, 100}, with_alpha(c, 0.5f)); });
  compare("round boxes", 0.01, [&](Pen& pen) { pen.rect({20, 20, 200, 150}, c, 0, 1, 8); });
  compare("small round boxes", 0.06, [&](Pen& pen) { pen.rect({20, 20, 40, 30}, c, d, 1, 3); });
  compare("edged panels", 0.02, [&](Pen& pen) { pen.rect({20, 20, 200, 150}, c, d, 1, 8); });
  compare("outlines", 0.02, [&](Pen& pen) { pen.rect({20, 20, 200, 150}, 0, d, 1, 0); });
  compare("discs", 0.04, [&](Pen& pen) { pen.disc({100, 100}, 40, c), pen.disc({200, 100}, 9, d, c, 2); });
  compare("level lines", 0.01, [&](Pen& pen) {
    pen.line({10, 20.4f}, {200, 20.4f}, c);
    pen.line({50.7f, 30}, {50.7f, 200}, d, 3);
  });
  compare("lines", 0.15, [&](Pen& pen) {
    pen.line({10, 20}, {200, 170}, c, 3), pen.line({10, 99}, {200, 90}, d, 4);
  });
  compare("dashes", 0.2, [&](Pen& pen) { pen.line({10, 20}, {300, 20}, c, 4, 10); });
  compare("curves", 0.15, [&](Pen& pen) {
    pen.curve({10, 10}, {10, 120}, {200, 20}, {200, 200}, c, 4);
    pen.curve({40, 10}, {40, 10}, {300, 200}, {300, 200}, d, 4);  // ends without handles
  });
  compare("hatches", 0.3, [&](Pen& pen) { pen.hatch({20, 20, 200, 100}, c, 12, 3); });
  compare("strips of few colours", 0.001, [&](Pen& pen) { pen.strip({10, 10, 300, 40}, {c, c, d, c}, 2); });
  compare("strips of many cells", 0.02, [&](Pen& pen) {
    std::vector<Colour> cells(20000);
    for (size_t i = 0; i < cells.size(); ++i) cells[i] = i / 50 % 3 ? c : d;
    pen.strip({10, 10, 200, 200}, std::move(cells), 100);
  });
  // a text between two boxes that overlap stays between them: layers
  compare("boxes over texts", 0.01, [&](Pen& pen) {
    pen.rect({20, 20, 200, 100}, c);
    pen.text({30, 60}, "hidden in part", 24, d);
    pen.rect({20, 20, 60, 100}, d);
    pen.text({30, 60}, "over", 24, c);
  });
  painter.shaders = &shaders;
}

void clipped_and_given_back(Offscreen& screen, Painter& painter) {
  const Metrics widths = fixed_metrics();
  Picture p;
  p.width = width, p.height = height;
  Pen pen(p, widths);
  pen.rect({0, 0, width, height}, 0xff0000ff);
  pen.disc({50, 50}, 30, 0x00ff00ff);
  const Image clipped = drawn(screen, [&](ImDrawList* list) {
    list->PushClipRect({40, 30}, {100, 90});
    painter.draw(p, {0, 0}, list);
    list->PopClipRect();
    // ImGui's own triangles after it: with its program, blending and texture
    list->AddRectFilled({200, 100}, {220, 120}, IM_COL32(0, 0, 255, 128));
  });
  int outside = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const uint8_t* px = &clipped.rgba[size_t(y * width + x) * 4];
      const bool in = x >= 40 && x < 100 && y >= 30 && y < 90,
                 box = x >= 200 && x < 220 && y >= 100 && y < 120;
      if (!in && !box) outside += px[0] != 0x10 || px[1] != 0x20 || px[2] != 0x30;
      if (box) outside += px[2] < 0x80 || px[0] > 0x10;
    }
  expect(outside == 0, std::to_string(outside) + " pixels are wrong outside of the clip rectangle");

  // OpenGL's state is as it was before
  const std::vector<GLenum> states{
      GL_CURRENT_PROGRAM, GL_VERTEX_ARRAY_BINDING, GL_ARRAY_BUFFER_BINDING, GL_TEXTURE_BINDING_2D, GL_BLEND,
      GL_BLEND_SRC_RGB,   GL_BLEND_DST_RGB,        GL_BLEND_SRC_ALPHA,      GL_BLEND_DST_ALPHA};
  static std::vector<GLint> before, after;
  static const std::vector<GLenum>* asked;
  asked = &states;
  before.clear(), after.clear();
  const auto ask = [](std::vector<GLint>& into) {
    for (const GLenum state : *asked) {
      GLint value = 0;
      glGetIntegerv(state, &value);
      into.push_back(value);
    }
  };
  static const auto asks = ask;
  drawn(screen, [&](ImDrawList* list) {
    list->AddRectFilled({0, 0}, {9, 9}, IM_COL32_WHITE);
    list->AddCallback([](const ImDrawList*, const ImDrawCmd*) { asks(before); });
    painter.draw(p, {0, 0}, list);
    list->AddCallback([](const ImDrawList*, const ImDrawCmd*) { asks(after); });
  });
  expect(!before.empty() && before == after, "OpenGL is left otherwise than it was found");
  expect(glGetError() == GL_NO_ERROR, "OpenGL reports an error");
}

/// A driver's refusal is one sentence, and lists draw on.
void refused(Painter& painter) {
  std::vector<ShaderFile> files(shader_files().begin(), shader_files().end());
  for (ShaderFile& f : files)
    if (f.path == "shaders/line.frag") f.text = "void main() { nonsense }\n";
  std::string told;
  try {
    const Shaders broken("#version 330 core", files);
  } catch (const std::runtime_error& e) { told = e.what(); }
  expect(told.starts_with("The graphics driver cannot compile shaders/line.frag (") &&
             told.find('\n') == std::string::npos,
         "a shader that cannot be compiled is told as: " + told);
  InstanceDrawer* const before = painter.shaders;
  draw_with_shaders(painter, [](const std::string&) {});  // and given up at once
  expect(painter.shaders == nullptr, "the painter keeps shaders that are gone");
  painter.shaders = before;
}

/// The same files for a browser: GLSL ES 3.00, in a context of its own.
void for_a_browser() {
  const auto get_display =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  const EGLDisplay display = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  eglInitialize(display, nullptr, nullptr);
  eglBindAPI(EGL_OPENGL_ES_API);
  const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE};
  const EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
  if (context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
    try {
      const Shaders shaders("#version 300 es");
      expect(glGetError() == GL_NO_ERROR, "OpenGL ES reports an error");
    } catch (const std::runtime_error& e) { expect(false, std::string("OpenGL ES: ") + e.what()); }
  } else {
    expect(false, "there is no OpenGL ES 3.0 to try them with");
  }
  eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
  eglBindAPI(EGL_OPENGL_API);
}

}  // namespace

bool check_shaders() {
  speak(Language::en);
  wrong = 0;
  {
    Offscreen screen(width, height);
    {
      Painter painter(load_fonts());
      std::optional<Shaders> shaders;
      shaders.emplace();
      same_shapes(screen, painter, *shaders);
      clipped_and_given_back(screen, painter);
      refused(painter);
      painter.shaders = nullptr;
      shaders.reset();
      screen.shut_down();
    }
  }
  for_a_browser();
  std::printf("shaders: %s\n", wrong ? "wrong" : "draw what lists draw");
  return wrong == 0;
}

}  // namespace bscope
