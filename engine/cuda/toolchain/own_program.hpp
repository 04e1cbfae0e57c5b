// A user's CUDA program from its files to its trace.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/other_order.hpp"
#include "engine/cuda/toolchain/compile.hpp"
#include "engine/cuda/toolchain/report.hpp"
#include "engine/simt/schedule.hpp"
#include "engine/trace/trace.hpp"

namespace bscope::cuda {

/// What became of a program.
struct ProgramRun {
  std::vector<Diagnostic>
      diagnostics;  ///< of compiler and linker; of its lines `// barrierscope: expect ...`
  bool compiled = false;
  std::optional<Trace> trace;  ///< nothing: none of its launches is traced
  ProgramReport report;        ///< of the run whose trace this is
  std::string output;          ///< stdout and stderr, the first MiB
  bool output_cut = false;
  std::vector<Suggestion> suggestions;  ///< where it is too large to be shown whole
  Schedule schedule;                    ///< as it was run
  OtherOrder other;                     ///< what its run in another order has shown
  Message unjudged;                     ///< why a result that is stated cannot be judged; empty: it can
  /// It was given no arguments and seems to want some: it says how it is used, ends with a code before it
  /// launches anything, or crashes and reads argv.
  bool wants_arguments = false;
  std::string text;  ///< of its first file, as it was read to be compiled
  Program program;   ///< as it was compiled: with what a build file has added
  /// All but the trace, which is a file by itself.
  template <class Self, class Visit>
  static void fields(Self& r, Visit&& visit) {
    visit("diagnostics", r.diagnostics);
    visit("compiled", r.compiled);
    visit("report", r.report);
    visit("output", r.output);
    visit("output_cut", r.output_cut);
    visit("suggestions", r.suggestions);
    visit("schedule", r.schedule);
    visit("other", r.other);
    visit("unjudged", r.unjudged);
    visit("wants_arguments", r.wants_arguments);
    visit("text", r.text);
    visit("program", r.program);
  }
};

/// Compiles the program, runs it in a process of its own (engine/cuda/toolchain/confinement.hpp) and reads
/// its trace. With Schedule::automatic it runs to_barrier first and, where the order matters, again in
/// lockstep. For a worker thread: it looks now and then whether it is still wanted. Throws BadFile,
/// UsageError, NoToolchain, SystemError, Cancelled.
ProgramRun run_program(const Program&, const Schedule& = {});

/// Whether this machine can keep a program to what Program::named_only lets it read.
bool can_limit_reading();

}  // namespace bscope::cuda
