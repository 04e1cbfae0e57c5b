// The CUDA programs that lessons run.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/run/target.hpp"

namespace bscope {

struct Lesson;

/// The file of that name beside the lesson's file, or in the folder `programs` beside it or above it; empty:
/// there is none.
std::string program_beside(const std::string& lesson_path, const std::string& name);

/// The files that the lesson's steps run or compare with, as they were found.
std::set<std::string> programs_of(const Lesson&);

/// What the lesson's steps ask for of programs, compared ones, too: each file and way to compile it once, the
/// first first.
std::vector<Target> program_targets(const Lesson&);

/// The lesson's programs may run from now on: the user named the lesson on the command line.
void allow_programs_of(const Lesson&);

}  // namespace bscope
