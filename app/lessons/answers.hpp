// What a lesson's sentences ask of a run, and what it answers.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/lessons/lesson.hpp"
#include "app/run/cursor.hpp"
#include "app/run/target.hpp"
#include "engine/timing/timeline.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct Run;
class RunStore;

/// The runs and timelines that a lesson's sentences speak of.
class LessonRuns {
 public:
  explicit LessonRuns(RunStore& runs) : runs_(runs) {}
  /// Whether kernels of the catalog are run as their CUDA programs, as the window shows them.
  bool in_cuda = false;
  /// Null while it is loading. Throws UsageError and what opening throws.
  std::shared_ptr<const Run> of(Target);
  /// The open program's run, which the store drops when it was handed out.
  void know(const Target& program, std::shared_ptr<const Run>);
  /// The run that was asked for last and is still loading.
  const std::optional<Target>& loading() const { return loading_; }
  /// What was asked for and is not there yet, in a sentence; empty: all is there. Asking forgets it.
  Message take_awaited() { return std::exchange(awaited_, {}); }
  /// Says so of something else that a sentence needs.
  void await(Message what) { awaited_ = std::move(what); }
  /// A timeline's file, read once: a lesson asks it for many numbers. Throws BadFile.
  const Timeline& timeline(const std::filesystem::path&);

 private:
  RunStore& runs_;
  Message awaited_;
  Target open_;
  std::shared_ptr<const Run> open_run_;
  std::optional<Target> loading_;
  std::map<std::filesystem::path, Timeline> timelines_;
};

/// The text with each {placeholder} replaced by what the run says (docs/lessons.md lists them). What cannot
/// be answered stays as it is and becomes a mistake; `line` is where the text begins in its file.
std::string filled(const std::string& text, int line, const LessonStep&, const Run&, const Cursor&,
                   LessonRuns&, std::vector<Mistake>& mistakes);

}  // namespace bscope
