// A lesson's file in a kernel's place: it brings its own runs.
#pragma once

#include <string>
#include <vector>

namespace bscope {

struct Lesson;
struct RunOptions;

/// Whether the one word is a lesson's file. Throws UsageError where options beside it say what to trace, or
/// ask for JSON; `more`: of the verb's own.
bool is_lesson(const std::vector<std::string>& words, const RunOptions&, bool json, bool more = false);
/// Throws UsageError, and what reading files throws.
Lesson read_lesson(const std::string& path);

}  // namespace bscope
