// Users' programs as a page's worker asks for them (own_code.js).
#include <cstring>

#include "engine/cuda/toolchain/run_request.hpp"
#include "engine/trace/progress.hpp"
#include "engine/trace/scoped_assign.hpp"

// library.js
extern "C" {
void own_code_keep_trace(const std::byte* trace, size_t size);
/// `share`: of the work that is done, 0 to 1.
void own_code_tell(float share);
}

/// A request in JSON. The answer's memory is the caller's.
extern "C" [[gnu::used, gnu::visibility("default")]] char* own_code_run(const char* request) {
  bscope::Progress progress;
  progress.tell = [](const bscope::Progress& p) { ::own_code_tell(p.share()); };
  const bscope::ScopedAssign watched(bscope::current_progress, &progress);
  const auto keep = [](std::span<const std::byte> trace) {
    ::own_code_keep_trace(trace.data(), trace.size());
  };
  return ::strdup(bscope::cuda::answer_run_request(request, keep).c_str());
}
