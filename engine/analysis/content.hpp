// The word of input elements that a value holds, e.g. x0..x7.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "engine/analysis/bulk.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

struct DataflowGraph;
struct Interval;

/// First and last input of each run, both included. Behaves as a vector; a single run needs no memory of its
/// own, since there is a word for each of very many nodes and most are one run.
class Runs {
 public:
  using InputRange = std::pair<int, int>;
  Runs() = default;
  Runs(std::initializer_list<InputRange> runs) {
    for (const InputRange& r : runs) push_back(r);
  }
  size_t size() const { return many_.empty() ? size_t(single_) : many_.size(); }
  bool empty() const { return size() == 0; }
  const InputRange* begin() const { return many_.empty() ? &one_ : many_.data(); }
  const InputRange* end() const { return begin() + size(); }
  const InputRange& operator[](size_t k) const { return begin()[k]; }
  const InputRange& back() const { return end()[-1]; }
  InputRange& back() { return many_.empty() ? one_ : many_.back(); }
  void push_back(InputRange r) {
    if (empty()) {
      one_ = r;
      single_ = true;
      return;
    }
    if (many_.empty()) many_.push_back(one_);
    many_.push_back(r);
  }
  bool operator==(const Runs& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

 private:
  bool single_ = false;
  InputRange one_{};
  std::vector<InputRange> many_;
};

/// Inputs joined by the run's operator (its parameter `operator`, else addition), in order: runs of
/// consecutive input numbers. Unknown where a value is not such a word.
struct Word {
  bool known = false;
  Runs runs;      ///< none: the identity
  int power = 1;  ///< of each input: 2 in a sum of squares
  /// "x0..x7", "x4..x5 x0..x3", "identity"; empty where it is no word of plain inputs.
  std::string text() const;
  bool operator==(const Word&) const = default;
};
/// A word for each of very many nodes. Behaves as a vector of words that are made when they are looked at;
/// most are one run or none, and take eight bytes.
class WordTable {
 public:
  explicit WordTable(size_t count = 0) : all_(count) {}
  size_t size() const { return all_.size(); }
  Word operator[](size_t k) const;

 private:
  friend class Writer;
  template <bool>
  friend class MemberVisitor;  // run_serialization.cpp
  /// first 0 or more: the inputs from there to `last`. Else what `first` says, about `last`.
  struct EncodedWord {
    int32_t first, last;
    bool operator==(const EncodedWord&) const = default;
  };
  static constexpr int32_t unknown = -1, identity = -2, other = -3;  // other: its number in `others_`
  Bulk<EncodedWord> all_;
  std::vector<Word> others_;
};

/// The operator that a run's words are made with.
Op operator_of(const Trace&);
/// a, then b.
Word join(const Word& a, const Word& b);
/// One word a node (what the cell then holds, for stores and atomics). Words that grow beyond a few million
/// runs in all are left unknown.
WordTable words(const Trace&, const DataflowGraph&);
/// What a global cell holds before the first write.
Word initial_word(const Trace&, CellRef);
/// What a global cell holds at the end of the run.
Word final_word(const Trace&, const DataflowGraph&, const WordTable&, CellRef);
/// What each cell of each shared array of the interval's block holds at its end: [array][cell].
std::vector<std::vector<Word>> content(const Trace&, const DataflowGraph&, const WordTable&, const Interval&);

}  // namespace bscope
