// The word of input elements that a value holds, e.g. x0..x7.
#pragma once
#include "engine/analysis/flow.hpp"
namespace bscope {

/// A sum of inputs, in order: runs of consecutive input numbers. Unknown where a value is not such a word.
struct Word {
  bool known = false;
  std::vector<std::pair<int, int>> runs;  ///< first and last input, both included; empty: the identity
  std::string text() const;               ///< "x0..x7", "x4..x5 x0..x3", "identity"; empty if unknown
  bool operator==(const Word&) const = default;
};
/// One word a node (what the cell then holds, for stores and atomics).
std::vector<Word> words(const Trace&, const Flow&);
/// What each cell of each shared array of the interval's block holds at its end: [array][cell].
std::vector<std::vector<Word>> content(const Trace&, const Flow&, const std::vector<Word>&, const Interval&);

}  // namespace bscope
