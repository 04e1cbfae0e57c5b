// What is said in a page of a browser.
#pragma once

namespace bscope {

/// For users of the page: no command line, no other memory, nothing to install. Advice about these has the
/// text of assets/words/page.json, and options go without their dashes, as in links.
void speak_in_page();

}  // namespace bscope
