// A run as screens of text: what the app shows where there is no display.
#pragma once

#include <string>

namespace bscope {

struct Console;
struct Run;

/// One screen an interval; Enter and arrow keys where there is a keyboard, else all at once. At the end
/// it says `how_to_get_the_window`.
void walk(const Run&, Console&, const std::string& how_to_get_the_window);

}  // namespace bscope
