// The JSON of list, show and check (docs: the formats are a contract for scripts).
#pragma once
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "engine/cuda/toolchain/own_program.hpp"

namespace bscope {

struct FindingGroup;
struct Run;
struct Verdict;

/// barrierscope.list/1
void list_json(std::ostream&);
/// barrierscope.show/1; `program` is the outcome of a user's own program, null for others. Written interval
/// by interval: traces are large. Intervals of the block `globals` say what the global arrays hold, too.
void show_json(std::ostream&, const Run&, std::optional<int> globals = {},
               const cuda::ProgramRun* program = nullptr);
/// barrierscope.check/1
void check_json(std::ostream&, const Run&, const Verdict&, const std::vector<FindingGroup>&,
                const cuda::ProgramRun* program = nullptr);

}  // namespace bscope
