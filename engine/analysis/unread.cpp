#include "engine/analysis/unread.hpp"

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/listed.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

/// The line that reads inputs most often, and its launch.
struct ReadingLine {
  int launch = -1, line = 0;
};
ReadingLine usual_reader(const std::vector<const Node*>& reads) {
  std::vector<std::pair<std::pair<int, int>, int>> seen;  // few lines: a list will do
  for (const Node* n : reads) {
    const std::pair key(n->launch, int(n->line));
    bool known = false;
    for (auto& [where, times] : seen)
      if (where == key) known = true, ++times;
    if (!known) seen.push_back({key, 1});
  }
  ReadingLine r;
  int most = 0;
  for (const auto& [where, times] : seen)
    if (times > most) most = times, r = {where.first, where.second};
  return r;
}

/// Which blocks of a launch read an input.
struct InputUse {
  int launch = -1, block = -1, other = -1;  ///< `other`: a second block of that launch
  int line = 0;                             ///< where the later one reads
};

/// By input. `readers`: the first of the loads.
std::vector<InputUse> uses_of_input(const Trace& trace, const DataflowGraph& flow,
                                    std::vector<const Node*>& readers) {
  constexpr size_t most_readers = 100'000;
  std::vector<InputUse> uses(size_t(trace.arrays[size_t(trace.input)].size));
  for (const int id : flow.sequence) {
    const Node& n = flow.nodes[size_t(id)];
    if (n.place.array != trace.input || !reads(n.op) || n.a >= 0) continue;
    InputUse& use = uses[size_t(n.place.index)];
    const int block = n.thread / trace.launches[size_t(n.launch)].block;
    if (use.other < 0 && use.launch == n.launch && use.block != block) {
      use.other = std::max(use.block, block);
      use.block = std::min(use.block, block);
      use.line = n.line;
    } else if (use.other < 0) {
      use.launch = n.launch;
      use.block = block;
    }
    if (readers.size() < most_readers) readers.push_back(&n);
  }
  return uses;
}

/// A histogram's empty bins need no write; where output is input, an input may be a result as it stands.
std::vector<int> unwritten_outputs(const Trace& trace, const DataflowGraph& flow) {
  std::vector<int> all;
  if (trace.property == Property::histogram || trace.output == trace.input || flow.last.empty()) return all;
  const auto& last = flow.last.back()[size_t(trace.output)];
  const int promised = trace.property == Property::reduction ? 1 : trace.arrays[size_t(trace.input)].size;
  for (int i = 0; i < std::min(promised, int(last.size())); ++i)
    if (last[size_t(i)] < 0) all.push_back(i);
  return all;
}

CoverageGap unread_gap(const std::vector<int>& unread, int inputs, const std::vector<const Node*>& readers) {
  const Message which = listed_inputs(unread);
  const ReadingLine r = usual_reader(readers);
  const Message help =
      r.launch >= 0
          ? message("Look at the guard of the loads in line {}, and at the size of the grid.", r.line)
          : message("No thread loads an input at all: look at the guard of the loads.");
  const Message what =
      unread.size() > 1
          ? message("{} of {} inputs are never read, so no output can depend on them.", which, inputs)
      : inputs == 1 ? message("{} of {} input is never read, so no output can depend on it.", which, inputs)
                    : message("{} of {} inputs is never read, so no output can depend on it.", which, inputs);
  return {what, help, r.launch, r.line};
}

/// `first`: the use of the first of them.
CoverageGap twice_gap(const std::vector<int>& twice, int inputs, const InputUse& first) {
  const Message which = listed_inputs(twice), one = message("x{}", twice[0]);
  const Message what =
      twice.size() == 1
          ? message(
                "{} of {} inputs is read by two blocks of one launch ({} by block {} and by block {}, in "
                "line "
                "{}): whatever is counted or added there goes in twice.",
                which, inputs, one, first.block, first.other, first.line)
          : message(
                "{} of {} inputs are read by two blocks of one launch ({} by block {} and by block {}, in "
                "line {}): whatever is counted or added there goes in twice.",
                which, inputs, one, first.block, first.other, first.line);
  return {what, message("Look at where a block's part of the input begins and ends."), first.launch,
          first.line};
}

CoverageGap unwritten_gap(const std::vector<int>& unwritten, const ArrayInfo& output) {
  const Message cells = listed_cells(unwritten);
  return {unwritten.size() == 1 ? message("{}: {} of {} is never written.", output.name, cells, output.size)
                                : message("{}: {} of {} are never written.", output.name, cells, output.size),
          message("Look at the guard of the stores.")};
}

}  // namespace

Coverage coverage(const Trace& trace, const DataflowGraph& flow) {
  Coverage c;
  if (trace.property == Property::none || !trace.findings.empty()) return c;
  if (size_t(trace.input) >= trace.arrays.size() || size_t(trace.output) >= trace.arrays.size()) return c;
  const int inputs = trace.arrays[size_t(trace.input)].size;
  std::vector<const Node*> readers;
  const std::vector<InputUse> uses = uses_of_input(trace, flow, readers);
  // An exclusive scan's last input reaches no output.
  const int needed = inputs - (trace.property == Property::exclusive_scan);
  for (int i = 0; i < inputs; ++i) {
    if (i < needed && uses[size_t(i)].launch < 0) c.unread.push_back(i);
    if (uses[size_t(i)].other >= 0) c.twice.push_back(i);
  }
  c.unwritten = unwritten_outputs(trace, flow);
  if (!c.unread.empty()) c.gaps.push_back(unread_gap(c.unread, inputs, readers));
  if (!c.twice.empty()) c.gaps.push_back(twice_gap(c.twice, inputs, uses[size_t(c.twice[0])]));
  if (!c.unwritten.empty()) c.gaps.push_back(unwritten_gap(c.unwritten, trace.arrays[size_t(trace.output)]));
  return c;
}

}  // namespace bscope
