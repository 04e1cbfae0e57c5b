// What a window opens with, before there is one and after.
#pragma once

#include <string>

#include "app/run/target.hpp"
#include "app/session/settings.hpp"
#include "app/session/state.hpp"

namespace bscope {

struct UiState;
struct WindowOptions;

/// What was kept from the last start, and what is asked for now.
struct StartupState {
  Settings settings;
  std::string settings_file;
  std::string notice;  ///< what was wrong with the settings; empty: nothing
  LoadedState state;   ///< holds a run
  Target asked;
  bool long_run =
      false;  ///< what was asked for takes long: the state holds its kernel's default run meanwhile
};

/// Throws what opening the target throws, and UsageError for a lesson that there is not.
StartupState begin(const WindowOptions&);
/// When frames can be drawn: a long run, the lesson, the place in the run.
void go_on(LoadedState&, UiState&, const StartupState&, const WindowOptions&);

}  // namespace bscope
