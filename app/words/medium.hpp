// Where the words stand: on a terminal, in a window, or in a page of a browser.
#pragma once

namespace bscope {

/// For users of a window, who look at no command line: messages name options as links do
/// (assets/words/graphical.json), and say what a window's users can do instead (assets/words/window.json).
void speak_in_window();
/// For users of the page: no command line, no other memory, nothing to install. Messages about these have
/// their words in assets/words/page.json and assets/words/graphical.json.
void speak_in_page();

}  // namespace bscope
