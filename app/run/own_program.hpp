// Users' own CUDA programs as runs.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/trace/error.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct FindingGroup;
struct Run;
struct Target;
struct Trace;
namespace cuda {
struct ProgramRun;
struct Remark;
}  // namespace cuda

/// A run, what became of the program that it is of (null where it is of none), and the text that was saved
/// with it in its file.
struct OpenedRun {
  OpenedRun(std::shared_ptr<const Run> r = nullptr, std::shared_ptr<const cuda::ProgramRun> p = nullptr)
      : run(std::move(r)), program(std::move(p)) {}
  std::shared_ptr<const Run> run;
  std::shared_ptr<const cuda::ProgramRun> program;  ///< without its trace, which is the run's
  std::string session;
};

/// A program that gives nothing to look at: it does not compile, or no launch of it is traced. what() is one
/// sentence.
struct NothingToShow : UsageError {
  NothingToShow(Message why, std::shared_ptr<const cuda::ProgramRun> p, Message brief_ = {})
      : UsageError(std::move(why)), program(std::move(p)), brief(std::move(brief_)) {}
  std::shared_ptr<const cuda::ProgramRun> program;  ///< what compiler and program have said
  Message brief;          ///< the sentence without what they have said; empty: they have not said why
  bool reported = false;  ///< what they have said has been printed
};

/// A program was not run, for a reason that says nothing about the program. what() is one sentence.
struct NotRun : UsageError {
  using UsageError::UsageError;
};
/// This program may not run yet.
struct NotAllowed : NotRun {
  using NotRun::NotRun;
};
/// Programs in this folder, and below it, may run from now on: the user named one of them on the command
/// line, or consented. A session, a link or a file that only mentions a program runs nothing.
void allow_programs_in(const std::string& folder);
/// Whether the file is one of Barrierscope's assets: a lesson's program.
bool comes_with_barrierscope(const std::string& file);
/// Whether the program may run. Those that come with Barrierscope always may.
bool may_run(const std::string& file);

/// Whether programs can be run here. A page that came with none and has no compiler opens their traces alone.
inline bool runs_programs = true;
/// Whether new and changed programs can be compiled here. A page without a compiler runs those that came with
/// it.
inline bool compiles_programs = true;
/// Whether programs lie in a page's memory: links hold their files, too, nothing else writes into these, and
/// they run where they can do no harm.
inline bool programs_in_page = false;
/// The command that traces a program where Barrierscope is installed: barrierscope trace a.cu -o a.bscope
std::string trace_command(const std::string& file);

/// Compiles and runs a program, and analyses its trace. Throws NotAllowed, NothingToShow, BadFile,
/// UsageError.
OpenedRun open_program(const Target&);
/// The same of a program that has been run already.
OpenedRun open_program(const Target&, cuda::ProgramRun);
/// Opens whatever it is, at once. Throws what opening throws.
OpenedRun open_now(const Target&);

/// The trace of a program alone, with what became of it. Throws the same.
std::pair<Trace, std::shared_ptr<const cuda::ProgramRun>> trace_program(const Target&);

/// What is wrong with a program's host code and its comments, a sentence each: it crashed or gave another
/// exit code than 0, used CUDA's functions wrongly, states an expectation that cannot be parsed.
std::vector<Message> mistakes_of(const cuda::ProgramRun&);
/// Which limit of Barrierscope's ended the program's run, or keeps its result from being judged; empty: none.
Message stop_of(const cuda::ProgramRun&);
/// The one of them that is last, and explains nothing: another exit code than 0 of a program that ended by
/// itself. Empty where there is none.
Message exit_of(const cuda::ProgramRun&);
/// What users should know of the run beside it: what is not shown, what could be smaller.
std::vector<Message> notes_of(const cuda::ProgramRun&);
/// What is no mistake by itself, a sentence with its place each: likely causes of a wrong result, and threads
/// that return before a barrier.
std::vector<Message> remarks_of(const cuda::ProgramRun&);
/// Those that are not among the findings.
std::vector<Message> remarks_of(const cuda::ProgramRun&, const std::vector<FindingGroup>& findings);
/// Whether the findings or what follows from them say it.
bool is_said(const cuda::Remark&, const std::vector<FindingGroup>& findings);
/// "a.cu:12: sentence".
Message with_place(const cuda::Remark&);

}  // namespace bscope
