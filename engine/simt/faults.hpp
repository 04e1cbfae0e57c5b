// What both executors report of an access out of bounds, and the findings of two orders of one run together.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/trace/placed_in.hpp"
#include "engine/trace/places.hpp"

namespace bscope {

/// Adds to a run's findings those of the same program in another order that it does not have: none of them in
/// its line, and where they end a launch, none that ends it.
inline void unite_findings(Trace& kept, const std::vector<Finding>& other) {
  const auto ends = [](const Finding& f) {
    return is_endless(f) || f.kind == FindingKind::deadlock || f.kind == FindingKind::missed_barrier;
  };
  const auto known = kept.findings;
  for (const Finding& f : other) {
    const bool same = std::any_of(known.begin(), known.end(), [&](const Finding& k) {
      return k.launch == f.launch && (k.line == f.line || (ends(k) && ends(f)));
    });
    if (!same) kept.findings.push_back(placed_in(kept, f));
  }
}

/// "thread 37 (x 5, y 2) of block 0": the block is said, even if it is the only one.
inline Message thread_of_block(const Launch& l, int thread, int block) {
  return message("thread {} of block {}", rank_text(l, thread), block_text(l, block));
}
/// The same as a sentence begins.
inline Message thread_of_block_at_start(const Launch& l, int thread, int block) {
  return message("Thread {} of block {}", rank_text(l, thread), block_text(l, block));
}

/// An access outside its array: in the catalog's kernels the array has the right size, so the index is wrong.
inline Message out_of_bounds_message(const Launch& l, int thread, int block, const std::string& array,
                                     int index, int size, int line) {
  const std::string who = rank_text(l, thread), where = block_text(l, block),
                    cell = array + "[" + std::to_string(index) + "]";
  const Message what =
      size ? message("Thread {} of block {} touches {} in line {}, but {} has the cells 0 to {}", who, where,
                     cell, line, array, size - 1)
           : message("Thread {} of block {} touches {} in line {}, but {} has no cells", who, where, cell,
                     line, array);
  return message("{}: guard the index.", what);
}

}  // namespace bscope
