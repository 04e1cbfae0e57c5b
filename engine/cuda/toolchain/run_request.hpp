// A request to compile and run a user's program, and the answer, as texts of JSON: for a caller in another
// module or process.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace bscope::cuda {

/// `request`: {"program", "schedule", "terms", "until"}: the members of Program; as on the command line; the
/// members of Terms; "run", or "program" or "objects" to compile alone. Returns {"run": the members of
/// ProgramRun}, whose trace `keep_trace` takes as a file's bytes before; or {"error": {"kind", "message"}}
/// for what run_program throws, and for a request that is none.
std::string answer_run_request(std::string_view request,
                               const std::function<void(std::span<const std::byte>)>& keep_trace);

}  // namespace bscope::cuda
