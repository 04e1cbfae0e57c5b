// The sheet of keys and the glossary, over the tabs.
#pragma once

#include <string>

#include "app/draw/picture.hpp"
#include "app/parts/key_sheet.hpp"

namespace bscope {

class View;

struct KeySheetPages {
  int page = 0;
  KeySheet sheet;
  std::string made_for;
};

void show_sheets(View&, Box window);

}  // namespace bscope
