#include "engine/analysis/replay_trails.hpp"

#include <algorithm>
#include <tuple>

#include "engine/analysis/arithmetic.hpp"

namespace bscope::replay {

void Trail::lay_out(uint64_t start) {
  laid_out = true;
  std::vector<AtomicStep> changing;
  std::vector<size_t> number;
  for (size_t k = 0; k < steps.size(); ++k)
    if (steps[k].from != steps[k].to) {
      changing.push_back(steps[k]);
      number.push_back(k);
    }
  const std::vector<int> order = euler_trail(start, changing);
  given_up = order.size() < changing.size();
  place.resize(steps.size());
  for (size_t k = 0; k < order.size(); ++k) place[number[size_t(order[k])]] = int(k);
}

void Trail::pass(uint64_t from, uint64_t to) {
  RemainingSteps& here = left[from];
  --(from == to ? here.idle : here.leaving);
  if (from != to) ++next;
}

std::vector<Trails::LoggedAtomic> Trails::atomics() const {
  std::vector<LoggedAtomic> all;
  for (int t = 0; t < int(s_.threads.size()); ++t) {
    const ReplayThread& of = s_.threads[size_t(t)];
    int interval = 0;
    for (uint32_t k = 0; k < of.size; ++k) {
      const Event& e = of.log[k];
      if (is_barrier(e.op)) ++interval;
      if (!is_atomic(e.op)) continue;
      const bool shared = e.array >= first_shared;
      all.push_back(
          {uint64_t(e.array) << 32 | e.a, shared ? s_.block_of(t) : -1, shared ? interval : -1, t, k});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const LoggedAtomic& x, const LoggedAtomic& y) {
    return std::tie(x.cell, x.block, x.interval) < std::tie(y.cell, y.block, y.interval);
  });
  return all;
}

Trail Trails::trail_of(const LoggedAtomic* first, const LoggedAtomic* end) const {
  Trail trail;
  const ElementType kind = s_.trace.array(*s_.launch, int(first->cell >> 32)).kind;
  for (const LoggedAtomic* a = first; a != end; ++a) {
    const ReplayThread& of = s_.threads[size_t(a->thread)];
    const Event& e = of.log[a->pos];
    const uint64_t old = of.bits(a->pos) & mask_of(kind);
    const uint64_t operand = e.b && e.b <= a->pos ? of.bits(e.b - 1) : 0;
    const AtomicStep step{old, after_atomic(e.op, kind, old, operand) & mask_of(kind)};
    trail.who.emplace_back(a->thread, a->pos);
    trail.steps.push_back(step);
    ++(step.from == step.to ? trail.left[old].idle : trail.left[old].leaving);
  }
  return trail;
}

void Trails::begin_launch() {
  trail_of_.clear();
  trails_.clear();
  const std::vector<LoggedAtomic> all = atomics();
  const auto same_cell = [](const LoggedAtomic& x, const LoggedAtomic& y) {
    return std::tie(x.cell, x.block, x.interval) == std::tie(y.cell, y.block, y.interval);
  };
  for (size_t first = 0, end; first < all.size(); first = end) {
    for (end = first + 1; end < all.size() && same_cell(all[first], all[end]);) ++end;
    Trail trail = trail_of(all.data() + first, all.data() + end);
    if (told_by_values(trail.steps)) continue;
    for (size_t k = 0; k < trail.who.size(); ++k)
      trail_of_[key(trail.who[k].first, trail.who[k].second)] = {int(trails_.size()), int(k)};
    trails_.push_back(std::move(trail));
  }
}

bool Trails::its_turn(int t, uint64_t now, uint64_t from, uint64_t to, Trail*& trail) {
  if (trails_.empty()) return true;
  const auto it = trail_of_.find(key(t, s_.threads[size_t(t)].pos));
  if (it == trail_of_.end()) return true;
  trail = &trails_[size_t(it->second.first)];
  if (!trail->laid_out) trail->lay_out(now);
  if (s_.lenience >= Lenience::unordered) trail->given_up = true;
  if (trail->given_up || from == to) return true;
  const Trail::RemainingSteps& left = trail->left[from];
  return trail->place[size_t(it->second.second)] == trail->next && (left.leaving > 1 || left.idle == 0);
}

}  // namespace bscope::replay
