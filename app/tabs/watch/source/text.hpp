// The lines of a source file, as the source panel shows them.
#pragma once

#include <string>
#include <vector>

namespace bscope {

/// Lines, from 1, both of them included; none where `last` is before `first`.
struct LineRange {
  int first = 1, last = 0;
  bool holds(int line) const { return line >= first && line <= last; }
};

/// With two blanks for a tab, without line ends.
std::vector<std::string> source_text_lines(const std::string& text);
/// The lines in which the kernel is entered into the catalog: no part of what it does.
LineRange registration_lines(const std::vector<std::string>&);

// On a projector the room of an unfolded line's indent and comment is its instructions'.
/// Indented by one blank at most.
std::string less_indented(const std::string& line);
/// A line's rows without those that are comment alone, but for the first.
std::vector<std::string> without_comment(std::vector<std::string> rows);

}  // namespace bscope
