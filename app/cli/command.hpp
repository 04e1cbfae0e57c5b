// The command line: flags to one verb, errors to one sentence and an exit code.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/options/view_options.hpp"
#include "app/run/target.hpp"
#include "engine/trace/error.hpp"

namespace bscope {

struct Console;
struct Export;

/// What the app opens with. Empty: as the settings have it.
struct WindowOptions : ViewOptions {
  Target target;
  std::string language = {};
  std::string course = {};  ///< a folder whose lessons the list begins with
};

/// What the program was built with. Empty where it was built without.
struct Window {
  /// Throws NoWindow when it cannot be opened here. Returns the exit code.
  std::function<int(const WindowOptions&)> open;
  /// A PNG as the window would show it.
  std::function<void(const Export&)> render;
  /// Pictures of lines and words (SVG, PDF) and videos; needs neither window nor OpenGL.
  std::function<void(const Export&)> figure;
};
/// There is a display, but no window can be opened on it. what() is one sentence.
struct NoWindow : Error {
  using Error::Error;
};

/// Runs `barrierscope ARGS` (without the program's name). Returns the exit code: 0 done; 1 a check failed,
/// the device is missing, the output cannot be written; 2 bad usage or bad input. Throws nothing.
int command(const std::vector<std::string>& args, Console&, const Window& = {});

}  // namespace bscope
