// One view alone, for a frame in another page: no header, no lists; the smallest transport below it, and a
// link to the whole app on the same state.
#pragma once

#include "app/shell/commands.hpp"
#include "app/shell/panel.hpp"

namespace bscope {

/// Sized to the frame: letters are read in a small one, too, where a window would shrink them.
Theme embedded_theme(const LoadedState&, Box window);
/// The view that UiState::shell.embed names, on the whole of the window.
void show_embedded(View&, Box window);
/// Whether its keys work there. Those of other views, of files and of popups do not.
bool works_embedded(const Command&, const LoadedState&);

}  // namespace bscope
