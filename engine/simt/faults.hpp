// What both executors say about an access out of bounds.
#pragma once

#include <string>

#include "engine/trace/places.hpp"

namespace bscope {

/// How the finding begins that stops a launch which makes more events than it may (Schedule::most_events).
inline constexpr const char* endless_words = "No end in sight";
inline bool is_endless(const Finding& f) { return f.text.starts_with(endless_words); }

/// "thread 37 (x 5, y 2) of block 0": the block is said, even if it is the only one.
inline std::string thread_of_block(const Launch& l, int thread, int block) {
  return "thread " + rank_text(l, thread) + " of block " + block_text(l, block);
}

inline std::string out_of_bounds_text(const Launch& l, int thread, int block, const std::string& array,
                                      int index, int size, int line) {
  std::string who = thread_of_block(l, thread, block);
  who[0] = 'T';
  return who + " touches " + array + "[" + std::to_string(index) + "] in line " + std::to_string(line) +
         ", but " + array + (size ? " has the cells 0 to " + std::to_string(size - 1) : " has no cells") +
         ": guard the index.";
}
/// The same in a launch of one dimension.
inline std::string out_of_bounds_text(int thread, int block, const std::string& array, int index, int size,
                                      int line) {
  return out_of_bounds_text(Launch{}, thread, block, array, index, size, line);
}

}  // namespace bscope
