#include "app/window/shaders.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>

#include "app/draw/instances.hpp"
#include "app/window/gl.hpp"
#include "app/words/words.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

constexpr std::array<const char*, primitives> names{"fill", "fill", "box", "strip", "hatch", "line", "curve"};
/// Straight pieces of a curve.
constexpr int pieces = 20;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

struct ShaderProgram {
  GLuint id = 0;
  GLint origin = -1, size = -1;
};

/// OpenGL's state, saved and restored.
struct Before {
  GLint program = 0, array = 0, buffer = 0, texture = 0;
  Before() {
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &array);
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &buffer);
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &texture);
  }
  ~Before() {
    glUseProgram(GLuint(program));
    glBindVertexArray(GLuint(array));
    glBindBuffer(GL_ARRAY_BUFFER, GLuint(buffer));
    glBindTexture(GL_TEXTURE_2D, GLuint(texture));
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  }
  Before(const Before&) = delete;
  Before& operator=(const Before&) = delete;
};

}  // namespace

struct Shaders::Gl {
  std::array<ShaderProgram, primitives> programs;
  GLuint array = 0, buffer = 0;

  Gl(const std::string& version, std::span<const ShaderFile> files) {
    for (size_t k = 0; k < programs.size(); ++k) {
      if (k > 0 && names[k] == std::string(names[k - 1])) {
        programs[k] = programs[k - 1];
        continue;
      }
      programs[k].id = glCreateProgram();
      link(programs[k], std::string("shaders/") + names[k], version, files);
    }
    glGenVertexArrays(1, &array);
    glGenBuffers(1, &buffer);
    GLint bound_array = 0, bound_buffer = 0;
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &bound_array);
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &bound_buffer);
    glBindVertexArray(array);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    const auto attribute = [](GLuint k, GLint n, GLenum type, GLboolean normalised, size_t offset) {
      glEnableVertexAttribArray(k);
      // NOLINTNEXTLINE(performance-no-int-to-ptr): an offset into the buffer, as OpenGL has it
      glVertexAttribPointer(k, n, type, normalised, sizeof(Instance), reinterpret_cast<void*>(offset));
      glVertexAttribDivisor(k, 1);
    };
    attribute(0, 4, GL_FLOAT, GL_FALSE, offsetof(Instance, at));
    attribute(1, 4, GL_FLOAT, GL_FALSE, offsetof(Instance, more));
    attribute(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(Instance, fill));
    attribute(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(Instance, edge));
    attribute(4, 2, GL_FLOAT, GL_FALSE, offsetof(Instance, size));
    glBindVertexArray(GLuint(bound_array));
    glBindBuffer(GL_ARRAY_BUFFER, GLuint(bound_buffer));
  }

  ~Gl() {
    for (size_t k = 0; k < programs.size(); ++k)
      if (k == 0 || programs[k].id != programs[k - 1].id) glDeleteProgram(programs[k].id);
    glDeleteVertexArrays(1, &array);
    glDeleteBuffers(1, &buffer);
  }
  Gl(const Gl&) = delete;
  Gl& operator=(const Gl&) = delete;

  static void link(ShaderProgram& p, const std::string& path, const std::string& version,
                   std::span<const ShaderFile> files) {
    for (const auto& [type, suffix] : {std::pair{GL_VERTEX_SHADER, ".vert"}, {GL_FRAGMENT_SHADER, ".frag"}}) {
      std::string text;
      for (const ShaderFile& f : files)
        if (f.path == path + suffix) text = f.text;
      text = version + "\n" + text;
      const char* begin = text.c_str();
      const GLuint shader = glCreateShader(GLenum(type));
      glShaderSource(shader, 1, &begin, nullptr);
      glCompileShader(shader);
      GLint fine = 0;
      glGetShaderiv(shader, GL_COMPILE_STATUS, &fine);
      char log[512] = "";
      if (!fine) glGetShaderInfoLog(shader, sizeof log, nullptr, log);
      glAttachShader(p.id, shader);
      glDeleteShader(shader);  // when the program is
      if (!fine) refuse(path + suffix, log);
    }
    glLinkProgram(p.id);
    GLint fine = 0;
    glGetProgramiv(p.id, GL_LINK_STATUS, &fine);
    char log[512] = "";
    if (!fine) glGetProgramInfoLog(p.id, sizeof log, nullptr, log), refuse(path, log);
    p.origin = glGetUniformLocation(p.id, "origin");
    p.size = glGetUniformLocation(p.id, "size");
    GLint bound = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &bound);
    glUseProgram(p.id);
    if (const GLint at = glGetUniformLocation(p.id, "pieces"); at >= 0) glUniform1f(at, float(pieces));
    if (const GLint at = glGetUniformLocation(p.id, "colours"); at >= 0) glUniform1i(at, 0);
    glUseProgram(GLuint(bound));
  }

  [[noreturn]] static void refuse(const std::string& what, const std::string& log) {
    throw Error(
        message("The graphics driver cannot compile {} ({}): shapes are drawn without shaders, more slowly.",
                what, first_line(log)));
  }
};

Shaders::Shaders(const std::string& version, std::span<const ShaderFile> files)
    : gl_(std::make_unique<Gl>(version, files)) {}

Shaders::~Shaders() = default;

void Shaders::draw(Primitive kind, const void* instances, int count, const ImDrawCmd& command,
                   ImTextureID texture) {
  const ImDrawData& data = *ImGui::GetDrawData();
  const float scale = data.FramebufferScale.x, height = data.DisplaySize.y * scale;
  const ImVec4 clip = command.ClipRect;
  const float left = (clip.x - data.DisplayPos.x) * scale, right = (clip.z - data.DisplayPos.x) * scale,
              top = (clip.y - data.DisplayPos.y) * scale, bottom = (clip.w - data.DisplayPos.y) * scale;
  if (right <= left || bottom <= top) return;
  const Before before;
  // ImGui's backend sets the scissor for each of its own commands
  glScissor(int(left), int(height - bottom), int(right - left), int(bottom - top));
  const ShaderProgram& p = gl_->programs[size_t(kind)];
  glUseProgram(p.id);
  glUniform3f(p.origin, data.DisplayPos.x, data.DisplayPos.y, scale);
  glUniform2f(p.size, data.DisplaySize.x * scale, height);
  if (kind == Primitive::fill)
    glDisable(GL_BLEND);
  else
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  if (kind == Primitive::strip) glBindTexture(GL_TEXTURE_2D, GLuint(texture));
  glBindVertexArray(gl_->array);
  glBindBuffer(GL_ARRAY_BUFFER, gl_->buffer);
  glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(count) * GLsizeiptr(sizeof(Instance)), instances, GL_STREAM_DRAW);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, kind == Primitive::curve ? 2 * (pieces + 1) : 4, count);
}

std::shared_ptr<void> draw_with_shaders(Painter& painter,
                                        const std::function<void(const std::string&)>& refused) {
  try {
    auto shaders = std::make_unique<Shaders>();
    painter.shaders = shaders.get();
    return {shaders.release(), [&painter](Shaders* s) {
              painter.shaders = nullptr;
              delete s;
            }};
  } catch (const std::runtime_error& e) {
    refused(tr(message_of(e)));
    return nullptr;
  }
}

}  // namespace bscope
