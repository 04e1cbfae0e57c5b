// Text of others (files, programs, compilers) that goes to terminals, windows and JSON.
#pragma once

#include <string>
#include <string_view>

namespace bscope {

/// Whether text is UTF-8 without control characters (C0, DEL and C1), and without Unicode's marks that change
/// the direction of what follows: a terminal prints it as it reads. `lines`: line ends, tabs and those marks
/// pass, as comments of a source may hold them.
bool is_printable(std::string_view, bool lines);

/// The text as UTF-8 with \n at the ends of lines. A blank stands for each control character, and U+FFFD for
/// each mark of direction. Lines stay lines; what is no UTF-8 is taken as Latin-1.
std::string as_shown(std::string_view);

/// The same on one line, of a text that may be of any length: its beginning.
std::string as_shown_line(std::string_view);

}  // namespace bscope
