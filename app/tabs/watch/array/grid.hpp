// Where the array view's parts may stand in its picture.
#pragma once

#include "app/tabs/watch/array/columns.hpp"

namespace bscope {

struct ArrayGrid {
  float width = 0;       ///< of the picture
  float bottom = 0;      ///< of what is drawn in it
  Columns columns = {};  ///< array_columns()
};

}  // namespace bscope
