// The app as a page: on a canvas with WebGL 2, frame by frame as the browser asks for them.
#pragma once

#include <string>

#include "app/cli/command.hpp"

namespace bscope {

/// Opens the app on the page's canvas and returns at once: the browser asks for its frames. Throws NoWindow
/// where there is no WebGL 2; what opening the target throws.
int open_page(const WindowOptions&);
/// Whether the app has been opened.
bool page_is_open();
/// A sentence that stands on the page for a while.
void tell_page(const std::string&);

}  // namespace bscope
