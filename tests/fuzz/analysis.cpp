// Every analysis survives every trace that the reader accepts.
// How to run it: tests/fuzz/README.md.
#include "engine/analysis/arrows.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/globals.hpp"
#include "engine/analysis/out_of_bounds.hpp"
#include "engine/analysis/proof.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/unread.hpp"
#include "engine/analysis/why.hpp"
#include "engine/analysis/work.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/file.hpp"
#include "tests/fuzz/mutate_events.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  bscope::Trace trace;
  try {
    trace = bscope::read_trace(std::as_bytes(std::span(data, size)));
  } catch (const bscope::BadFile&) { return 0; }
  const bscope::Report report = bscope::analyse(trace);
  bscope::barriers(trace, report.flow);
  bscope::coverage(trace, report.flow);
  for (const auto& finding : trace.findings) bscope::why_out_of_bounds(trace, finding);
  const bscope::Globals globals(trace, report.flow);
  for (int array = 0; array < int(trace.arrays.size()) && !report.flow.intervals.empty(); ++array)
    globals.words_at(report.words(), globals.whole(array), globals.after(report.flow.intervals.back()));
  for (const auto& interval : report.flow.intervals) {
    bscope::content(trace, report.flow, report.words(), interval);
    bscope::active_threads(report.flow, interval);
    for (const auto& arrow : bscope::arrows(report.flow, interval))
      bscope::sentence(bscope::why(trace, report.flow, report.words(), interval, arrow.to, 3));
  }
  return 0;
}
