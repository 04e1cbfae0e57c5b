#include "app/cli/time_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "app/cli/lines.hpp"
#include "app/measure/sweep.hpp"
#include "engine/timing/recording.hpp"
#include "engine/timing/statistics.hpp"

namespace bscope {
namespace {

/// What says which job a record did, beside its length, with what is meant where it is not said.
const std::vector<std::pair<std::string, std::string>>& job_names() {
  static const std::vector<std::pair<std::string, std::string>> names{
      {"pattern", ""},     {"skew", ""},  {"entropy", ""}, {"seed", "1"},
      {"operator", "add"}, {"of", "sum"}, {"bins", "256"}, {"scan", ""}};
  return names;
}
std::string value(const Record& r, const std::string& name, const std::string& otherwise = "") {
  const auto it = r.parameters.find(name);
  return it == r.parameters.end() ? otherwise : it->second;
}
bool same_job(const Record& a, const Record& b) {
  return a.n == b.n && a.type == b.type && a.gpus == b.gpus && a.family() == b.family() &&
         std::ranges::all_of(job_names(), [&](const auto& known) {
           const auto& [name, otherwise] = known;
           const std::string x = value(a, name, otherwise), y = value(b, name, otherwise);
           // a kernel that scans in one way only does not say which
           return x == y || (name == "scan" && (x.empty() || y.empty()));
         });
}
const Record* partner(const Recording& run, const Record& of, const std::string& who) {
  const auto it = std::ranges::find_if(
      run.records, [&](const Record& r) { return r.kernel == who + "/" + of.family() && same_job(r, of); });
  return it == run.records.end() ? nullptr : &*it;
}
bool is_kernel(const Record& r) { return r.kernel.substr(0, r.kernel.find('/')) == r.family(); }

std::vector<std::string> families_of(const Recording& run) {
  std::vector<std::string> all;
  for (const Record& r : run.records)
    if (std::ranges::find(all, r.family()) == all.end()) all.push_back(r.family());
  return all;
}

/// Parameters that differ among these records; the type counts as one.
std::set<std::string> differing(const std::vector<const Record*>& records) {
  std::map<std::string, std::set<std::string>> values;
  for (const Record* r : records) {
    for (const auto& [name, v] : r->parameters)
      if (name != "type") values[name].insert(v);
    values["type"].insert(r->type);
    if (is_kernel(*r) || r->gpus > 1) values["gpus"].insert(std::to_string(r->gpus));
    // not said is a value, too: uniform keys beside skewed ones
    for (const auto& [name, otherwise] : job_names())
      if (name != "scan") values[name].insert(value(*r, name, otherwise));
  }
  std::set<std::string> names;
  for (const auto& [name, all] : values)
    if (all.size() > 1) names.insert(name);
  return names;
}
std::string parameters_text(const Record& r, const std::set<std::string>& names) {
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  for (const std::string& name : names)
    if (name == "type")
      add(r.type);
    else if (name == "gpus" && r.gpus > 1)
      add(fmt::format("{} GPUs", r.gpus));
    else if (const std::string v = value(r, name); !v.empty())
      add(name + " " + v);
  return text;
}

}  // namespace

std::string time_text(double s) {
  return s >= 1e-1   ? fmt::format("{:.3f} s", s)
         : s >= 1e-4 ? fmt::format("{:.3f} ms", s * 1e3)
         : s > 0     ? fmt::format("{:.2f} us", s * 1e6)
                     : "";
}
std::string four_digits(double v) {
  return fmt::format("{:.{}f}", v, v >= 1000 ? 0 : v >= 100 ? 1 : v >= 10 ? 2 : 3);
}
std::string share_text(double share) { return share > 0 ? fmt::format("{:.1f}%", share * 100) : ""; }

std::string ratio_text(const Ratio& r) {
  if (!(r.value > 0)) return "-";
  const int digits = r.value < 0.1 ? 4 : r.value < 10 ? 3 : r.value < 100 ? 2 : 1;
  const std::string value = fmt::format("{:.{}f}", r.value, digits);
  // less than the last digit is rounded up to it, not down to nothing
  return r.spread > 0
             ? fmt::format("{} \u00b1 {:.{}f}", value, std::max(r.spread, std::pow(10, -digits)), digits)
             : value;
}

std::string heading(const Recording& r) {
  std::string text = fmt::format("{}, {}, {}: copy {:.4g} GB/s", r.device, r.driver, r.date, r.copy_gb_per_s);
  if (r.read_gb_per_s > 0) text += fmt::format(", pure read {:.4g} GB/s", r.read_gb_per_s);
  if (r.peak_gb_per_s > 0) text += fmt::format(", peak {:.4g} GB/s", r.peak_gb_per_s);
  if (r.clock_mhz > 0) text += fmt::format(", clock {:.0f} MHz", r.clock_mhz);
  return text + "\n";
}

std::string time_table(const Recording& run) {
  const std::vector<Column> columns{
      {"kernel", true}, {"N"},    {"parameters", true}, {"median"}, {"GB/s"},        {"of copy"}, {"of CUB"},
      {"of one core"},  {"warm"}, {"cycles/block"},     {"noise"},  {"result", true}};
  std::vector<std::vector<std::string>> rows;
  for (const std::string& family : families_of(run)) {
    std::vector<const Record*> records;
    for (const Record& r : run.records)
      if (r.family() == family) records.push_back(&r);
    const auto names = differing(records);
    if (!rows.empty()) rows.emplace_back();
    std::ranges::stable_sort(records, [](const Record* a, const Record* b) { return a->n < b->n; });
    for (const Record* r : records) {
      const auto ratio_to = [&](bool asked, const char* who) {
        const Record* other = asked ? partner(run, *r, who) : nullptr;
        return other ? ratio_text(times_as_fast(*r, *other)) : "";
      };
      rows.push_back({r->kernel, power_text(r->n), parameters_text(*r, names), time_text(r->seconds.median),
                      four_digits(r->gb_per_s), share_text(r->of_copy), ratio_to(is_kernel(*r), "cub"),
                      ratio_to(r->kernel.starts_with("tbb/"), "serial"), time_text(r->warm.median),
                      r->cycles_per_block > 0 ? fmt::format("{:.0f}", r->cycles_per_block) : "",
                      fmt::format("{:.2f}%", r->seconds.noise * 100),
                      std::string(r->correct ? "right" : "WRONG") + (r->throttled ? ", throttled" : "")});
    }
  }
  return aligned(columns, rows);
}

std::string verdicts(const Recording& run) {
  std::string text;
  for (const std::string& family : families_of(run)) {
    long long largest = 0;
    for (const Record& r : run.records)
      if (r.family() == family && (is_kernel(r) || r.kernel == "serial/" + family))
        largest = std::max(largest, r.n);
    // the fastest of each job
    std::vector<const Record*> best;
    for (const Record& r : run.records) {
      if (r.family() != family || r.n != largest || !is_kernel(r) || !r.correct) continue;
      const auto it = std::ranges::find_if(best, [&](const Record* b) { return same_job(*b, r); });
      if (it == best.end())
        best.push_back(&r);
      else if (r.gb_per_s > (*it)->gb_per_s)
        *it = &r;
    }
    std::vector<const Record*> parallel;  // CPU baselines
    for (const Record& r : run.records)
      if (r.kernel == "tbb/" + family && r.n == largest && r.correct) parallel.push_back(&r);
    const auto names = differing(best.empty() ? parallel : best);
    const auto line = [&](const Record& r,
                          std::initializer_list<std::pair<const char*, const char*>> others) {
      std::string ratios;
      for (const auto& [who, what] : others)
        if (const Record* other = partner(run, r, who); other && other->correct)
          ratios += (ratios.empty() ? ": " : ", ") + ratio_text(times_as_fast(r, *other)) + " x " + what;
      std::string input;
      for (const auto& [name, otherwise] : job_names())
        if (const std::string v = value(r, name); !v.empty() && names.contains(name))
          input += ", " + name + " " + v;
      if (names.contains("type")) input += ", " + r.type;
      if (r.gpus > 1) input += fmt::format(", {} GPUs", r.gpus);
      if (!ratios.empty())
        text += fmt::format("{} at N = {}{}{}\n", r.kernel, power_text(r.n), input, ratios);
    };
    for (const Record* r : best)
      line(*r, {{"cub", "CUB"}, {"thrust", "Thrust"}, {"copy", "a copy"}, {"read", "a pure read"}});
    for (const Record* r : parallel) line(*r, {{"serial", "one core"}});
  }
  return text;
}

}  // namespace bscope
