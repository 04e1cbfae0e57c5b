// What is said in a page of a browser.
#pragma once

namespace bscope {

/// For users of the page: no command line, no other memory, nothing to install. What advises such is
/// said as assets/words/page.json has it, and options without their dashes, as links name them.
void speak_in_page();

}  // namespace bscope
