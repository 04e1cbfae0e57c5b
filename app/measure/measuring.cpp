#include "app/measure/measuring.hpp"

#include <fmt/core.h>

#include <chrono>
#include <map>
#include <new>
#include <set>
#include <utility>
#include <vector>

#include "app/measure/sweep.hpp"
#include "engine/analysis/report.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/timing/meter.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

using Clock = std::chrono::steady_clock;

/// A kernel at a point, or what its references do with the same job.
struct Step {
  const SweepPoint* point;
  bool references;
  long long n;
  std::string curve;  ///< all that it is given but the length: what is too large or too slow ends it
};

/// The job that a point gives to others than its kernel, but for its length; empty where no other does it.
std::string job(const SweepPoint& point, const Problem& p) {
  const Algorithm& a = *point.kernel;
  if (!family_of(a.name).timed() || p.text("of", "sum") != "sum") return "";
  std::string text = a.family();
  for (const auto& [name, value] : input_parameters(point.request, p)) text += "|" + name + "=" + value;
  for (const char* name : {"type", "operator", "bins"}) text += "|" + p.text(name, "");
  return text + "|" + std::to_string(int(a.property(p)));
}

std::vector<Step> steps_of(const SweepPlan& plan, const MeasureOptions& options) {
  std::vector<Step> steps;
  std::set<std::pair<std::string, long long>> known;
  for (const SweepPoint& point : plan.points) {
    const Problem p = timed_problem(*point.kernel, point.request);
    const std::string others = job(point, p);
    // the references first: ratios are of neighbours in time
    if (!options.in_turn && !others.empty() && known.insert({others, p.n()}).second)
      steps.push_back({&point, true, p.n(), others});
    if (options.kernels)
      steps.push_back({&point, false, p.n(), setting_text(*point.kernel, point.request, p)});
  }
  return steps;
}

/// Seconds that a step takes, in some unit: its samples, and the longer the input the longer its check.
double weight(const Step& s) { return 1 + double(s.n) / (1 << 26); }

/// One run of a sweep: what is measured so far, and what is not to be tried again.
class Measuring {
 public:
  Measuring(Meter& meter, const SweepPlan& plan, const MeasureOptions& options, const TellProgress& tell)
      : meter_(meter), options_(options), tell_(tell), steps_(steps_of(plan, options)) {
    for (const Step& s : steps_) all_ += weight(s);
    m_.run = meter.begin();
    m_.run.notes.insert(m_.run.notes.end(), plan.notes.begin(), plan.notes.end());
  }

  Measured run() {
    std::string doing;
    try {
      for (; done_ < steps_.size() && !stopped(); weight_done_ += weight(steps_[done_++])) {
        const Step& s = steps_[done_];
        doing = what(s);
        if (!ended_.contains(s.curve) && !too_slow(s, doing)) step(s, doing);
      }
      if (done_ < steps_.size()) m_.run.notes.emplace_back(message("stopped at {}", what(steps_[done_])));
      meter_.end(m_.run);
    } catch (const std::exception& e) {
      m_.failure = message_of(e);
      m_.run.notes.emplace_back(message("ended early at {}: {}", doing, m_.failure));
    }
    tell("");
    return std::move(m_);
  }

 private:
  bool stopped() { return m_.stopped = m_.stopped || (options_.stop && options_.stop()); }

  std::string what(const Step& s) const {
    const Algorithm& a = *s.point->kernel;
    return (!s.references      ? a.name
            : options_.kernels ? fmt::format("references of {}", a.family())
                               : a.family()) +
           ", N = " + power_text(s.n) + (s.point->varying.empty() ? "" : ", " + s.point->varying);
  }

  void tell(const std::string& doing) const {
    if (!tell_) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    const double share = all_ > 0 ? weight_done_ / all_ : 1;
    tell_({m_.run, doing, int(done_), int(steps_.size()), share,
           share > 0 ? seconds * (1 - share) / share : -1});
  }

  /// Judged by the shorter input before it.
  bool too_slow(const Step& s, const std::string& doing) {
    const auto before = seconds_of_.find(s.curve);
    if (before == seconds_of_.end()) return false;
    const auto [n, seconds] = before->second;
    const double expected = seconds * double(s.n) / double(n);
    if (expected <= options_.most_seconds) return false;
    m_.run.notes.emplace_back(message("{} would take about {} s a run: left out from there on", doing,
                                      fmt::format("{:.2g}", expected)));
    ended_.insert(s.curve);
    return true;
  }

  void step(const Step& s, const std::string& doing) {
    tell(doing);
    const auto leave_out = [&](const Message& why) {
      m_.run.notes.emplace_back(message("{} is left out: {}", doing, why));
      if (m_.refused.empty()) m_.refused = why;
      ended_.insert(s.curve);
    };
    try {
      const Algorithm& a = *s.point->kernel;
      const Problem p = timed_problem(a, s.point->request);
      if (!s.references && !options_.in_turn) return keep(s, p, meter_.kernel(a, p));
      for (Record& r : s.references ? meter_.references(a, p) : meter_.in_turn(a, p))
        keep(s, p, std::move(r));
    } catch (const std::bad_alloc&) {
      leave_out(message("this machine's memory does not hold it"));
    } catch (const UsageError& e) { leave_out(e.message()); }
  }

  void keep(const Step& s, const Problem& p, Record r) {
    if (r.samples.empty()) return;  // it was stopped
    if (r.seconds.median == 0) complete(r, m_.run);
    if (r.kernel != s.point->kernel->name) {  // what the others receive of it
      for (const char* told : {"type", "bins"})
        if (const std::string value = p.text(told, ""); !value.empty()) r.parameters.emplace(told, value);
      if (const std::string op = p.text("operator", "add"); op != "add") r.parameters.emplace("operator", op);
      if (const Property property = s.point->kernel->property(p);
          family_of(r.family()).job == Family::Job::scan)
        r.parameters.emplace("scan", property == Property::exclusive_scan ? "exclusive" : "inclusive");
    } else {
      r.parameters.insert(p.set.begin(), p.set.end());
      const bool by_length = s.point->kernel->timed_block && !s.point->request.block;
      r.parameters.emplace("block", by_length ? "auto" : std::to_string(p.block));
      seconds_of_[s.curve] = {s.n, r.seconds.median};
    }
    for (const auto& [name, value] : input_parameters(s.point->request, p))
      r.parameters.insert_or_assign(name, value);
    m_.run.records.push_back(std::move(r));
  }

  Meter& meter_;
  const MeasureOptions& options_;
  const TellProgress& tell_;
  const std::vector<Step> steps_;
  const Clock::time_point began_ = Clock::now();
  Measured m_;
  size_t done_ = 0;
  double weight_done_ = 0, all_ = 0;
  std::set<std::string> ended_;                                     ///< curves that go no further
  std::map<std::string, std::pair<long long, double>> seconds_of_;  ///< curve -> length, seconds of a run
};

}  // namespace

Measured measure(Meter& meter, const SweepPlan& plan, const MeasureOptions& options,
                 const TellProgress& tell) {
  return Measuring(meter, plan, options, tell).run();
}

bool wrong_by_design(const Algorithm& a) {
  if (!a.fix.empty()) return true;
  RunSpec r;
  r.kernel = a.name;
  return analyse(run(a, make_problem(a, r), Device::cpu)).flow.hazards_found > 0;
}

}  // namespace bscope
