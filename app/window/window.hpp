// The window, and pictures of it without a display.
#pragma once

#include <functional>

#include "engine/trace/error.hpp"

namespace bscope {

class App;
struct Export;
struct WindowOptions;

/// There is nowhere to open a window: no display, or none with OpenGL 3.3. what() is one sentence.
struct NoDisplay : Error {
  using Error::Error;
};

/// Opens the app on the target and returns its exit code when the window is closed. Throws what opening the
/// target throws, before there is a window; NoDisplay; std::runtime_error if a font is missing.
int open_window(const WindowOptions&);

/// Draws what the app would show of one step, without a display, into a PNG file: the whole window.
/// `prepare` may change the app before its first frame. Throws UsageError; SystemError if the file
/// cannot be written; std::runtime_error if there is no EGL.
void render_picture(const Export&, const std::function<void(App&)>& prepare = {});

}  // namespace bscope
