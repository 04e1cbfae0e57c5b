#include "engine/analysis/run_queries.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "engine/analysis/array_range_words.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/descendants.hpp"
#include "engine/analysis/exchanges.hpp"
#include "engine/analysis/globals.hpp"
#include "engine/analysis/instructions.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/selection.hpp"
#include "engine/analysis/substeps.hpp"
#include "engine/analysis/why.hpp"

namespace bscope {

struct RunQueries::Cache {
  struct Ancestors {
    int node = -1, least = 0;
    std::vector<int> all;
  };
  using StepCells = std::tuple<int, int, int, int, bool>;     // step, cells of an array, after
  using CellInInterval = std::tuple<int, int, int, CellRef>;  // launch, block, interval

  explicit Cache(const Run& run) : globals(run.trace, run.report.flow) {}

  Globals globals;
  std::map<std::pair<int, int>, std::unique_ptr<BlockSteps>> blocks;
  std::map<std::pair<int, int>, StatePtr> shared;  // after a step (its flow_index), of an array
  std::map<std::pair<int, int>, std::vector<Exchange>> exchanges;
  std::map<int, std::vector<SubStep>> substeps;  // by step's flow_index
  std::unique_ptr<WarpInstruction> instruction;  // the last answer, as of what follows
  std::optional<std::pair<Moment, Selection>> selection;
  Ancestors ancestors, descendants;
  std::map<StepCells, Words> words;
  std::optional<std::map<CellInInterval, int>> lost;
  std::map<std::string, std::shared_ptr<const void>> views;
};

RunQueries::RunQueries(std::shared_ptr<const Run> run)
    : run_(std::move(run)), cache_(std::make_unique<Cache>(*run_)) {}
RunQueries::~RunQueries() = default;
RunQueries::RunQueries(RunQueries&&) noexcept = default;
RunQueries& RunQueries::operator=(RunQueries&&) noexcept = default;

std::shared_ptr<const void>& RunQueries::kept(const std::string& view) const { return cache_->views[view]; }

const BlockSteps& RunQueries::block(int launch, int number) const {
  const auto& launches = trace().launches;
  launch = std::clamp(launch, 0, std::max(0, int(launches.size()) - 1));
  number = launches.empty() ? 0 : std::clamp(number, 0, std::max(0, launches[size_t(launch)].grid - 1));
  auto& place = cache_->blocks[{launch, number}];
  if (!place) place = block_steps(run(), launch, number);
  return *place;
}

const Step* RunQueries::step(const Moment& m) const {
  const BlockSteps& b = block(m);
  if (b.steps.empty()) return nullptr;
  return &b.steps[size_t(std::clamp(m.interval, 0, int(b.steps.size()) - 1))];
}

Track RunQueries::track(const Moment& m) const {
  Track out;
  const BlockSteps& b = block(m);
  const int grid = trace().launches.empty() ? 1 : trace().launches[size_t(b.launch)].grid;
  out.by_block = grid > 1 && b.steps.size() == 1 && b.main >= 0 && b.main < first_shared;
  if (!out.by_block) {
    for (const Step& s : b.steps) out.steps.push_back(&s);
    out.present = std::clamp(m.interval, 0, std::max(0, int(b.steps.size()) - 1));
    return out;
  }
  // as many as can be made between two frames
  constexpr size_t most_nodes = size_t(1) << 16;
  const int most_blocks =
      int(std::clamp<size_t>(most_nodes / (b.steps[0].interval->nodes.size() + 1), 16, 64));
  out.first_block = b.block / most_blocks * most_blocks;
  const int end = std::min(grid, out.first_block + most_blocks);
  std::vector<std::unique_ptr<BlockSteps>*> missing;
  std::vector<int> numbers;
  for (int k = out.first_block; k < end; ++k)
    if (auto& place = cache_->blocks[{b.launch, k}]; !place) missing.push_back(&place), numbers.push_back(k);
  for_each_step(missing.size(), missing.size() * b.steps[0].interval->nodes.size(),
                [&](size_t k) { *missing[k] = block_steps(run(), b.launch, numbers[k]); });
  for (int k = out.first_block; k < end; ++k)
    for (const Step& s : block(b.launch, k).steps) {
      if (k == b.block && &s == &b.steps[0]) out.present = int(out.steps.size());
      out.steps.push_back(&s);
    }
  return out;
}

void RunQueries::prepare(std::span<const Step* const> steps) const {
  size_t nodes = 0;
  for (const Step* s : steps)
    if (!s->prepared()) nodes += s->interval->nodes.size();
  if (!nodes) return;
  for_each_step(steps.size(), nodes, [&](size_t k) { steps[k]->stride(), steps[k]->traffic(); });
}

// ---- states ----------------------------------------------------------------------------------------------

StatePtr RunQueries::after(const Step& step, int array) const {
  return after(step, ArrayRange{array, 0, std::numeric_limits<int>::max()});
}
StatePtr RunQueries::before(const Step& step, int array) const {
  return before(step, ArrayRange{array, 0, std::numeric_limits<int>::max()});
}

StatePtr RunQueries::after(const Step& step, const ArrayRange& part) const {
  if (part.array < first_shared) return cache_->globals.at(part, cache_->globals.after(*step.interval));
  auto& kept = cache_->shared[{step.flow_index, part.array}];
  if (!kept) kept = std::make_shared<ArrayState>(shared_state(trace(), *step.interval, part.array));
  return kept;
}

StatePtr RunQueries::before(const Step& step, const ArrayRange& part) const {
  const Interval& v = *step.interval;
  if (part.array < first_shared) return cache_->globals.at(part, cache_->globals.before(v));
  if (v.index > 0) return after(block(v.launch, v.block).steps[size_t(v.index) - 1], part);
  return std::make_shared<ArrayState>(nothing_written(array(v.launch, part.array)));
}

std::vector<const WarpAccess*> RunQueries::writes_to(const Step& step, int count, int array) const {
  const std::vector<SubStep>& all = substeps(step);
  const auto requests = run().report.requests_of(size_t(step.flow_index));
  std::vector<const WarpAccess*> out;
  for (int k = 0; k < std::min(count, int(all.size())); ++k)
    if (const int r = all[size_t(k)].request; r >= 0)
      if (const WarpAccess& q = requests[size_t(r)]; q.array == array && writes(q.op)) out.push_back(&q);
  return out;
}

// Stores leave their values, atomics what they make of the cell as it is by then: of the orders that the
// barriers allow the sub-steps' own.
StatePtr RunQueries::part_way(const Step& step, int count, const ArrayRange& part) const {
  if (count >= int(substeps(step).size())) return after(step, part);
  const StatePtr begin = before(step, part);
  if (count == 0) return begin;
  auto state = std::make_shared<ArrayState>(*begin);
  for (const WarpAccess* q : writes_to(step, count, part.array))
    for (int id : nodes_of(*q, run(), *step.interval)) {
      const Node& n = flow().nodes[size_t(id)];
      const int at = n.place.index - state->first;
      if (!writes(n.op) || at < 0 || at >= int(state->bits.size())) continue;
      state->bits[size_t(at)] = written_bits(flow(), n, state->bits[size_t(at)]);
      state->known[size_t(at)] = 1;
    }
  make_coarse(*state);
  return state;
}
StatePtr RunQueries::before(const WarpInstruction& i, const ArrayRange& part) const {
  return part_way(*i.step, i.number, part);
}
StatePtr RunQueries::after(const WarpInstruction& i, const ArrayRange& part) const {
  return part_way(*i.step, i.number + 1, part);
}

uint64_t RunQueries::found(const WarpInstruction* i, int node) const {
  const Node& n = flow().nodes[size_t(node)];
  if (!i || !is_atomic(n.op) || !std::binary_search(i->nodes.begin(), i->nodes.end(), node)) return n.bits;
  const StatePtr state = before(*i, ArrayRange{n.place.array, n.place.index, 1});
  uint64_t bits = state->is_known(n.place.index) ? state->bits_of(n.place.index) : n.bits;
  for (int id : i->nodes) {
    if (id == node) break;
    if (const Node& other = flow().nodes[size_t(id)]; writes(other.op) && other.place == n.place)
      bits = written_bits(flow(), other, bits);
  }
  return bits;
}

// ---- words -----------------------------------------------------------------------------------------------

RunQueries::Words RunQueries::global_words(const Step& step, const ArrayRange& part, bool after) const {
  if (cache_->words.size() > 256) cache_->words.clear();
  Words& kept = cache_->words[{step.flow_index, part.array, part.first, part.size, after}];
  if (kept) return kept;
  const int moment = after ? cache_->globals.after(*step.interval) : cache_->globals.before(*step.interval);
  return kept = std::make_shared<ArrayRangeWords>(
             ArrayRangeWords{part.first, cache_->globals.words_at(run().report.words(), part, moment)});
}

RunQueries::Words RunQueries::words_after(const Step& step, const ArrayRange& part) const {
  if (part.array < first_shared) return global_words(step, part, true);
  if (cache_->words.size() > 256) cache_->words.clear();
  Words& kept = cache_->words[{step.flow_index, part.array, 0, 0, true}];
  if (kept) return kept;
  const auto all = content(trace(), flow(), run().report.words(), *step.interval);
  auto made = std::make_shared<ArrayRangeWords>();
  if (size_t(part.array - first_shared) < all.size()) made->words = all[size_t(part.array - first_shared)];
  return kept = std::move(made);
}

RunQueries::Words RunQueries::words_before(const Step& step, const ArrayRange& part) const {
  const Interval& v = *step.interval;
  if (part.array < first_shared) return global_words(step, part, false);
  if (v.index == 0) return std::make_shared<ArrayRangeWords>();
  return words_after(block(v.launch, v.block).steps[size_t(v.index) - 1], part);
}

// ---- sub-steps -------------------------------------------------------------------------------------------

const std::vector<Exchange>& RunQueries::exchanges(int launch, int block) const {
  const auto [at, fresh] = cache_->exchanges.try_emplace({launch, block});
  if (fresh) at->second = bscope::exchanges(trace(), flow(), launch, block);
  return at->second;
}

const std::vector<SubStep>& RunQueries::substeps(const Step& step) const {
  const auto [at, fresh] = cache_->substeps.try_emplace(step.flow_index);
  if (fresh)
    at->second = bscope::substeps(trace(), *step.interval, run().report.requests_of(size_t(step.flow_index)),
                                  exchanges(step.interval->launch, step.interval->block));
  return at->second;
}

const WarpInstruction* RunQueries::instruction(const Moment& m) const {
  const Step* here = step(m);
  if (!here || m.substep < 0) return nullptr;
  const std::vector<SubStep>& all = substeps(*here);
  if (all.empty()) return nullptr;
  const int number = std::min(m.substep, int(all.size()) - 1);
  if (!cache_->instruction || cache_->instruction->step != here || cache_->instruction->number != number)
    cache_->instruction = std::make_unique<WarpInstruction>(
        bscope::instruction(*here, all, number, exchanges(here->interval->launch, here->interval->block)));
  return cache_->instruction.get();
}

// ---- cells and their writers -----------------------------------------------------------------------------

const Selection& RunQueries::selection(const Moment& m) const {
  if (!cache_->selection || cache_->selection->first != m) cache_->selection = {m, select(*this, m)};
  return cache_->selection->second;
}

std::optional<CellRef> RunQueries::selected(const Moment& m) const { return selection(m).cell; }
int RunQueries::followed(const Moment& m) const { return selection(m).thread; }

std::string RunQueries::name(int launch, CellRef p) const {
  // a click earlier in the frame may have led to a launch without this array
  return exists(trace(), trace().launches[size_t(launch)], p) ? cell_name(trace(), launch, p) : "?";
}

int RunQueries::holder(const Step& step, CellRef p) const {
  if (p.shared()) return bscope::holder(trace(), flow(), *step.interval, p);
  return cache_->globals.writer(p, cache_->globals.after(*step.interval));
}

int RunQueries::holder(const WarpInstruction& i, CellRef p) const {
  int out = writers(*i.step, {p.array, p.index, 1}, false)[0];
  for (const WarpAccess* q : writes_to(*i.step, i.number + 1, p.array))
    for (int id : nodes_of(*q, run(), *i.step->interval))
      if (const Node& n = flow().nodes[size_t(id)]; writes(n.op) && n.place == p) out = id;
  return out;
}

std::vector<int> RunQueries::writers(const Step& step, const ArrayRange& part, bool after) const {
  const Interval& v = *step.interval;
  if (part.array < first_shared)
    return cache_->globals.writers(part, after ? cache_->globals.after(v) : cache_->globals.before(v));
  std::vector<int> out(size_t(std::max(0, part.size)), -1);
  if (!after && v.index == 0) return out;
  const Interval& at = after ? v : flow().of_block(v.launch, v.block)[size_t(v.index) - 1];
  const std::vector<int32_t> all = holders(trace(), flow(), at);
  const size_t first = size_t(first_cell(trace().launches[size_t(v.launch)], part.array) + part.first);
  for (size_t k = 0; k < out.size() && first + k < all.size(); ++k) out[k] = all[first + k];
  return out;
}

int RunQueries::lost(const Step& step, CellRef p) const {
  auto& lost = cache_->lost;
  if (!lost) {
    lost.emplace();
    for (const LostUpdate& u : run_->report.lost().updates) {
      if (u.store < 0 || u.where == LostUpdate::between_blocks) continue;
      const Node& store = flow().nodes[size_t(u.store)];
      ++(*lost)[{store.launch, store.thread / trace().launches[size_t(store.launch)].block, store.interval,
                 u.place}];
    }
  }
  const Interval& i = *step.interval;
  const auto it = lost->find({i.launch, i.block, i.index, p});
  return it == lost->end() ? 0 : it->second;
}

const std::vector<int>& RunQueries::ancestors(int node, int least) const {
  if (cache_->ancestors.node != node || cache_->ancestors.least != least)
    cache_->ancestors = {node, least, node < 0 ? std::vector<int>{} : ancestry(flow(), node, least)};
  return cache_->ancestors.all;
}

const std::vector<int>& RunQueries::descendants(int node) const {
  if (cache_->descendants.node != node)
    cache_->descendants = {node, 0, node < 0 ? std::vector<int>{} : bscope::descendants(flow(), node)};
  return cache_->descendants.all;
}

}  // namespace bscope
