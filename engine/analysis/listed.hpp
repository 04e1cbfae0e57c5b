// Many numbers in a sentence: as ranges, and no more of them than can be read.
#pragma once

#include <string>
#include <vector>

namespace bscope {

/// "x3, x5..x8 and x16": ascending numbers, as ranges; of many the first few, and how many more.
std::string listed(const std::vector<int>& numbers, const std::string& letter);

}  // namespace bscope
