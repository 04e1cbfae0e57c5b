#include "engine/analysis/hazard_atomics.hpp"

#include <algorithm>
#include <utility>

namespace bscope {
namespace {

/// The node that made a value, conversions left out.
int32_t unconverted(const DataflowGraph& flow, int32_t id) {
  while (id >= 0 && flow.nodes[size_t(id)].op == Op::convert) id = flow.nodes[size_t(id)].a;
  return id;
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
