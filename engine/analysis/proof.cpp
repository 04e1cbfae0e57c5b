#include "engine/analysis/proof.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "engine/analysis/arithmetic.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/hazards.hpp"
#include "engine/analysis/library_calls.hpp"
#include "engine/analysis/listed.hpp"
#include "engine/trace/source_line.hpp"

namespace bscope {
namespace {

using std::to_string;

bool is_decision(Op op) {
  return op == Op::branch || op == Op::escape || op == Op::address || op == Op::ballot || op == Op::match ||
         op == Op::expect;
}

/// What reaches each node: the input's data, and the order in which atomics happened to be served.
struct Reach {
  std::vector<bool> data, chance;
};
bool served_by_chance(const Trace& trace, const DataflowGraph& flow, const Node& n) {
  if (!is_atomic(n.op) || n.a < 0) return false;
  const Node& before = flow.nodes[n.a];
  if (!is_atomic(before.op) || before.launch != n.launch || before.thread == n.thread) return false;
  const int size = trace.launches[n.launch].block;
  return before.thread / size != n.thread / size || before.interval == n.interval;
}
Reach reach(const Trace& trace, const DataflowGraph& flow) {
  Reach r{std::vector<bool>(flow.nodes.size()), std::vector<bool>(flow.nodes.size())};
  for (size_t k = 0; k < flow.nodes.size(); ++k) {
    const Node& n = flow.nodes[k];
    bool data = n.place.array == trace.input && reads(n.op) && n.a < 0, chance = false;
    for (int source : {n.a, n.b, n.address})
      if (source >= 0) data = data || r.data[source], chance = chance || r.chance[source];
    if (data && served_by_chance(trace, flow, n)) chance = true;
    r.data[k] = data;
    r.chance[k] = chance;
  }
  return r;
}

int power_of(const Trace& trace) {
  for (const auto& [name, value] : trace.parameters)
    if (name == "of") return value == "squares" ? 2 : value == "cubes" ? 3 : 1;
  return 1;
}

Message show(const Word& w) {
  if (!w.known) return message("not a word of the input");
  const std::string text = Word{true, w.runs, 1}.text();
  // the empty word's text is a word of the language
  const Message runs = w.runs.empty() ? Message::plain(text) : Message::verbatim(text);
  return w.power == 1 ? runs : message("{} to the power of {}", runs, w.power);
}

/// What the word of an output lacks, and what it has too much: "total[0] lacks x896..x999."
Message difference(const std::string& cell, const Word& got, const Word& want, int inputs, int line) {
  if (!got.known || (got.power != want.power && !want.runs.empty()))
    return message("{} is {}, but should be {}.", cell, show(got), show(want));
  std::vector<int> balance(size_t(inputs) + 1);
  const auto count = [&](const Word& w, int sign) {
    for (const auto& [first, last] : w.runs) {
      balance[size_t(first)] += sign;
      balance[size_t(last) + 1] -= sign;
    }
  };
  count(got, 1);
  count(want, -1);
  std::vector<int> missing, extra;
  for (int i = 0, n = 0; i < inputs; ++i) {
    n += balance[size_t(i)];
    if (n) (n < 0 ? missing : extra).push_back(i);
  }
  const Message lacks = listed_inputs(missing), has = listed_inputs(extra);
  if (missing.empty() && extra.empty())
    return line ? message(
                      "{} has the right inputs in an order that another run may change; line {} wrote it "
                      "last.",
                      cell, line)
                : message("{} has the right inputs in an order that another run may change.", cell);
  if (extra.empty())
    return line ? message("{} lacks {}; line {} wrote it last.", cell, lacks, line)
                : message("{} lacks {}.", cell, lacks);
  if (missing.empty())
    return line ? message("{} also contains {}; line {} wrote it last.", cell, has, line)
                : message("{} also contains {}.", cell, has);
  return line ? message("{} lacks {} and also contains {}; line {} wrote it last.", cell, lacks, has, line)
              : message("{} lacks {} and also contains {}.", cell, lacks, has);
}
/// Whether the line calls a barrier for its return value.
bool votes(const std::string& line) { return line.find("__syncthreads_") != std::string::npos; }

Proof no(Message why) { return {true, false, "", std::move(why)}; }

}  // namespace

Proof prove(const Trace& trace, const DataflowGraph& flow, const WordTable& words) {
  const bool scan = trace.property == Property::inclusive_scan || trace.property == Property::exclusive_scan;
  if (!scan && trace.property != Property::reduction)
    return {
        false, false, "",
        trace.property == Property::histogram
            ? message(
                  "The keys choose the addresses, so the dataflow cannot prove a histogram; its result is "
                  "compared with a serial run.")
            : message("This run promises neither a scan nor a reduction: there is nothing to prove.")};
  if (!trace.findings.empty()) return no(trace.findings[0].message);
  if (!flow.faults.empty()) return no(message("The replay has a fault: {}.", flow.faults[0].message));
  if (!flow.hazards.empty()) return no(flow.hazards[0].message);
  if (!flow.snapshots_match) return no(message("The replay differs from the real memory."));

  const Reach r = reach(trace, flow);
  for (const Node& n : flow.nodes)
    if (is_decision(n.op) && n.a >= 0 && r.data[n.a]) {
      const Message what = n.op == Op::address  ? message("choose an address")
                           : n.op == Op::branch ? message("choose a branch")
                           : n.op == Op::escape ? message("leave the watched types")
                           : n.op == Op::expect ? message("decide a compare-and-swap")
                                                : message("decide a vote");
      return no(message("The data steer the run: they {} in line {}, {}; another input may run differently.",
                        what, n.line ? n.line : flow.nodes[n.a].line,
                        thread_message(trace.launches[n.launch], n.thread)));
    }

  const ArrayInfo &input = trace.arrays[trace.input], &output = trace.arrays[trace.output];
  const int outputs = scan ? input.size : 1, power = power_of(trace);
  if (output.size < outputs)
    return no(message("{} has {} cells for {} results.", output.name, output.size, outputs));
  bool commutative = false;
  for (int i = 0; i < outputs; ++i) {
    const int end = trace.property == Property::exclusive_scan   ? i
                    : trace.property == Property::inclusive_scan ? i + 1
                                                                 : input.size;
    Word want{true, {}, power};
    if (end > 0)
      want.runs.push_back({0, end - 1});
    else
      want.power = 1;
    const CellRef place{trace.output, i};
    const Word got = final_word(trace, flow, words, place);
    const int last = final_holder(flow, place);
    if (got == want && !(last >= 0 && r.chance[last])) continue;
    std::vector<Runs::InputRange> sorted(got.runs.begin(), got.runs.end());
    std::sort(sorted.begin(), sorted.end());
    Word in_order{got.known, {}, 1};
    for (const auto& run : sorted) in_order = join(in_order, {true, {run}, 1});
    in_order.power = got.power;
    if (in_order == want)
      commutative = true;
    else
      return no(difference(output.name + "[" + to_string(i) + "]", got, want, input.size,
                           last >= 0 ? flow.nodes[size_t(last)].line : 0));
  }
  const ElementType kind = output.kind;
  Message operators =
      commutative ? message("commutative operators only") : message("any associative operator");
  // What a block finds published depends on who was first: one run shows one of the ways.
  if (flow.order_matters && std::any_of(flow.nodes.begin(), flow.nodes.end(), [](const Node& n) {
        return n.op == Op::acquire || n.op == Op::wait;
      }))
    operators = message(
        "{}, in the order of blocks that was seen; assumed, not shown: another order finds the same words in "
        "other cells, every block that has begun goes on, and release and acquire order memory as CUDA "
        "promises",
        operators);
  else if (flow.order_matters)
    operators = message("{}, in the order of blocks that was seen", operators);
  Message s = message(
      "Right for every input of this size: the dataflow does not depend on the data, and every output is "
      "exactly "
      "the word it should be, for {}.",
      operators);
  if (is_float(kind))
    s = followed_by(s, message("Addition of floating-point numbers is associative but for rounding."));
  return {true, true, commutative ? "commutative" : "associative", std::move(s)};
}

namespace {

/// Why a library needs the barrier; empty: it does not.
Message library_need(const Trace& trace, int launch, int line) {
  const LibraryCalls calls(trace, launch);
  if (calls.empty()) return {};
  if (const std::string* const owner = calls.owner_of_barrier(line))
    return message("The barrier in line {} belongs to {}.", line, *owner);
  return why_library_needs_barrier(trace, launch, line);
}

}  // namespace

std::vector<Barrier> barriers(const Trace& trace, const DataflowGraph& flow) {
  // A line of a kernel may be a barrier in several launches: it is needed if one of them needs it.
  struct BarrierLine {
    std::vector<int> launches;
  };
  std::map<std::tuple<int, std::string, int>, BarrierLine>
      lines;  // in the order of first launches, then lines
  std::map<std::pair<int, std::string>, int> first_launch;
  for (const Interval& v : flow.intervals) {
    if (!v.line) continue;
    const Launch& l = trace.launches[v.launch];
    const int first = first_launch.try_emplace({l.source, l.name}, v.launch).first->second;
    auto& launches = lines[{first, l.name, v.line}].launches;
    if (launches.empty() || launches.back() != v.launch) launches.push_back(v.launch);
  }
  std::vector<Barrier> all;
  for (const auto& [key, of] : lines) {
    Barrier b{std::get<0>(key), std::get<2>(key), false, {}};
    for (int launch : of.launches) {
      if (Message why = library_need(trace, launch, b.line); !why.empty()) {
        b.needed = true;
        b.message = std::move(why);
        break;
      }
      const Hazards h = find_hazards(trace, flow, launch, b.line, 1);
      if (h.list.empty() && h.complete) continue;
      b.needed = true;
      b.message =
          message("Without the barrier in line {}: {}", b.line,
                  h.list.empty() ? message("the search for hazards was cut short.") : h.list[0].message);
      break;
    }
    if (!b.needed && votes(source_line(trace, of.launches.front(), b.line))) {
      b.needed = true;
      b.message = message("The barrier in line {} gives a value.", b.line);
    }
    if (!b.needed)
      b.message = message(
          "The barrier in line {} alone could be left out at this size: without it too, no two threads touch "
          "one "
          "cell with nothing to order them, so every order gives this same dataflow.",
          b.line);
    all.push_back(std::move(b));
  }
  return all;
}

}  // namespace bscope
