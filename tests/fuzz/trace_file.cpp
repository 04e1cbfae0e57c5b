// Any bytes give a valid trace or a BadFile; a trace that was read can be written and read again.
// How to run it: tests/fuzz/README.md.
#include <cstdlib>

#include "engine/trace/file.hpp"
#include "tests/fuzz/mutate.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  bscope::Trace trace;
  try {
    trace = bscope::read_trace(std::as_bytes(std::span(data, size)));
  } catch (const bscope::BadFile&) { return 0; }
  if (bscope::digest(bscope::read_trace(bscope::write_trace(trace))) != bscope::digest(trace)) std::abort();
  return 0;
}
