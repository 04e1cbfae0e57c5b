// One view alone, for a frame in another page: no header, no lists; the smallest transport below it, and a
// link to the whole app on the same state.
#pragma once

#include <string>

#include "app/draw/picture.hpp"

namespace bscope {

struct Command;
struct LoadedState;
struct Theme;
class View;

/// Sized to the frame: letters are read in a small one, too, where a window would shrink them.
Theme embedded_theme(const LoadedState&, Box window);
/// The one view that is shown, in a frame of a page.
struct EmbeddedView {
  std::string name;  ///< a tab's, or run. Empty: the app
  Box whole_app;     ///< where the link to the whole app stands
};

/// The view that EmbeddedView names, on the whole of the window.
void show_embedded(View&, Box window);
/// Whether its keys work there. Those of other views, of files and of popups do not.
bool works_embedded(const Command&, const LoadedState&);

}  // namespace bscope
