// What clang reads of a program: its own files, corrected where nvcc takes what clang does not.
#pragma once

#include <string>
#include <string_view>

namespace bscope::cuda {

/// The text as UTF-8 with \n at the ends of lines, without bytes that a terminal would obey. Lines stay
/// lines; what is no UTF-8 is taken as Latin-1.
std::string as_shown(std::string_view text);

/// The same on one line, of a text that may be of any length: its beginning.
std::string as_shown_line(std::string_view text);

/// Editors make `< < < grid, block > > >` of a launch, which nvcc takes: the same with its signs together,
/// blanks behind them, so that every column stays.
std::string with_launches_mended(std::string text);

}  // namespace bscope::cuda
