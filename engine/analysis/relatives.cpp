#include "engine/analysis/relatives.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "engine/analysis/array_state.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/analysis/selection.hpp"
#include "engine/trace/cell_ref.hpp"

namespace bscope {
namespace {

bool among(const std::vector<int>* nodes, int node) {
  return nodes && std::binary_search(nodes->begin(), nodes->end(), node);
}

/// The first node that is looked at: of the steps that are shown side by side.
int first_node(const RunQueries& model, const Moment& c) {
  // other launches' too, unless that would be a long way back in every step
  if (model.trace().launches.size() > 1 && model.flow().nodes.size() < 300'000) return 0;
  int first = std::numeric_limits<int>::max();
  for (const Step* s : model.track(c).steps)
    if (!s->interval->nodes.empty()) first = std::min(first, s->interval->nodes.front());
  return first;
}

/// What the loads among a value's ancestors saw: kept from picture to picture.
struct SeenLoads {
  const std::vector<int>* of = nullptr;
  int node = -1;
  size_t nodes = 0;
  std::vector<int> stores;       // earlier than the first node that is looked at, too
  std::vector<CellRef> initial;  // cells without a write so far
};
const SeenLoads& seen_by(const RunQueries& model, const std::vector<int>& up) {
  std::shared_ptr<const void>& kept = model.kept("seen");
  const int node = up.empty() ? -1 : up.back();
  const auto old = std::static_pointer_cast<const SeenLoads>(kept);
  if (old && old->of == &up && old->node == node && old->nodes == up.size()) return *old;
  const auto made = std::make_shared<SeenLoads>();
  made->of = &up;
  made->node = node;
  made->nodes = up.size();
  const auto& nodes = model.flow().nodes;
  for (const int id : up) {
    const Node& n = nodes[size_t(id)];
    if (!reads(n.op)) continue;
    if (n.a >= 0)
      made->stores.push_back(n.a);
    else
      made->initial.push_back(n.place);
  }
  std::sort(made->stores.begin(), made->stores.end());
  std::sort(made->initial.begin(), made->initial.end());
  kept = made;
  return *made;
}

}  // namespace

bool Related::went_in(int node) const { return among(up, node); }
bool Related::flows_into(int node) const { return among(down, node); }

Related related(const RunQueries& model, const Moment& c, bool ancestors, bool descendants) {
  Related out;
  const Step* step = model.step(c);
  const Selection& selection = model.selection(c);
  if (!step || !selection.cell) return out;
  // of a cell that is only read, what was written there
  const auto& nodes = model.flow().nodes;
  const int own = selection.node,
            node = own < 0 || writes(nodes[size_t(own)].op) ? own : nodes[size_t(own)].a;
  if (ancestors) out.up = &model.ancestors(node, first_node(model, c));
  if (descendants) out.down = &model.descendants(node);
  return out;
}

std::vector<bool> holds_relative(const RunQueries& model, const Step& step, const ArrayRange& part,
                                 bool after, const Related& of) {
  std::vector<bool> out(size_t(std::max(0, part.size)));
  const std::vector<int> writers = model.writers(step, part, after);
  const SeenLoads* seen = of.up ? &seen_by(model, *of.up) : nullptr;
  for (size_t k = 0; k < out.size(); ++k) {
    const int writer = writers[k];
    if (writer >= 0)
      out[k] = of.went_in(writer) || of.flows_into(writer) ||
               (seen && std::binary_search(seen->stores.begin(), seen->stores.end(), writer));
    else
      out[k] = seen && std::binary_search(seen->initial.begin(), seen->initial.end(),
                                          CellRef{part.array, part.first + int(k)});
  }
  return out;
}

}  // namespace bscope
