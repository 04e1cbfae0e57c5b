// What is said in a page of a browser.
#pragma once

namespace bscope {

/// For users of the page: no command line, no other memory, nothing to install. Messages about these have
/// their words in assets/words/page.json, with options as links name them.
void speak_in_page();

}  // namespace bscope
