// Which curves the Time tab asks for, what they are called, and what else its recordings hold.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/measure/measurement_store.hpp"
#include "app/run/run.hpp"
#include "app/run/titles.hpp"
#include "app/tabs/time/sheet.hpp"
#include "app/words/counting.hpp"
#include "app/words/measures.hpp"
#include "engine/timing/kinds.hpp"

namespace bscope {
namespace {

std::string kernel_label(const Curve& c) {
  const std::string& kernel = c.first().kernel;
  if (kernel.starts_with("cub/")) return "CUB";
  if (kernel.starts_with("thrust/")) return "Thrust";
  if (kernel.starts_with("serial/")) return tr("CPU, one core");
  if (kernel.starts_with("tbb/")) return tr("CPU, all cores (TBB)");
  if (kernel.starts_with("copy/")) return c.cpu ? tr("CPU, copy") : tr("copy");
  if (kernel.starts_with("read/")) return tr("pure read");
  return tr(title_of(kernel));
}

/// "histogram/serial is left out from ...", and the reductions are on screen.
bool names_another_family(const std::string& note, const std::string& family) {
  const auto has = [&](const std::string& f) { return note.find(f + "/") != std::string::npos; };
  return !has(family) &&
         std::ranges::any_of(families(), [&](const Family& f) { return f.timed() && has(f.name); });
}

}  // namespace

std::string label_of(const Curve& c) {
  std::string all = kernel_label(c);
  for (const std::string& name : c.apart) {
    if (name == "type")
      all += " " + c.told_by().type;
    else if (name == "n")
      all = tr("{}, {}", all, n_text(c.told_by().n));
    else if (name == "exchange")
      all = tr("{}, {}", all, c.told_by().parameters.at(name) == "nccl" ? tr("over NCCL") : tr("GPU to GPU"));
    else
      all += " " + tr(name) + " " + tr(c.told_by().parameters.at(name));
  }
  if (c.by_device) all = tr("{}, {}", all, short_device(c.run->device));
  if (c.by_date) all += " " + (c.recorded ? day_of(*c.run) : tr("now"));
  return all;
}

std::vector<std::string> series_of(const std::string& family) {
  std::vector<std::string> all;
  for (const Algorithm* a : catalog())
    if (a->family() == family) all.push_back(a->name);
  return all;
}

bool is_open(const TimeState& look, const Recording& run, bool recorded) {
  const bool toggled = std::ranges::count(look.closed, recorded ? key_of(run) : run.device) > 0;
  return toggled == (recorded && run.aside);
}

std::string own_block(const std::string& kernel) {
  const Algorithm* a = algorithm_of(kernel);
  if (!a) return {};
  return a->timed_block ? "auto" : std::to_string(a->full_block);
}

CurvesAsked curves_asked(const TimeInput& in) {
  CurvesAsked asked{.kernel = in.kernel,
                    .type = in.look.type,
                    .chosen = in.look.set,
                    .log_n = in.look.log_n,
                    .hidden = in.look.hidden};
  asked.series = series_of(asked.family());
  if (in.look.block)
    asked.chosen["block"] = std::to_string(in.look.block);
  else
    asked.parameters.emplace_back("block", own_block(in.kernel));
  asked.chosen["skew"] = skew_text(in.look.skew / 100.0);
  for (const Parameter& p : in.parameters) asked.parameters.emplace_back(p.name, p.initial.text);
  const auto add = [&](const std::vector<Recording>& runs, bool recorded) {
    for (const Recording& run : runs)
      if (is_open(in.look, run, recorded))
        asked.runs.push_back({&run, recorded, recorded ? key_of(run) : run.device});
  };
  add(in.live, false);
  add(in.recorded, true);
  return asked;
}

std::vector<std::string> time_axes(const CurvesAsked& asked) {
  std::vector<std::string> all = swept_axes(asked);
  all.insert(all.begin(), "n");
  return all;
}

std::vector<std::string> slider_values(const Parameter& p) {
  if (p.name == "type" || p.name == "operator" || p.name == "scan") return {};
  std::vector<std::string> all;
  for (const Choice& c : p.values) all.push_back(c.text);
  if (!p.values.empty()) return all.size() > 1 ? all : std::vector<std::string>{};
  // any number: powers of two, and what it is by itself
  std::vector<long long> numbers{std::atoll(p.initial.text.c_str())};
  for (long long v = 1; v <= 4096; v *= 2)
    if (v >= p.least && v <= p.most && v != numbers[0]) numbers.push_back(v);
  std::ranges::sort(numbers);
  for (long long v : numbers) all.push_back(std::to_string(v));
  return all;
}

TimeInput warmed(TimeInput in) {
  for (auto* runs : {&in.live, &in.recorded})
    for (Recording& run : *runs) run = with_warm_times(std::move(run));
  in.is_warm = true;
  return in;
}

bool has_warm(const TimeInput& in) {
  const auto warm = [family = family_of(in.kernel).name](const Recording& run) {
    return has_warm_times(run, family);
  };
  return std::ranges::any_of(in.live, warm) || std::ranges::any_of(in.recorded, warm);
}

std::vector<TimeFacet> time_facets(const CurvesAsked& asked) {
  const auto any = [&, family = asked.family()](auto&& has) {
    return std::ranges::any_of(asked.runs, [&](const ShownRecording& shown) {
      return std::ranges::any_of(shown.run->records,
                                 [&](const Record& r) { return has(r) && r.family() == family; });
    });
  };
  std::vector<TimeFacet> all{TimeFacet::speedup, TimeFacet::noise, TimeFacet::roofline};
  if (any([](const Record& r) { return r.cycles_per_block > 0; })) all.push_back(TimeFacet::cycles);
  if (any([](const Record& r) { return r.gpus > 1; })) all.push_back(TimeFacet::gpus);
  if (!time_notes(asked).empty()) all.push_back(TimeFacet::notes);
  return all;
}

std::vector<std::string> time_notes(const CurvesAsked& asked) {
  std::vector<std::string> all;
  const std::string family = asked.family();
  for (const ShownRecording& shown : asked.runs) {
    for (const EnglishMessage& note : shown.run->notes)
      if (!names_another_family(note.english(), family)) all.push_back(tr(note));
    std::map<std::string, std::string> slowed;  // lengths, by kernel
    for (const Record& r : shown.run->records)
      if (r.throttled && r.family() == family) {
        std::string& at = slowed[r.kernel];
        at += (at.empty() ? "" : tr(", ")) + n_text(r.n);
      }
    for (const auto& [kernel, at] : slowed)
      all.push_back(tr("The clock fell while {} was measured at N = {}.", kernel, at));
  }
  return all;
}

}  // namespace bscope
