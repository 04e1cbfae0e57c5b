// Many numbers in a sentence: as ranges, and no more of them than can be read.
#pragma once

#include <vector>

#include "engine/trace/message.hpp"

namespace bscope {

/// "x3, x5..x8 and x16": inputs by ascending numbers, as ranges; of many the first few, and how many more.
Message listed_inputs(const std::vector<int>& numbers);
/// The same of cells: "cell 3, cell 5..cell 8 and cell 16".
Message listed_cells(const std::vector<int>& numbers);

}  // namespace bscope
