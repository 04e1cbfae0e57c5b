// What a lesson's sentences ask of a run, and what it answers.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/lessons/lesson.hpp"
#include "engine/timing/timeline.hpp"

namespace bscope {

/// The runs that a lesson's sentences speak of, each opened once. At most a handful are kept.
class LessonRuns {
 public:
  explicit LessonRuns(Open open = open_target) : open_(std::move(open)) {}
  /// Throws UsageError and what opening throws.
  std::shared_ptr<const Run> of(const Target&);
  /// A timeline's file, read once: a lesson asks it for many numbers. Throws BadFile.
  const Timeline& timeline(const std::filesystem::path&);

 private:
  Open open_;
  std::map<std::string, std::shared_ptr<const Run>> kept_;
  std::map<std::filesystem::path, Timeline> timelines_;
};

/// The text with each {placeholder} replaced by what the run says (docs/lessons.md lists them). What cannot
/// be answered stays as it is and becomes a mistake; `line` is where the text begins in its file.
std::string filled(const std::string& text, int line, const LessonStep&, const Run&, const Cursor&,
                   LessonRuns&, std::vector<Mistake>& mistakes);

}  // namespace bscope
