// Where a source line names cells of an array.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bscope {

/// One `s[...]` of a line.
struct CellExpression {
  std::string text;      ///< "s[i - stride]"
  size_t at = 0;         ///< its first character in the line, from 0
  bool written = false;  ///< it is assigned or updated, or its address is taken
};
/// All of them in a line of source, from left to right. `array`: the array's name; of a row of one
/// ("tile[3]") the name alone counts. Text alone decides: the line is not parsed, and comments end it.
std::vector<CellExpression> cell_expressions(std::string_view line, std::string_view array);

}  // namespace bscope
