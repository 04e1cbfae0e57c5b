#include "app/cli/measuring.hpp"

#include <fmt/core.h>

#include <chrono>
#include <map>
#include <new>
#include <set>
#include <utility>
#include <vector>

#include "engine/analysis/report.hpp"

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

std::string setting(const Problem& p, const std::string& name) {
  const auto it = p.set.find(name);
  return it == p.set.end() ? "" : it->second;
}

/// The job that a point gives to others than its kernel, but for its length; empty where nobody else does it.
std::string job(const SweepPoint& point, const Problem& p) {
  const Algorithm& a = *point.kernel;
  const std::string family = a.family(), of = setting(p, "of");
  if ((family != "reduce" && family != "scan" && family != "histogram") || (!of.empty() && of != "sum"))
    return "";
  std::string text = family;
  for (const auto& [name, value] : input_parameters(point.request, p)) text += "|" + name + "=" + value;
  for (const char* name : {"type", "operator", "bins"}) text += "|" + setting(p, name);
  return text + "|" + std::to_string(int(a.promise(p)));
}

std::string curve(const SweepPoint& point, const Problem& p) {
  std::string text = point.kernel->name + "|" + std::to_string(p.block);
  for (const auto& [name, value] : p.set) text += "|" + name + "=" + value;
  for (const auto& [name, value] : input_parameters(point.request, p)) text += "|" + name + "=" + value;
  return text;
}

std::vector<Step> steps_of(const SweepPlan& plan, bool kernels) {
  std::vector<Step> steps;
  std::set<std::pair<std::string, long long>> known;
  for (const SweepPoint& point : plan.points) {
    const Problem p = timed_problem(*point.kernel, point.request);
    const std::string others = job(point, p);
    // the references first: ratios are of neighbours in time
    if (!others.empty() && known.insert({others, p.n()}).second)
      steps.push_back({&point, true, p.n(), others});
    if (kernels) steps.push_back({&point, false, p.n(), curve(point, p)});
  }
  return steps;
}

/// Seconds that a step takes, in some unit: its samples, and the longer the input the longer its check.
double weight(long long n) { return 1 + double(n) / (1 << 26); }

}  // namespace

Measured measure(Meter& meter, const SweepPlan& plan, const MeasureOptions& options,
                 const TellProgress& tell) {
  Measured m;
  m.run = meter.begin();
  m.run.notes.insert(m.run.notes.end(), plan.notes.begin(), plan.notes.end());
  const std::vector<Step> steps = steps_of(plan, options.kernels);
  double all = 0, done = 0;
  for (const Step& s : steps) all += weight(s.n);

  std::set<std::string> ended;                                   // curves that go no further
  std::map<std::string, std::pair<long long, double>> slowness;  // curve -> length and seconds of a run
  const auto began = Clock::now();
  std::string doing;
  size_t finished = 0;
  try {
    for (; finished < steps.size() && !m.stopped; ++finished) {
      const Step& s = steps[finished];
      const Algorithm& a = *s.point->kernel;
      const std::string at = ", N = " + power_text(s.n),
                        varying = s.point->varying.empty() ? "" : ", " + s.point->varying;
      doing = (!s.references     ? a.name
               : options.kernels ? fmt::format("references of {}", a.family())
                                 : a.family()) +
              at + varying;
      const double share = done / all;
      done += weight(s.n);
      if (options.stop && options.stop()) {
        m.stopped = true;
        break;
      }
      if (ended.contains(s.curve)) continue;
      if (const auto it = slowness.find(s.curve); it != slowness.end()) {
        const auto [n, seconds] = it->second;
        if (const double expected = seconds * double(s.n) / double(n); expected > options.most_seconds) {
          m.run.notes.push_back(
              fmt::format("{} would take about {:.2g} s a run: left out from there on", doing, expected));
          ended.insert(s.curve);
          continue;
        }
      }
      if (tell) {
        const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
        tell({m.run, doing, int(finished), int(steps.size()), share,
              share > 0 ? seconds * (1 - share) / share : -1});
      }
      const Problem p = timed_problem(a, s.point->request);
      const auto leave_out = [&](const std::string& why, bool for_good) {
        m.run.notes.push_back(fmt::format("{} is left out: {}", doing, why));
        if (m.refused.empty()) m.refused = why;
        if (for_good) ended.insert(s.curve);
      };
      const auto keep = [&](Record r) {
        if (r.samples.empty()) return;
        if (r.seconds.median == 0) complete(r, m.run);
        if (!s.references) {
          r.parameters.insert(p.set.begin(), p.set.end());
          r.parameters.emplace("block", std::to_string(p.block));
          slowness[s.curve] = {s.n, r.seconds.median};
        } else if (const std::string op = setting(p, "operator"); !op.empty() && op != "add") {
          r.parameters.emplace("operator", op);
        }
        for (const auto& [name, value] : input_parameters(s.point->request, p))
          r.parameters.insert_or_assign(name, value);
        m.run.records.push_back(std::move(r));
      };
      try {
        if (s.references)
          for (Record& r : meter.references(a, p)) keep(std::move(r));
        else
          keep(meter.kernel(a, p));
      } catch (const TooLarge& e) { leave_out(e.what(), true); } catch (const std::bad_alloc&) {
        leave_out("this machine's memory does not hold it", true);
      } catch (const UsageError& e) { leave_out(e.what(), false); }
      m.stopped = options.stop && options.stop();
    }
    meter.end(m.run);
  } catch (const std::exception& e) {
    m.failure = e.what();
    m.run.notes.push_back(fmt::format("ended early at {}: {}", doing, m.failure));
  }
  if (tell) tell({m.run, "", int(finished), int(steps.size()), done / all, 0});
  return m;
}

bool wrong_by_design(const Algorithm& a) {
  if (!a.mend.empty()) return true;
  Request r;
  r.kernel = a.name;
  return analyse(run(a, make_problem(a, r), Device::cpu)).flow.hazards_found > 0;
}

}  // namespace bscope
