// Lines of source code: keywords bold, comments quiet, every letter in its column.
#pragma once

#include <string>
#include <vector>

#include "app/draw/picture.hpp"

namespace bscope {

struct LayoutNode;

/// A line in rows of at most so many letters: code goes on four letters deeper, a comment in rows of its own,
/// each marked as one.
std::vector<std::string> code_rows(const std::string& line, size_t most);

struct CodeLook {
  float size = 0, height = 0;  ///< of the letters; of the row
  Colour plain = 0, comment = 0;
  bool bold = false;  ///< all but comments
};
/// One row of it.
LayoutNode code(std::string row, CodeLook);

}  // namespace bscope
