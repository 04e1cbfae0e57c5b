#include "app/window/offscreen.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glad/gl.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>

#include "engine/trace/error.hpp"

namespace bscope {

struct Offscreen::Gl {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  GLuint frame = 0, texture = 0;
  bool backend = false;

  ~Gl() {
    if (frame) glDeleteFramebuffers(1, &frame);
    if (texture) glDeleteTextures(1, &texture);
    if (display == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    eglTerminate(display);
  }
};

Offscreen::Offscreen(int width, int height) : gl_(std::make_unique<Gl>()), width_(width), height_(height) {
  const auto fail = [](const char* what) {
    throw Error(
        message("cannot draw without a display: {}; install Mesa's libegl1 and libgl1-mesa-dri", what));
  };
  const auto get_display =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  if (!get_display) fail("EGL has no platform displays");
  gl_->display = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  if (gl_->display == EGL_NO_DISPLAY || !eglInitialize(gl_->display, nullptr, nullptr))
    fail("EGL has no surfaceless display, or too little memory for one");
  const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION,
                           3,
                           EGL_CONTEXT_MINOR_VERSION,
                           3,
                           EGL_CONTEXT_OPENGL_PROFILE_MASK,
                           EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                           EGL_NONE};
  if (eglBindAPI(EGL_OPENGL_API))
    gl_->context = eglCreateContext(gl_->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
  if (gl_->context == EGL_NO_CONTEXT ||
      !eglMakeCurrent(gl_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl_->context) ||
      !gladLoadGL(reinterpret_cast<GLADloadfunc>(eglGetProcAddress)))
    fail("EGL has no OpenGL 3.3");

  GLint most = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  if (width > most || height > most)
    throw Error(message("the picture is too large for this OpenGL: at most {} pixels a side", most));
  glGenTextures(1, &gl_->texture);
  glBindTexture(GL_TEXTURE_2D, gl_->texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glGenFramebuffers(1, &gl_->frame);
  glBindFramebuffer(GL_FRAMEBUFFER, gl_->frame);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, gl_->texture, 0);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    fail("no framebuffer, or too little memory for one");

  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui_ImplOpenGL3_Init("#version 330 core");
  gl_->backend = true;
}

void Offscreen::shut_down() {
  if (gl_->backend) ImGui_ImplOpenGL3_Shutdown();
  gl_->backend = false;
}

Offscreen::~Offscreen() {
  shut_down();
  ImGui::DestroyContext();
}

void Offscreen::begin(float seconds) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {float(width_), float(height_)};
  io.DeltaTime = seconds;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
}

void Offscreen::end(Colour background) {
  ImGui::Render();
  present(background);
}

void Offscreen::present(Colour background) {
  glViewport(0, 0, width_, height_);
  const auto part = [&](int shift) { return float(background >> shift & 0xff) / 255; };
  glClearColor(part(24), part(16), part(8), 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Offscreen::wait() const { glFinish(); }

const char* Offscreen::renderer() const { return reinterpret_cast<const char*>(glGetString(GL_RENDERER)); }

Image Offscreen::read() const {
  Image image{width_, height_, std::vector<uint8_t>(size_t(width_) * size_t(height_) * 4)};
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  const size_t row = size_t(width_) * 4;
  for (int y = 0; y < height_ / 2; ++y)  // OpenGL's first row is the lowest
    std::swap_ranges(image.rgba.begin() + long(size_t(y) * row),
                     image.rgba.begin() + long(size_t(y + 1) * row),
                     image.rgba.end() - long(size_t(y + 1) * row));
  for (size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;
  return image;
}

}  // namespace bscope
