// The sentence of a hazard: what, where, and the mend, in the words of the source.
#pragma once

#include <span>
#include <string>

#include "engine/analysis/flow.hpp"

namespace bscope {

/// How an access touches its cell. `strong`: as atomics and flags do, which do not race with each other.
/// `guess`: a plain read that a compare-and-swap checks.
namespace touching {
enum How : uint8_t { read = 1, write = 2, strong = 4, guess = 8 };
}

class HazardWords {
 public:
  /// Barriers in `without_line` are taken out.
  HazardWords(const Trace&, const Flow&, int launch, int without_line);
  /// Of two accesses to one cell that nothing orders, the earlier one in the replay first.
  std::string sentence(const Node& a, uint8_t a_how, const Node& b, uint8_t b_how) const;

 private:
  /// The lines that a barrier belongs between. Which of the two racing accesses came first in the replay is
  /// chance; what the source means is the order of lines after the barrier that both have passed, unless a
  /// loop has come round.
  struct Fix {
    int from, to;
    bool next_round;
  };
  Fix fix(const Node& a, const Node& b) const;
  bool comes_again(const Node&, int line) const;
  int round(const Node&) const;
  std::string bulk_sentence(const std::string& first, const Node& a, uint8_t a_how, const Node& b,
                            uint8_t b_how) const;
  std::string mend(const Node& a, uint8_t a_how, const Node& b, uint8_t b_how) const;
  std::string mend_between_blocks(const Node& a, uint8_t a_how, const Node& b, uint8_t b_how) const;
  int line_that_tells(const Node& a, const Node& b) const;
  bool counts(const Event&) const;
  std::span<const Event> log_of(const Node&) const;
  int block_of(const Node& n) const { return n.thread / launch_.block; }
  int warp_of(const Node& n) const { return n.thread % launch_.block / warp_size; }

  const Trace& trace_;
  const Flow& flow_;
  const Launch& launch_;
  const int number_, without_line_;
};

}  // namespace bscope
