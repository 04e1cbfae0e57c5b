// The app without a window: state in, ImGui draw lists out. The window, `render` and the tests drive it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/session/state.hpp"
#include "app/shell/gesture_recognizer.hpp"
#include "app/shell/painter.hpp"
#include "app/shell/ui_state.hpp"

namespace bscope {

class RunQueries;
struct Settings;

class App {
 public:
  /// Sets up fonts and style of the current ImGui context. The state must hold a run. Throws
  /// std::runtime_error if a font is missing.
  explicit App(LoadedState);
  ~App();

  /// One frame, between ImGui::NewFrame and ImGui::Render, on the whole of the main viewport.
  void frame();
  /// Whether another frame must follow soon even without input.
  bool busy() const;
  /// Whether events have come that no frame has seen. ImGui takes one key a frame.
  bool has_events() const;
  /// The seconds after which a frame must follow though nothing happens. A notice goes, a file dialog may
  /// have been answered.
  std::optional<double> due() const;
  /// A file was dropped on the window.
  void drop(const std::string& path);
  /// Takes up the settings (but not the looks, which the state has) and keeps them in the file from now on.
  void keep_settings(const Settings&, const std::string& file);
  /// What a finger does there, once it moves; and what fingers did.
  Under under(Point) const;
  void touched(const GestureRecognizer::PointerEvent&);
  /// Writes the settings if they have changed. Throws nothing: what went wrong is a notice.
  void write_settings_now();
  /// What must not be lost when the app ends: a draft of what was typed, and the settings.
  void end();
  /// What lies behind all panels.
  Colour background() const { return background_; }

  /// Set Painter::shaders here, where there is a renderer that knows them.
  Painter& painter() { return painter_; }

  LoadedState state;
  UiState ui;

 private:
  Painter painter_;
  Theme theme_{};
  Colour background_ = 0x000000ff;
  std::unique_ptr<RunQueries> model_;
  bool summaries_left_ = true, compact_ = false;
  std::array<int, 5> stepped_{};  ///< where the frame before was: in the run, in the tab's own time
  bool stepping_ = false;   ///< since the mouse moved last, a step was taken: no tip covers what changes
  std::string said_aside_;  ///< the last sentence about an input that waits
};

}  // namespace bscope
