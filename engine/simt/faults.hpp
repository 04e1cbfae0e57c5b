// What both executors say about an access out of bounds.
#pragma once

#include <string>

#include "engine/trace/trace.hpp"

namespace bscope {

/// How the finding begins that stops a launch which makes more events than it may (Schedule::most_events).
inline constexpr const char* endless_words = "No end in sight";
inline bool is_endless(const Finding& f) { return f.text.starts_with(endless_words); }

inline std::string out_of_bounds_text(int thread, int block, const std::string& array, int index, int size,
                                      int line) {
  return "Thread " + std::to_string(thread) + " of block " + std::to_string(block) + " touches " + array +
         "[" + std::to_string(index) + "] in line " + std::to_string(line) + ", but " + array +
         (size ? " has the cells 0 to " + std::to_string(size - 1) : " has no cells") + ": guard the index.";
}

}  // namespace bscope
