// Which arrays a step concerns, and what it does with the cells of each. No pixels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bscope {

struct ArrayRange;
struct StepView;

/// What the step does with an array, cell by cell of a part.
struct ArrayUse {
  std::vector<uint8_t> read, written;
  int reads = 0, writes = 0;  ///< cells
};
ArrayUse use_of(const StepView&, const ArrayRange&);
/// "3 cells read, 1 cell written"; empty: neither.
std::string words_of(const ArrayUse&);
/// The block's part of every array that it touches; of arrays with several rows each row.
std::vector<ArrayRange> touched_parts(const StepView&);

}  // namespace bscope
