#include "engine/analysis/request_choice.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "engine/analysis/engine_copies.hpp"
#include "engine/analysis/run.hpp"

namespace bscope {

RequestSums request_sums(const Run& run) {
  RequestSums sums{total(run.report.requests())};
  for (const EngineCopy& c : engine_copies(run.trace, run.report.flow)) {
    sums.engine += c.sectors;
    sums.engine_ideal += c.ideal_sectors;
  }
  return sums;
}

int number_of(const WarpAccess& q) { return q.lanes.front().node; }

std::vector<const WarpAccess*> requests_at(const Run& run, const Moment& c, MemorySpace space) {
  std::vector<const WarpAccess*> all;
  if (steps(run) == 0) return all;
  for (const WarpAccess& q : run.report.requests_of(size_t(step_of(run, c))))
    if (q.shared() == (space == MemorySpace::shared)) all.push_back(&q);
  return all;
}

const WarpAccess* request_at(const Run& run, const Moment& c, MemorySpace space, int number) {
  const WarpAccess* worst = nullptr;
  for (const WarpAccess* q : requests_at(run, c, space)) {
    if (number_of(*q) == number) return q;
    if (!worst || answers(*q) - fewest(*q) > answers(*worst) - fewest(*worst)) worst = q;
  }
  return worst;
}

const WarpAccess* same_request(const Run& of, const Moment& there, const WarpAccess& q, const Run& in,
                               const Moment& here) {
  const MemorySpace space = q.shared() ? MemorySpace::shared : MemorySpace::global;
  const auto alike = [&](const WarpAccess& a) {
    return a.op == q.op && a.warp == q.warp && array_name(in, a) == array_name(of, q);
  };
  // its number among those that are like it
  int number = 0;
  for (const WarpAccess* a : requests_at(of, there, space)) {
    if (number_of(*a) == number_of(q)) break;
    number += a->op == q.op && a->warp == q.warp && a->array == q.array;
  }
  const WarpAccess* last = nullptr;
  for (const WarpAccess* a : requests_at(in, here, space))
    if (alike(*a)) {
      last = a;
      if (number-- == 0) break;
    }
  return last;
}

std::string array_name(const Run& run, const WarpAccess& q) {
  return run.trace.array(run.trace.launches[size_t(q.launch)], q.array).name;
}

std::vector<const WarpAccess*> costliest_first(std::vector<const WarpAccess*> all) {
  std::ranges::stable_sort(all, std::greater{}, [](const WarpAccess* q) { return answers(*q) - fewest(*q); });
  return all;
}

const WarpAccess* worst_request(const Run& run, MemorySpace space) {
  const WarpAccess* worst = nullptr;
  int most = 0;
  for (const WarpAccess& q : run.report.requests())
    if (q.shared() == (space == MemorySpace::shared) && answers(q) - fewest(q) > most) {
      worst = &q;
      most = answers(q) - fewest(q);
    }
  return worst;
}

Moment moment_of(const WarpAccess& q) {
  Moment at;
  at.launch = q.launch;
  at.block = q.block;
  at.interval = q.interval;
  return at;
}

std::vector<int> numbers_at(const Run& run, const Moment& c, MemorySpace space, bool by_cost) {
  std::vector<int> all;
  std::vector<const WarpAccess*> requests = requests_at(run, c, space);
  if (by_cost) requests = costliest_first(std::move(requests));
  for (const WarpAccess* q : requests) all.push_back(number_of(*q));
  if (space == MemorySpace::global && steps(run))
    for (const EngineCopy& e : engine_copies(run, interval_at(run, c))) all.push_back(e.node);
  return all;
}

}  // namespace bscope
