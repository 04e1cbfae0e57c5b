// A course's folder in a kernel's place.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/assignments/course.hpp"

namespace bscope {

class Ink;
struct RunOptions;
struct ViewOptions;

/// The course, where the one word is its folder: it holds lessons or assignments. Its programs may run from
/// now on. Throws UsageError where options beside it say what to trace, or ask for JSON.
std::optional<Course> course_named(const std::vector<std::string>& words, const RunOptions&, bool json,
                                   bool more = false);
/// The folder of the course that the words name, which is taken out of them; the lesson that was asked for
/// may be one of the course by its name. Without one it is the list of all. Empty: they name no course.
std::string take_course(ViewOptions&, const RunOptions&, std::vector<std::string>& words);

/// What it holds, a line each, and how it is opened.
std::string course_text(const Course&, const Ink&);

}  // namespace bscope
