#include "app/tabs/watch/array/use.hpp"

#include "app/tabs/watch/array/captions.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/instructions.hpp"

namespace bscope {

ArrayUse use_of(const StepView& v, const ArrayRange& p) {
  ArrayUse out;
  out.read.resize(size_t(p.size));
  out.written.resize(size_t(p.size));
  for (const int id : v.sub ? v.sub->nodes : v.step.interval->nodes) {
    const Node& n = v.node(id);
    const int cell = n.place.index - p.first;
    if (n.place.array != p.array || cell < 0 || cell >= p.size) continue;
    if (reads(n.op) && !out.read[size_t(cell)]) out.read[size_t(cell)] = 1, ++out.reads;
    if (writes(n.op) && !out.written[size_t(cell)]) out.written[size_t(cell)] = 1, ++out.writes;
  }
  return out;
}

std::string words_of(const ArrayUse& use) {
  std::vector<std::string> does;
  if (use.reads) does.push_back(tr_count(use.reads, "{} cell read", "{} cells read"));
  if (use.writes) does.push_back(tr_count(use.writes, "{} cell written", "{} cells written"));
  return joined(does, tr(", "));
}

std::vector<ArrayRange> touched_parts(const StepView& v) {
  std::vector<ArrayRange> out;
  for (const auto& [id, part] : v.block.parts) {
    if (part.size <= 0) continue;
    const ArrayInfo& info = v.array(id);
    if (info.rows == 1) out.push_back(part);
    for (int k = 0; info.rows > 1 && k < info.rows; ++k)
      out.push_back({id, info.row_size() * k, info.row_size()});
  }
  return out;
}

}  // namespace bscope
