// What is wrong with a run, by what has to be changed in the source: one group per cause.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/cure.hpp"
#include "engine/analysis/moment.hpp"
#include "engine/trace/finding.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct Barrier;
struct Run;
namespace cuda {
struct ProgramRun;
}  // namespace cuda

/// As compilers have it. Errors alone make `check` fail.
enum class Severity : uint8_t { error, warning, note };
const char* name_of(Severity);
/// As scripts and files name it: "out-of-bounds".
const char* name_of(FindingKind);

/// What a group breaks. Scripts, SARIF files and annotations name it as `name_of` does.
enum class Rule : uint8_t {
  race,
  kernel,            ///< what an executor or the replay found, see FindingKind
  cuda_call,         ///< a wrong use of CUDA's functions
  program_end,       ///< the program crashed
  compiler,          ///< an error of the compiler in a program that runs all the same
  unread_input,      ///< inputs that no thread reads
  input_read_twice,  ///< explains a wrong result
  unwritten_output,  ///< explains a wrong result
  wrong_result,
  unproved,           ///< the result is not what it should be for every input
  replay,             ///< the replay differs from the real memory
  exit_code,          ///< the program ended with another exit code than 0
  redundant_barrier,  ///< a note
  likely_cause,       ///< no mistake by itself, but of a program that says that its result is wrong
  early_return,       ///< a note: threads return before a barrier that others wait at
  last = early_return
};

/// A place in a source file. Lines and columns count from 1; 0: unknown.
struct SourceSpan {
  std::string file = {};
  int line = 0, column = 0;
  int length = 0;         ///< characters from `column`
  std::string text = {};  ///< the line, for display; empty where the source is unknown
};

/// A second place that a group is about, with what happens there.
struct FindingNote {
  Message message = {};
  SourceSpan at = {};
};

struct FindingGroup {
  Rule rule = Rule::kernel;
  FindingKind kind = FindingKind::other;  ///< where `rule` is `kernel`
  Severity severity = Severity::error;
  Message title = {};    ///< "race on s"; may be empty
  Message message = {};  ///< of the most telling one: what happened, and where
  Message help = {};     ///< what to change; empty where nothing is known that works
  Message tried = {};    ///< what a run with that change has shown; empty: it was not tried
  SourceSpan at = {};
  std::vector<FindingNote> notes = {};
  size_t count = 1;                   ///< how many it stands for
  Message extent = {};                ///< "1 of 642 such pairs, blocks 0 to 3"; empty for one
  std::optional<Moment> moment = {};  ///< where it is in the run
  Cure cure = {};                     ///< of a race
  std::string array = {};             ///< whose cells it is about; empty: none
  std::string overflow = {};  ///< int arithmetic that gave a wrong index: "row * 100000000"; empty: none
  int launch = 0;
  /// Of a barrier that not all threads met: where the innermost block that holds it opens; 0: an if holds it.
  int block_from = 0;
  bool follows_fault = false;                   ///< of the host: it comes of a fault that ended a launch
  std::vector<FindingGroup> consequences = {};  ///< what follows from it and goes away with it

  /// What happened, what to change, and what a run with that has shown.
  Message sentences() const;
  /// The name of its rule: "race", "out-of-bounds".
  std::string rule_name() const;
};

/// All that makes `check` fail, the causes first: findings, then a wrong result, and the exit code last,
/// which explains nothing. What follows from another group is folded under it.
/// `why`: what an assignment found, which explains the exit code where nothing else does.
std::vector<FindingGroup> finding_groups(const Run&, const cuda::ProgramRun* = nullptr,
                                         const std::vector<Message>& why = {});
/// What compiler, runtime and host code say is wrong with a program of which nothing can be shown.
std::vector<FindingGroup> finding_groups(const cuda::ProgramRun&);
/// Notes, which are no failure: likely causes of a wrong result that are none of the findings, threads that
/// return before a barrier, and stores of one value in a cell by several threads, which CUDA allows.
std::vector<FindingGroup> note_groups(const Run&, const cuda::ProgramRun*,
                                      const std::vector<FindingGroup>& findings);
/// Barriers that could go: notes, and no failure.
std::vector<FindingGroup> redundant_barriers(const Run&, const std::vector<Barrier>&);
/// Number of errors, without consequences.
size_t count_errors(const std::vector<FindingGroup>&);

}  // namespace bscope
