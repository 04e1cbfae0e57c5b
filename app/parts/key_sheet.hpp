// The key sheet: every command by group, with its keys, in columns that the last row can read; and the
// glossary in the same shape.
#pragma once

#include <string>
#include <vector>

#include "app/draw/picture.hpp"

namespace bscope {

struct Theme;

struct KeyRow {
  std::vector<std::string> keys;  ///< any of them: "Left", "Shift+Left"
  std::string title;
};
struct KeyGroup {
  std::string title;
  std::vector<KeyRow> rows;
};

/// One page of the sheet; where all fits on one page, there is one. `page` is clamped. Rows without keys are
/// shown last, as "in the palette".
struct KeySheet {
  Picture picture;
  int page = 0, pages = 1;
};
KeySheet key_sheet(const std::vector<KeyGroup>&, int page, const Theme&, const Metrics&, float w, float h);

/// Terms and their meanings, in columns; `page` as above.
struct Definition {
  std::string word, meaning;
};
KeySheet glossary_sheet(const std::vector<Definition>&, int page, const Theme&, const Metrics&, float w,
                        float h);

}  // namespace bscope
