// The output of users' own programs and their compiler, on the command line.
#pragma once

#include <vector>

#include "engine/cuda/toolchain/diagnostics.hpp"
#include "engine/cuda/toolchain/own_program.hpp"

namespace bscope {

struct Console;

/// On stderr, so that JSON stays clean: the program's output, what is wrong with it, and its remarks.
void tell_program(const cuda::ProgramRun&, Console&);
/// The same without what is wrong with it, which `check` prints with its findings.
void tell_output(const cuda::ProgramRun&, Console&);
/// What is no mistake by itself (remarks_of), there as well.
void tell_remarks(const cuda::ProgramRun&, Console&);
/// What is to be known of its run, there as well.
void tell_notes(const cuda::ProgramRun&, Console&);
/// What a compiler says, as it says it.
void tell_diagnostics(const std::vector<cuda::Diagnostic>&, Console&);
/// The same of one that gave nothing to look at: the compiler's lines, or the program's.
void tell_failed_program(const cuda::ProgramRun&, Console&);

}  // namespace bscope
