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

/// A program of the course: files that lie together, of which one has main.
struct CourseProgram {
  std::string name;                ///< its path in the course without ending: "week 2/transpose"
  std::string title;               ///< its first comment, or its name
  std::string folder;              ///< in the course
  std::vector<std::string> files;  ///< paths from that folder on; the first has main
};

/// What a course holds, by paths from its folder on.
struct Course {
  std::vector<CourseProgram> programs;
  std::vector<std::string> lessons;      ///< Markdown files that are lessons
  std::vector<std::string> assignments;  ///< folders that hold an assignment.json
  std::vector<std::string> recordings;   ///< .bscope files
};
/// Reads a course's folder. Hidden files, and what it does not know, are passed over. Throws BadFile where
/// there is no such folder, UsageError where it holds nothing to show or more than a page may.
Course read_course(const std::filesystem::path& folder);

/// Writes the page, with the programs compiled ahead: a reader who runs them as they are fetches no compiler.
/// Returns notes, a sentence each: programs that do not compile, lessons with mistakes. Throws NoToolchain,
/// UsageError, BadFile, SystemError; then nothing was written.
std::vector<Message> write_course_page(const CourseOptions&);

}  // namespace bscope
