#include "engine/analysis/unread.hpp"

#include "engine/analysis/listed.hpp"

namespace bscope {
namespace {

using std::to_string;

std::string verb(const std::vector<int>& numbers) { return numbers.size() == 1 ? " is" : " are"; }

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
  if (trace.promise == Promise::none || !trace.findings.empty()) return c;
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
  const int needed = input.size - (trace.promise == Promise::exclusive_scan);
  for (int i = 0; i < input.size; ++i) {
    if (i < needed && seen[size_t(i)].launch < 0) c.unread.push_back(i);
    if (seen[size_t(i)].other >= 0) c.twice.push_back(i);
  }
  // A histogram's empty bins need no write; where output is input, an input may be a result as it stands.
  if (trace.promise != Promise::histogram && trace.output != trace.input && !flow.last.empty()) {
    const auto& last = flow.last.back()[size_t(trace.output)];
    const int promised = trace.promise == Promise::reduction ? 1 : input.size;
    for (int i = 0; i < std::min(promised, int(last.size())); ++i)
      if (last[size_t(i)] < 0) c.unwritten.push_back(i);
  }

  if (!c.unread.empty()) {
    std::string s = listed(c.unread, "x") + " of " + to_string(input.size) +
                    (input.size == 1 ? " input" : " inputs") + verb(c.unread) +
                    " never read, so no output can depend on " + (c.unread.size() == 1 ? "it" : "them");
    if (const ReadingLine r = usual_reader(readers); r.launch >= 0)
      s += ": look at the guard of the loads in line " + to_string(r.line) + ", and at the size of the grid";
    else
      s += ": no thread loads an input at all; look at the guard of the loads";
    c.sentences.push_back(s + ".");
  }
  if (!c.twice.empty()) {
    const InputUse& first = seen[size_t(c.twice[0])];
    c.sentences.push_back(
        listed(c.twice, "x") + " of " + to_string(input.size) + " inputs" + verb(c.twice) +
        " read by two blocks of one launch (x" + to_string(c.twice[0]) + " by block " +
        to_string(first.block) + " and by block " + to_string(first.other) + ", in line " +
        to_string(first.line) +
        "): whatever is counted or added there goes in twice; look at where a block's part of "
        "the input begins and ends.");
  }
  if (!c.unwritten.empty())
    c.sentences.push_back(output.name + ": " + listed(c.unwritten, "cell ") + " of " +
                          to_string(output.size) + verb(c.unwritten) +
                          " never written: look at the guard of the stores.");
  return c;
}

}  // namespace bscope
