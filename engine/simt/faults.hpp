// What both executors say about an access out of bounds.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/trace/places.hpp"

namespace bscope {

/// How the finding begins that stops a launch which makes more events than it may (Schedule::most_events).
inline constexpr const char* endless_words = "No end in sight";
inline bool is_endless(const Finding& f) { return f.text.starts_with(endless_words); }

/// Adds to a run's findings those of the same program in another order that it does not have: none of them in
/// its line, and where they end a launch, none that ends it.
inline void unite_findings(Trace& kept, const std::vector<Finding>& other) {
  const auto ends = [](const Finding& f) {
    return is_endless(f) || f.text.starts_with("Deadlock") || f.text.starts_with("A barrier of block");
  };
  const auto known = kept.findings;
  for (Finding f : other) {
    const bool same = std::any_of(known.begin(), known.end(), [&](const Finding& k) {
      return k.launch == f.launch && (k.line == f.line || (ends(k) && ends(f)));
    });
    if (same) continue;
    const bool fits = size_t(f.launch) < kept.launches.size() &&
                      f.block < kept.launches[size_t(f.launch)].grid &&
                      f.thread < kept.launches[size_t(f.launch)].block;
    if (!fits) f.launch = f.block = f.thread = 0;
    kept.findings.push_back(std::move(f));
  }
}

/// "thread 37 (x 5, y 2) of block 0": the block is said, even if it is the only one.
inline std::string thread_of_block(const Launch& l, int thread, int block) {
  return "thread " + rank_text(l, thread) + " of block " + block_text(l, block);
}

/// In a user's own program it is unknown whether a guard is missing or wrong, or the array is too small.
inline std::string out_of_bounds_text(const Launch& l, int thread, int block, const std::string& array,
                                      int index, int size, int line, Dialect dialect = Dialect::ours) {
  std::string who = thread_of_block(l, thread, block);
  who[0] = 'T';
  const bool ours = dialect == Dialect::ours;
  const std::string cells =
      size ? std::string(ours ? " has" : " has only") + " the cells 0 to " + std::to_string(size - 1)
           : " has no cells";
  return who + " touches " + array + "[" + std::to_string(index) + "] in line " + std::to_string(line) +
         ", but " + array + cells + (ours ? ": guard the index." : ".");
}
/// The same in a launch of one dimension.
inline std::string out_of_bounds_text(int thread, int block, const std::string& array, int index, int size,
                                      int line, Dialect dialect = Dialect::ours) {
  return out_of_bounds_text(Launch{}, thread, block, array, index, size, line, dialect);
}

}  // namespace bscope
