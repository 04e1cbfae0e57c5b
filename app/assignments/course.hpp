// A course: a folder of a lecturer's programs, lessons, assignments and recordings.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/trace/message.hpp"

namespace bscope {

struct Assignment;

/// A program of the course: files that lie together, of which one has main.
struct CourseProgram {
  std::string name;                ///< its path in the course without ending: "week 2/transpose"
  std::string title;               ///< its first comment, or its name
  std::string folder;              ///< in the course
  std::vector<std::string> files;  ///< paths from that folder on; the first has main
};

/// What a course holds, by paths from its folder on.
struct Course {
  std::filesystem::path folder;  ///< absolute
  std::string title;             ///< the first heading of its README.md, or the folder's name
  std::vector<CourseProgram> programs;
  std::vector<std::string> lessons;      ///< Markdown files that are lessons
  std::vector<std::string> assignments;  ///< folders that hold an assignment.json
  std::vector<std::string> recordings;   ///< .bscope files
  std::vector<std::string> folders;  ///< in which something of it may appear; the first is the course's own
};

// What GitHub Pages hosts, with room to spare for the page itself.
inline constexpr uint64_t most_of_a_course_file = uint64_t(95) << 20, most_in_a_course = uint64_t(900) << 20;

/// Reads a course's folder. Hidden files, and what it does not know, are passed over. Throws BadFile where
/// there is no such folder, UsageError where it holds nothing to show or more than a page may.
Course read_course(const std::filesystem::path& folder);

/// Whether the folder holds a lesson or an assignment. One with programs alone may as well be a project of
/// one program.
bool is_course(const std::filesystem::path& folder);

/// An assignment of a course.
struct CourseAssignment {
  std::string name;                              ///< its folder's
  std::shared_ptr<const Assignment> assignment;  ///< null: it cannot be read
  Message mistake;                               ///< why
};
/// Those of the course, read, in the order of their folders.
std::vector<CourseAssignment> assignments_of(const Course&);

/// The assignment of that name beside a lesson's file, or in the folder `assignments` beside it or above it;
/// empty: there is none.
std::filesystem::path assignment_beside(const std::string& lesson_path, const std::string& name);

}  // namespace bscope
