// A page made of a course: a folder of a lecturer's programs, lessons, assignments and recordings, beside the
// gallery of a built page.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/trace/message.hpp"

namespace bscope {

struct CourseOptions {
  std::filesystem::path course;  ///< the lecturer's folder
  std::filesystem::path page;    ///< a built page, which is copied
  std::filesystem::path out;     ///< the folder to write; it is replaced, if it is a page
};

/// Writes the page, with the programs compiled ahead: a reader who runs them as they are fetches no compiler.
/// Returns notes, a sentence each: programs that do not compile, lessons with mistakes. Throws NoToolchain,
/// UsageError, BadFile, SystemError; then nothing was written.
std::vector<Message> write_course_page(const CourseOptions&);

}  // namespace bscope
