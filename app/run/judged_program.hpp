// Users' own programs on the terms of an assignment.
#pragma once

#include <memory>
#include <utility>

namespace bscope {

struct Target;
struct Trace;
namespace cuda {
struct ProgramRun;
struct Terms;
}  // namespace cuda

/// As trace_program(Target) does.
std::pair<Trace, std::shared_ptr<const cuda::ProgramRun>> trace_program(const Target&, const cuda::Terms&);

}  // namespace bscope
