#include "app/measure/measurer.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "app/measure/measuring.hpp"
#include "app/measure/sweep.hpp"
#include "app/run/run.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/request_choice.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/work.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/timing/baseline.hpp"
#include "engine/timing/meter.hpp"

namespace bscope {

bool measures_here() { return !post_idle; }

void Measurer::start(MeasurePlan plan, std::function<void()> changed) {
  {
    const std::lock_guard lock(mutex_);
    if (progress_.measuring) return;
    if (!measures_here()) {
      progress_.error = message(
          "nothing can be measured in a browser: measure with the program (barrierscope time) and open "
          "its file here");
      ++version_;
      return;
    }
    progress_.measuring = true;
    progress_.done = progress_.all = 0;
    progress_.seconds_left = -1;
    progress_.doing.clear();
    progress_.error = {};
    ++version_;
  }
  worker_.join();  // the last sweep has ended
  stop_ = false;
  changed_ = std::move(changed);
  began_ = std::chrono::steady_clock::now();
  worker_.start([this, plan = std::move(plan)] { sweep(plan); });
}

void Measurer::stop() {
  stop_ = true;
  worker_.join();
}

void Measurer::forget(const std::string& device) {
  const std::lock_guard lock(mutex_);
  std::erase_if(progress_.live, [&](const Recording& r) { return r.device == device; });
  ++version_;
}

Measurer::SweepProgress Measurer::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

void Measurer::tell(const MeasureProgress& p, double share_done) {
  {
    const std::lock_guard lock(mutex_);
    const Recording& so_far = p.so_far;
    progress_.doing = p.doing;
    progress_.done = p.done;
    progress_.all = p.all;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    progress_.seconds_left = share_done > 0 ? seconds * (1 - share_done) / share_done : -1;
    auto device =
        std::ranges::find_if(progress_.live, [&](const Recording& r) { return r.device == so_far.device; });
    if (device == progress_.live.end()) device = progress_.live.insert(device, Recording{});
    std::vector<Record> kept;
    for (Record& old : device->records)
      if (std::ranges::none_of(so_far.records, [&](const Record& r) { return same_point(r, old); }))
        kept.push_back(std::move(old));
    *device = so_far;
    device->records.insert(device->records.end(), std::make_move_iterator(kept.begin()),
                           std::make_move_iterator(kept.end()));
    ++version_;
  }
  if (changed_) changed_();
}

void Measurer::sweep(const MeasurePlan& plan) {
  Message error;
  try {
    const std::function<bool()> stop = [this] { return stop_.load(); };
    // where the baselines are asked, the one that takes most of the request stands for its family
    std::vector<const Algorithm*> family, kernels;
    size_t most = 0;
    for (const Algorithm* a : catalog()) {
      if (a->family() != plan.family) continue;
      if (const size_t taken = fitting(*a, plan.request).set.size(); family.empty() || taken > most)
        family = {a}, most = taken;
      if (a->timed &&
          (plan.kernels.empty() || std::ranges::find(plan.kernels, a->name) != plan.kernels.end()))
        kernels.push_back(a);
    }
    const auto points = [&](const std::vector<const Algorithm*>& of) {
      SweepPlan all;
      for (const long long n : plan.sizes)
        for (const Algorithm* a : of) {
          RunSpec r = fitting(*a, plan.request);
          r.n = n;
          all.points.push_back({a, std::move(r), ""});
        }
      return all;
    };
    const auto sweep = [&](Meter& meter, const SweepPlan& all, bool with_kernels, double from, double to) {
      const Measured m = measure(meter, all, {.kernels = with_kernels, .stop = stop},
                                 [&](const auto& p) { tell(p, from + p.share * (to - from)); });
      error = m.failure.empty() && m.run.records.empty() ? m.refused : m.failure;
    };
    const bool on_gpu = !kernels.empty() && gpu().has_value();
    if (on_gpu) sweep(*gpu_meter(plan.patience, stop), points(kernels), true, 0, 0.7);
    if (!stop_ && error.empty())
      sweep(*cpu_meter(plan.patience, stop), points(family), false, on_gpu ? 0.7 : 0, 1);
  } catch (const std::exception& e) { error = message_of(e); }
  {
    const std::lock_guard lock(mutex_);
    progress_.measuring = false;
    progress_.doing.clear();
    progress_.error = error;
    ++version_;
  }
  if (changed_) changed_();
}

CountedWork count_work(const std::string& kernel, const std::map<std::string, std::string>& parameters) try {
  const Algorithm& a = find(kernel);
  RunSpec r;
  r.kernel = kernel;
  r.pattern = "random";
  for (const auto& [name, value] : parameters) {
    if (name == "block")
      r.block = as_whole(value);
    else if (std::ranges::any_of(a.parameters, [&](const Parameter& p) { return p.name == name; }))
      r.set.emplace_back(name, value);
  }
  if (!r.block) r.block = a.full_block;
  r.n = 1;
  const int tile = a.tile ? a.tile(make_problem(a, r)) : int(*r.block);
  // whole tiles: what is left over at the end of a long input weighs nothing
  const long long whole = std::clamp(tile, 1, 1 << 14);
  r.n = whole * std::max(1LL, 8192 / whole);
  const auto run = open_run(r);
  const Work work = run->report.work();
  double atomics = 0;
  for (const auto& [name, count] : work.by_op)
    if (name.starts_with("atomic_add")) atomics += double(count);
  const auto elements = double(*r.n);
  return {(double(work.adds) + atomics) / elements,
          double(request_sums(*run).sectors()) * sector_bytes / elements, *r.n};
} catch (const std::exception&) { return {}; }

WorkCounter::~WorkCounter() {
  stop_ = true;
  worker_.join();
}

void WorkCounter::want(const std::vector<Key>& keys, std::function<void()> changed) {
  if (working_) return;
  std::vector<Key> missing;
  {
    const std::lock_guard lock(mutex_);
    for (const Key& k : keys)
      if (!known_.contains(k)) missing.push_back(k);
  }
  if (missing.empty()) return;
  const auto count = [this](const Key& k) {
    const CountedWork w = count_work(k.first, k.second);
    const std::lock_guard lock(mutex_);
    known_[k] = w;
    ++version_;
  };
  if (!changed) {
    for (const Key& k : missing) count(k);
    return;
  }
  working_ = true;
  worker_.start([this, missing = std::move(missing), changed = std::move(changed), count] {
    for (const Key& k : missing) {
      if (stop_) break;
      count(k);
    }
    working_ = false;
    changed();
  });
}

std::map<WorkCounter::Key, CountedWork> WorkCounter::known() const {
  const std::lock_guard lock(mutex_);
  return known_;
}

}  // namespace bscope
