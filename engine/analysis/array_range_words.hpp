// What the cells of a part of an array hold, in words of inputs.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/analysis/content.hpp"

namespace bscope {

/// What each cell of a part holds, in words of inputs; `first` as in ArrayState.
struct ArrayRangeWords {
  int first = 0;
  std::vector<Word> words;
  const Word* of(int cell) const {
    const int k = cell - first;
    return k >= 0 && k < int(words.size()) && words[size_t(k)].known ? &words[size_t(k)] : nullptr;
  }
};

}  // namespace bscope
