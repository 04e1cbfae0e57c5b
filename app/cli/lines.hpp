// Words and values in lines, for text in a terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bscope {

struct Trace;

/// Letters of a text in UTF-8, of which each takes one column.
size_t width_of(std::string_view);
/// As many blanks, with the text's tabs: what follows them in the next line stands under what follows the
/// text.
std::string blanks_below(std::string_view text);
/// With blanks behind it, so that it is so wide.
std::string pad_right(std::string, int width);
/// "1 adds" is nothing to read: count(1, "add", "adds").
std::string count(long n, const char* one, const char* many);
/// Values of that array, as its type prints them.
std::string values(const Trace&, int array, const std::vector<double>&, size_t most);
/// Words to lines of at most `width`, each behind the indent.
std::string wrapped(const std::string& text, int width, const std::string& indent);

/// A column of a table: what stands above it, and on which side its cells begin.
struct Column {
  const char* head;
  bool left = false;
};
/// Lines of a table without the columns that are empty in every row; a row of no cells is an empty line.
std::string aligned(const std::vector<Column>&, const std::vector<std::vector<std::string>>& rows);

}  // namespace bscope
