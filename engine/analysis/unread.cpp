#include "engine/analysis/unread.hpp"

#include "engine/analysis/listed.hpp"

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

}  // namespace

Coverage coverage(const Trace& trace, const DataflowGraph& flow) {
  Coverage c;
  if (trace.property == Property::none || !trace.findings.empty()) return c;
  if (size_t(trace.input) >= trace.arrays.size() || size_t(trace.output) >= trace.arrays.size()) return c;
  const ArrayInfo &input = trace.arrays[size_t(trace.input)], &output = trace.arrays[size_t(trace.output)];

  struct InputUse {
    int launch = -1, block = -1, other = -1;  // `other`: a second block of that launch
    int line = 0;                             // where the later one reads
  };
  std::vector<InputUse> seen(static_cast<size_t>(input.size));
  std::vector<const Node*> readers;
  for (const int id : flow.sequence) {
    const Node& n = flow.nodes[size_t(id)];
    if (n.place.array != trace.input || !reads(n.op) || n.a >= 0) continue;
    InputUse& s = seen[size_t(n.place.index)];
    const int block = n.thread / trace.launches[size_t(n.launch)].block;
    if (s.other < 0 && s.launch == n.launch && s.block != block) {
      s.other = std::max(s.block, block);
      s.block = std::min(s.block, block);
      s.line = n.line;
    } else if (s.other < 0) {
      s.launch = n.launch;
      s.block = block;
    }
    if (readers.size() < 100000) readers.push_back(&n);
  }
  // An exclusive scan's last input reaches no output.
  const int needed = input.size - (trace.property == Property::exclusive_scan);
  for (int i = 0; i < input.size; ++i) {
    if (i < needed && seen[size_t(i)].launch < 0) c.unread.push_back(i);
    if (seen[size_t(i)].other >= 0) c.twice.push_back(i);
  }
  // A histogram's empty bins need no write; where output is input, an input may be a result as it stands.
  if (trace.property != Property::histogram && trace.output != trace.input && !flow.last.empty()) {
    const auto& last = flow.last.back()[size_t(trace.output)];
    const int promised = trace.property == Property::reduction ? 1 : input.size;
    for (int i = 0; i < std::min(promised, int(last.size())); ++i)
      if (last[size_t(i)] < 0) c.unwritten.push_back(i);
  }

  if (!c.unread.empty()) {
    const Message inputs = listed_inputs(c.unread);
    const ReadingLine r = usual_reader(readers);
    const Message hint =
        r.launch >= 0
            ? message("look at the guard of the loads in line {}, and at the size of the grid", r.line)
            : message("no thread loads an input at all; look at the guard of the loads");
    if (c.unread.size() > 1)
      c.messages.push_back(message("{} of {} inputs are never read, so no output can depend on them: {}.",
                                   inputs, input.size, hint));
    else
      c.messages.push_back(input.size == 1
                               ? message("{} of {} input is never read, so no output can depend on it: {}.",
                                         inputs, input.size, hint)
                               : message("{} of {} inputs is never read, so no output can depend on it: {}.",
                                         inputs, input.size, hint));
  }
  if (!c.twice.empty()) {
    const InputUse& first = seen[size_t(c.twice[0])];
    const Message inputs = listed_inputs(c.twice), one = message("x{}", c.twice[0]);
    c.messages.push_back(
        c.twice.size() == 1
            ? message("{} of {} inputs is read by two blocks of one launch ({} by block {} and by block {}, "
                      "in line "
                      "{}): whatever is counted or added there goes in twice; look at where a block's part "
                      "of the "
                      "input begins and ends.",
                      inputs, input.size, one, first.block, first.other, first.line)
            : message(
                  "{} of {} inputs are read by two blocks of one launch ({} by block {} and by block {}, in "
                  "line {}): whatever is counted or added there goes in twice; look at where a block's part "
                  "of "
                  "the input begins and ends.",
                  inputs, input.size, one, first.block, first.other, first.line));
  }
  if (!c.unwritten.empty())
    c.messages.push_back(c.unwritten.size() == 1
                             ? message("{}: {} of {} is never written: look at the guard of the stores.",
                                       output.name, listed_cells(c.unwritten), output.size)
                             : message("{}: {} of {} are never written: look at the guard of the stores.",
                                       output.name, listed_cells(c.unwritten), output.size));
  return c;
}

}  // namespace bscope
