// Options that several verbs share: what to run, what to look at, and how it looks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/options.hpp"
#include "app/run/run.hpp"
#include "app/run/target.hpp"

namespace bscope {

/// What to run, as options say it.
struct RunOptions {
  Request request;  ///< without its kernel
  std::optional<Device> device;
  std::optional<Schedule> schedule;
  bool given = false;  ///< any of them
};
/// Input, parameters and device.
void input_options(Options&, RunOptions&);
/// The same, and those of a trace alone. What --max-memory says holds at once.
void trace_options(Options&, RunOptions&);
/// A kernel of the catalog with these options, or a .bscope file. Throws UsageError for neither, and for a
/// file beside which options say what to run.
Target target_of(const RunOptions&, const std::string& word);
/// The first of these, of which `verb` needs one.
Target target_of(const RunOptions&, const std::vector<std::string>& words, const std::string& verb);
/// Traces it, or reads its file. Throws what these throw.
std::shared_ptr<const Run> open(const Target&);
/// Throws UsageError for what is too large, before anything is opened for it.
void need_affordable(const Target&);

/// --theme and --lesson; empty where they are not given.
struct LookOptions {
  std::string theme, lesson;
};
void look_options(Options&, LookOptions&);
/// The run that the lesson begins with, if one was asked for. Throws UsageError where a run was named beside
/// it.
std::optional<Target> lessons_target(const LookOptions&, const RunOptions&,
                                     const std::vector<std::string>& words);

/// --json
void json_option(Options&, bool& into);

}  // namespace bscope
