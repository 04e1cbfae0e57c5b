#include "engine/analysis/barrier_lines.hpp"

#include <charconv>
#include <sstream>
#include <string>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

BarrierLines barrier_lines(const Trace& trace, const DataflowGraph& flow, int source) {
  BarrierLines lines;
  for (const Interval& i : flow.intervals)
    if (i.line > 0 && trace.launches[size_t(i.launch)].source == source) lines.met.insert(i.line);
  if (source < 0 || size_t(source) >= trace.sources.size()) return lines;
  // the schedule's own spelling: "lockstep without scan.cu:24"
  const std::string &path = trace.sources[size_t(source)].path,
                    begin = path.substr(path.rfind('/') + 1) + ":";
  std::istringstream words(trace.driver);
  for (std::string word; words >> word;) {
    if (!word.starts_with(begin)) continue;
    int line = 0;
    std::from_chars(word.data() + begin.size(), word.data() + word.size(), line);
    if (line > 0) lines.left_out.insert(line);
  }
  return lines;
}

}  // namespace bscope
