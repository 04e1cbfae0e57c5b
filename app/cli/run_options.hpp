// What verbs do with the options that they share.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace bscope {

struct Console;
struct OpenedRun;
class Options;
struct RunOptions;
struct Target;
struct ViewOptions;

/// Opens it, and prints on stderr what a program has printed and, `with_mistakes`, what is wrong with it and
/// what is to be known of its run. Throws what opening throws.
OpenedRun open(const Target&, Console&, bool with_mistakes = true);
/// Throws UsageError for what is too large, before anything is opened for it.
void need_affordable(const Target&);

/// The run that the lesson begins with, if one was asked for. A link may ask for a lesson beside another run.
/// Throws UsageError where a run was named beside it.
std::optional<Target> lessons_target(const ViewOptions&, const RunOptions&,
                                     const std::vector<std::string>& words);

/// --json
void json_option(Options&, bool& into);

}  // namespace bscope
