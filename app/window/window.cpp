#include "app/window/window.hpp"

#include <glad/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <exception>
#include <memory>
#include <string>

#include "app/cli/command.hpp"
#include "app/links/link.hpp"
#include "app/links/query.hpp"
#include "app/measure/recorded.hpp"
#include "app/run/run_store.hpp"
#include "app/run/worker.hpp"
#include "app/session/pacing.hpp"
#include "app/shell/app.hpp"
#include "app/shell/embedded.hpp"
#include "app/shell/files.hpp"
#include "app/shell/notices.hpp"
#include "app/shell/settings_file.hpp"
#include "app/window/dialogs.hpp"
#include "app/window/drawn.hpp"
#include "app/window/shaders.hpp"
#include "app/window/startup.hpp"
#include "app/words/medium.hpp"
#include "engine/trace/file.hpp"

namespace bscope {
namespace {

std::string last_error;

struct Glfw {
  Glfw() {
    glfwSetErrorCallback([](int, const char* what) { last_error = what; });
    if (!glfwInit()) throw NoDisplay(message("there is no display to open a window on ({})", last_error));
  }
  ~Glfw() { glfwTerminate(); }
};

/// Whether the window's title bar would be on some monitor. They come and go.
bool on_a_monitor(const Settings& s) {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  for (int i = 0; i < count; ++i) {
    int x = 0, y = 0, w = 0, h = 0;
    glfwGetMonitorWorkarea(monitors[i], &x, &y, &w, &h);
    const int middle = s.x + s.width / 2;
    if (middle >= x && middle < x + w && s.y >= y && s.y < y + h - 40) return true;
  }
  return false;
}

/// The window's size and place, into the settings. Of a maximised window the ones before stay.
void note_place(GLFWwindow* window, Settings& s) {
  s.maximised = glfwGetWindowAttrib(window, GLFW_MAXIMIZED) != 0;
  if (s.maximised) return;
  glfwGetWindowSize(window, &s.width, &s.height);
  int x = 0, y = 0;
  glfwGetError(nullptr);
  glfwGetWindowPos(window, &x, &y);  // Wayland does not tell: an error, and zeros
  if (glfwGetError(nullptr) != GLFW_NO_ERROR) return;
  s.x = x;
  s.y = y;
  s.placed = true;
}

}  // namespace

int open_window(const WindowOptions& o) {
  StartupState startup = begin(o);
  const Settings& settings = startup.settings;

  const Glfw glfw;
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_MAXIMIZED, settings.maximised);
  GLFWwindow* window = glfwCreateWindow(settings.width, settings.height, "Barrierscope", nullptr, nullptr);
  if (!window) throw NoDisplay(message("this display has no OpenGL 3.3 to draw with ({})", last_error));
  glfwSetWindowSizeLimits(window, 960, 540, GLFW_DONT_CARE, GLFW_DONT_CARE);
  if (settings.placed && !settings.maximised && on_a_monitor(settings))
    glfwSetWindowPos(window, settings.x, settings.y);
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  if (!gladLoadGL(glfwGetProcAddress)) throw NoDisplay(message("this display's OpenGL cannot be loaded"));
  speak_in_window();
  ImGui::CreateContext();
  {
    App app(std::move(startup.state));
    Worker reader;  // of the recordings, beside the first frames
    reader.start([] {
      try {
        recorded_curves();
      } catch (const std::exception&) {  // the Time tab reads them again, and says why
      }
    });
    app.ui.wake = app.ui.runs.wake = glfwPostEmptyEvent;
    go_on(app.state, app.ui, startup, o);
    app.ui.of<FileDialogs>().ask_desktop = desktop_dialog;
    app.ui.of<EmbeddedView>().name = o.embed;
    app.keep_settings(settings, startup.settings_file);
    if (!startup.notice.empty()) notify(app.ui, startup.notice);
    const auto shaders =
        draw_with_shaders(app.painter(), [&app](const std::string& why) { notify(app.ui, why); });
    struct Events {
      App& app;
      bool exposed = true;
    } events{app};
    glfwSetWindowUserPointer(window, &events);
    glfwSetDropCallback(window, [](GLFWwindow* w, int n, const char** paths) {
      for (int i = 0; i < n; ++i)
        static_cast<Events*>(glfwGetWindowUserPointer(w))
            ->app.drop(is_link(paths[i]) ? encoded_anew(paths[i]) : paths[i]);
    });
    glfwSetWindowRefreshCallback(
        window, [](GLFWwindow* w) { static_cast<Events*>(glfwGetWindowUserPointer(w))->exposed = true; });
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    ImGui_ImplOpenGL3_Init("#version 330 core");

    uint64_t shown = 0;
    Pacing pacing(glfwGetTime());
    while (!glfwWindowShouldClose(window)) {
      // Nothing moves: sleep until something happens. Frames that look the same are not drawn.
      const double asleep = glfwGetTime();
      const std::optional<double> wait = pacing.wait(asleep);
      if (!wait)
        glfwWaitEvents();
      else if (*wait > 0.001)
        glfwWaitEventsTimeout(*wait);
      else
        glfwPollEvents();
      if (glfwGetWindowAttrib(window, GLFW_ICONIFIED)) {
        glfwWaitEvents();
        continue;
      }
      const double now = glfwGetTime();
      pacing.woke(now, !wait || app.has_events() || now < asleep + *wait - 0.002);
      ImGui_ImplOpenGL3_NewFrame();
      ImGui_ImplGlfw_NewFrame();
      ImGui::NewFrame();
      app.frame();
      ImGui::Render();

      const ImDrawData& data = *ImGui::GetDrawData();
      const Colour background = app.background();
      const uint64_t picture = digest(data) ^ background;
      pacing.drew({app.busy(), app.has_events(), picture != shown, app.due()});
      if (picture == shown && !events.exposed && !textures_changed(data)) continue;
      shown = picture;
      events.exposed = false;
      int width = 0, height = 0;
      glfwGetFramebufferSize(window, &width, &height);
      glViewport(0, 0, width, height);
      const auto part = [&](int shift) { return float(background >> shift & 0xff) / 255; };
      glClearColor(part(24), part(16), part(8), 1);
      glClear(GL_COLOR_BUFFER_BIT);
      ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
      glfwSwapBuffers(window);
    }
    note_place(window, app.ui.of<SettingsFile>().settings);
    app.end();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
  }
  ImGui::DestroyContext();
  glfwDestroyWindow(window);
  return 0;
}

}  // namespace bscope
