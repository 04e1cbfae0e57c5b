#include "engine/analysis/hazard_atomics.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace bscope {
namespace {

/// The node that made a value, conversions left out.
int32_t unconverted(const DataflowGraph& flow, int32_t id) {
  while (id >= 0 && flow.nodes[size_t(id)].op == Op::convert) id = flow.nodes[size_t(id)].a;
  return id;
}

bool compares(Op op) {
  return op == Op::less || op == Op::more || op == Op::less_equal || op == Op::more_equal ||
         op == Op::equal || op == Op::differ;
}

/// Adds the loads of the lines and cells of these guesses whose value goes into branches alone.
void add_declined(const DataflowGraph& flow, int launch, std::vector<int32_t>& guesses) {
  std::set<std::tuple<int, int, int>> places;  // line, array, index
  const auto place = [](const Node& n) { return std::tuple(int(n.line), int(n.place.array), n.place.index); };
  for (const int32_t id : guesses) places.insert(place(flow.nodes[size_t(id)]));
  if (places.empty()) return;
  const auto begin = flow.nodes.begin();
  auto n = std::partition_point(begin, flow.nodes.end(), [&](const Node& x) { return x.launch < launch; });
  // by load, and by what is made of one: what uses it
  struct Uses {
    bool branches = false, others = false;
  };
  std::map<int32_t, Uses> uses;
  for (; n != flow.nodes.end() && n->launch == launch; ++n) {
    const auto id = int32_t(n - begin);
    for (const int32_t from : {reads(n->op) ? -1 : n->a, is_load(n->op) ? -1 : n->b, n->address}) {
      const auto used = from < 0 ? uses.end() : uses.find(from);
      if (used == uses.end()) continue;
      if (n->op == Op::branch)
        used->second.branches = true;
      else if (n->op == Op::convert || compares(n->op))
        uses.try_emplace(id);
      else
        used->second.others = true;
    }
    if (is_load(n->op) && places.contains(place(*n))) uses.try_emplace(id);
  }
  // what uses a comparison uses its operands
  for (auto it = uses.rbegin(); it != uses.rend(); ++it)
    if (const Node& made = flow.nodes[size_t(it->first)]; !is_load(made.op))
      for (const int32_t from : {made.a, made.b})
        if (const auto operand = uses.find(from); operand != uses.end()) {
          operand->second.branches |= it->second.branches;
          operand->second.others |= it->second.others;
        }
  for (const auto& [id, by] : uses)
    // a guess itself is used by its compare-and-swap, too
    if (is_load(flow.nodes[size_t(id)].op) && by.branches && !by.others) guesses.push_back(id);
}

}  // namespace

std::vector<int32_t> guesses(const Trace& trace, const DataflowGraph& flow, int launch) {
  struct Expected {
    int32_t source = -1;
    uint64_t bits = 0;
  };
  std::vector<int32_t> all;
  std::vector<Expected> expected;  // by each thread's next compare-and-swap
  const Launch& l = trace.launches[size_t(launch)];
  const auto begin = flow.nodes.begin();
  auto n = std::partition_point(begin, flow.nodes.end(), [&](const Node& x) { return x.launch < launch; });
  for (; n != flow.nodes.end() && n->launch == launch; ++n) {
    if (n->op == Op::expect) {
      expected.resize(size_t(l.grid) * size_t(l.block));
      expected[size_t(n->thread)] = {unconverted(flow, n->a), n->bits};
    } else if (instruction_of(n->op) == Op::atomic_cas && !expected.empty()) {
      const auto [id, bits] = std::exchange(expected[size_t(n->thread)], {});
      if (id < 0) continue;
      const Node& source = flow.nodes[size_t(id)];
      if (is_load(source.op) && source.thread == n->thread && source.place == n->place && source.bits == bits)
        all.push_back(id);
    }
  }
  add_declined(flow, launch, all);
  std::sort(all.begin(), all.end());
  return all;
}

Behind AtomicChain::touch(int id, const Node& n) {
  if (!is_atomic(n.op)) {
    if (writes(n.op)) first_ = last_ = -1;
    return {};
  }
  const bool continues = last_ >= 0 && n.a == last_;
  if (!writes(n.op)) return continues ? Behind{first_, n.a} : Behind{};
  if (!continues) first_ = id;
  last_ = id;
  return {first_, n.a};
}

}  // namespace bscope
