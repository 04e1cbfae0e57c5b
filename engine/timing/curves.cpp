#include "engine/timing/curves.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <ranges>
#include <set>
#include <string_view>
#include <tuple>

#include "engine/simt/family.hpp"
#include "engine/timing/kinds.hpp"

namespace bscope {
namespace {

bool is_open(const CurvesAsked& asked, const Curve& c) { return c.first().kernel == asked.kernel; }

/// The records of the family that took time.
template <class Visit>
void each_record(const ShownRecording& shown, const std::string& family, Visit&& visit) {
  for (const Record& r : shown.run->records)
    if (r.gb_per_s > 0 && r.n > 0 && r.family() == family) visit(shown, r);
}
template <class Visit>
void each_record(const CurvesAsked& asked, Visit&& visit) {
  const std::string family = asked.family();
  for (const ShownRecording& shown : asked.runs) each_record(shown, family, visit);
}

/// In how many values a record was measured otherwise than is chosen.
int differences(const Record& r, const CurvesAsked& asked) {
  int n = r.type != asked.type && r.type != "uint8";
  for (const auto& [name, value] : r.parameters) {
    if (name == "skew") continue;
    if (const auto it = asked.chosen.find(name); it != asked.chosen.end()) {
      n += it->second != value;
    } else if ((r.kernel == asked.kernel || is_reference(r)) && name != "type") {
      const auto own = std::ranges::find(asked.parameters, name, [](const auto& p) { return p.first; });
      n += own != asked.parameters.end() && own->second != value;
    } else if (name == "operator") {
      n += value != "add";
    }
  }
  const auto skew_of = [](const std::map<std::string, std::string>& all) {
    const auto it = all.find("skew");
    return it == all.end() ? "0" : it->second;
  };
  return n + (skew_of(r.parameters) != skew_of(asked.chosen));
}

/// A curve that begins with this record.
Curve begun(const ShownRecording& shown, const Record& r, const CurvesAsked& asked) {
  const auto variant = std::ranges::find(asked.series, r.kernel);
  Curve c{.key = shown.key + "/" + r.kernel + " " + r.type,
          .points = {&r},
          .run = shown.run,
          .recorded = shown.recorded,
          .reference = is_reference(r),
          .limit = is_limit(r),
          .variant = variant == asked.series.end() ? -1 : int(variant - asked.series.begin())};
  c.cpu = is_baseline(r) || (c.limit && is_of_cpu(*shown.run));
  return c;
}

/// Says what tells the curves of one kernel apart: everything that they do not share.
void tell_apart(std::vector<Curve>& all, const std::string& but = {}) {
  for (Curve& c : all) {
    const Record& r = c.first();
    const auto differs = [&](auto&& same) {
      return std::ranges::any_of(
          all, [&](const Curve& o) { return o.first().kernel == r.kernel && !same(o.first()); });
    };
    if (differs([&](const Record& o) { return o.type == r.type; })) c.apart.emplace_back("type");
    if (c.limit) continue;
    for (const auto& [name, value] : r.parameters)
      if (name != "type" && name != but && differs([&](const Record& o) {
            const auto it = o.parameters.find(name);
            return it != o.parameters.end() && it->second == value;
          }))
        c.apart.push_back(name);
  }
}

/// Whether nothing but the recording differs between the two.
bool alike(const Curve& a, const Curve& b) {
  const Record &l = a.told_by(), &r = b.told_by();
  return l.kernel == r.kernel && a.cpu == b.cpu && a.apart == b.apart &&
         std::ranges::all_of(a.apart, [&](const std::string& name) {
           if (name == "type") return l.type == r.type;
           if (name == "n") return l.n == r.n;
           return l.parameters.at(name) == r.parameters.at(name);
         });
}

void tell_devices_apart(std::vector<Curve>& all) {
  for (Curve& c : all) {
    c.by_device = std::ranges::any_of(all, [&](const Curve& o) { return &o != &c && alike(o, c); });
    c.by_date = c.by_device && std::ranges::any_of(all, [&](const Curve& o) {
                  return o.run != c.run && o.run->device == c.run->device;
                });
  }
}

/// Of the open kernel's variants, those that differ least from what is chosen are current; of these the ones
/// that were measured at most lengths.
void choose(std::vector<Curve>& all, const CurvesAsked& asked) {
  const auto rank = [&](const Curve& c) {
    return std::tuple(differences(c.first(), asked), -long(c.points.size()));
  };
  std::optional<std::tuple<int, long>> best;
  for (const Curve& c : all)
    if (is_open(asked, c) && (!best || rank(c) < *best)) best = rank(c);
  for (Curve& c : all) {
    if (!is_open(asked, c)) continue;
    c.current = rank(c) == *best;
    c.sibling = !c.current;
  }
}

/// What a record computes, but for its length: another type, operator or kind of scan is another job.
constexpr std::string_view job_names[] = {"type", "operator", "scan"};
std::string job_value(const Record& r, std::string_view name) {
  if (name == "type") return r.type;
  const auto it = r.parameters.find(std::string(name));
  return it == r.parameters.end() ? std::string() : it->second;
}
bool same_job(const Record& a, const Record& b) {
  return std::ranges::all_of(job_names, [&](auto name) { return job_value(a, name) == job_value(b, name); });
}

/// Parameters that say what the keys of a histogram are.
constexpr std::string_view key_names[] = {"pattern", "skew", "entropy", "seed"};

/// Of the open kernel's variants, those that do the job that is chosen; of each kernel those on the same
/// keys, where it was measured on them.
void keep_the_job(std::vector<Curve>& all) {
  const auto found = std::ranges::find(all, true, &Curve::current);
  if (found == all.end()) return;
  const Record& current = found->first();
  std::erase_if(all, [&](const Curve& c) { return c.sibling && !same_job(c.first(), current); });
  const auto same_keys = [&current](const Curve& c) {
    return std::ranges::all_of(
        key_names, [&](auto name) { return job_value(c.first(), name) == job_value(current, name); });
  };
  std::set<std::string> on_them;
  for (const Curve& c : all)
    if (same_keys(c)) on_them.insert(c.first().kernel);
  std::erase_if(all, [&](const Curve& c) { return on_them.contains(c.first().kernel) && !same_keys(c); });
}

/// A curve says where its job is another than the open kernel's, and only there; the kind of scan only where
/// its kernel was measured with both.
void tell_jobs(std::vector<Curve>& all) {
  const auto found = std::ranges::find(all, true, &Curve::current);
  if (found == all.end()) return;
  const Record& current = found->first();
  for (Curve& c : all)
    for (const std::string_view name : job_names | std::views::reverse) {  // each goes in front
      const std::string value = job_value(c.first(), name), mine = job_value(current, name);
      const bool both = std::erase(c.apart, name) || name != "scan";
      if (both && !c.cpu && value != "uint8" && !value.empty() && !mine.empty() && value != mine)
        c.apart.emplace(c.apart.begin(), name);
    }
}

/// Of the kernels that are not open, the variants that are nearest to what is chosen; of those the one with
/// most points, then the fastest.
void keep_one_of_others(std::vector<Curve>& all, const CurvesAsked& asked) {
  const auto rank = [&](const Curve& c) {
    const Record& last = *c.points.back();
    return std::tuple(-differences(last, asked), c.points.size(), last.gb_per_s);
  };
  std::map<std::string, const Curve*> best;
  for (const Curve& c : all)
    if (auto& b = best[c.first().kernel]; !b || rank(c) > rank(*b)) b = &c;
  std::vector<Curve> kept;
  for (const Curve& c : all)
    if (is_open(asked, c) || best[c.first().kernel] == &c) kept.push_back(c);
  all = std::move(kept);
}

/// The curves over N of one recording.
std::vector<Curve> curves_of(const ShownRecording& shown, const CurvesAsked& asked) {
  std::vector<Curve> all;
  // same kernel, other parameters (unroll, type) make a curve of their own; a limit is one whatever reached
  // it
  static const std::map<std::string, std::string> none;
  const auto job = [](const Record& r) {
    return std::tie(r.kernel, is_limit(r) ? none : r.parameters, r.type);
  };
  std::map<decltype(job(shown.run->records[0])), size_t> known;
  std::map<std::string, size_t> longest;
  each_record(shown, asked.family(), [&](const ShownRecording&, const Record& r) {
    if (is_of_several(r)) return;
    const auto [it, fresh] = known.insert({job(r), all.size()});
    if (fresh) {
      Curve& c = all.emplace_back(begun(shown, r, asked));
      for (const auto& [name, value] : r.parameters) c.key += " " + name + "=" + value;
      c.hidden = std::ranges::count(asked.hidden, c.key) > 0;
    } else if (!all[it->second].at(r.n)) {  // measured twice in one run: the first
      all[it->second].points.push_back(&r);
    }
    size_t& most = longest[r.kernel];
    most = std::max(most, all[it->second].points.size());
  });
  std::erase_if(all, [&](const Curve& c) { return longest[c.first().kernel] >= 3 && c.points.size() < 3; });
  for (Curve& c : all) std::ranges::stable_sort(c.points, {}, &Record::n);
  choose(all, asked);
  if (shown.recorded) keep_the_job(all);
  tell_apart(all);
  if (shown.recorded) {
    keep_one_of_others(all, asked);
    tell_jobs(all);
  }
  return all;
}

/// A record's value on an axis; empty if it has none.
std::string value_on(const std::string& axis, const Record& r) {
  if (axis == "keys") return keys_of(r);
  const auto it = r.parameters.find(axis);
  return it == r.parameters.end() ? std::string() : it->second;
}

/// An order of an axis' values: numbers by size, before words.
auto order_on(const std::string& axis) {
  return [keys = axis == "keys"](const std::string& value) {
    if (keys) return std::tuple(false, unevenness(value), value);
    char* end = nullptr;
    const double v = std::strtod(value.c_str(), &end);
    const bool number = end != value.c_str() && !*end;
    return std::tuple(!number, number ? v : 0, value);
  };
}

/// Whether a sweep over the axis varies this parameter.
bool swept(const std::string& axis, const std::string& name) {
  if (axis != "keys") return name == axis;
  return std::ranges::count(key_names, name) > 0;
}
/// Whether every kernel of the family has it.
bool of_all(const std::string& axis) { return axis == "block" || axis == "keys"; }

/// Everything that may be swept over this axis: records of one kernel, length and type that differ in it
/// alone.
std::vector<Curve> sweeps_over(const CurvesAsked& asked, const std::string& axis) {
  // what the sweep leaves as it is
  const auto rest = [&](const Record* r) {
    return r->parameters | std::views::filter([&](const auto& p) { return !swept(axis, p.first); });
  };
  struct SweepGroup {
    const ShownRecording* shown;
    const Record* record;
  };
  const auto order = [&](const SweepGroup& a, const SweepGroup& b) {
    const auto job = [](const SweepGroup& g) {
      return std::tie(g.shown, g.record->kernel, g.record->n, g.record->type);
    };
    if (job(a) != job(b)) return job(a) < job(b);
    auto left = rest(a.record), right = rest(b.record);
    return std::ranges::lexicographical_compare(left, right);
  };
  std::map<SweepGroup, Curve, decltype(order)> groups(order);
  each_record(asked, [&](const ShownRecording& shown, const Record& r) {
    if (is_limit(r) || is_of_several(r) || (!of_all(axis) && r.kernel != asked.kernel)) return;
    if (axis != "keys" && (keys_of(r) != "uniform" || is_reference(r))) return;
    const std::string value = value_on(axis, r);
    if (value.empty()) return;
    Curve& c = groups[{&shown, &r}];
    if (c.points.empty()) {
      c = begun(shown, r, asked);
      for (const auto& [name, v] : rest(&r)) c.key += " " + name + "=" + v;
    } else if (std::ranges::none_of(c.points, [&](const Record* p) { return value_on(axis, *p) == value; })) {
      c.points.push_back(&r);
    }
  });
  std::vector<Curve> all;
  for (auto& [group, c] : groups)
    if (c.points.size() > 1) all.push_back(std::move(c));
  return all;
}

}  // namespace

std::string CurvesAsked::family() const { return family_of(kernel).name; }

const Record* Curve::at(long long n) const {
  const auto it = std::ranges::find(points, n, &Record::n);
  return it == points.end() ? nullptr : *it;
}

std::vector<Curve> curves_over_n(const CurvesAsked& asked) {
  std::vector<Curve> all;
  for (const ShownRecording& shown : asked.runs)
    for (Curve& c : curves_of(shown, asked)) all.push_back(std::move(c));
  tell_devices_apart(all);
  return all;
}

std::vector<std::string> swept_axes(const CurvesAsked& asked) {
  std::vector<std::string> all, names{"block"};
  for (const auto& [name, value] : asked.parameters)
    if (name != "type" && name != "operator" && name != "scan" && name != "bins" && name != "block")
      names.push_back(name);
  if (family_of(asked.kernel).takes_keys) names.emplace_back("keys");
  for (const std::string& name : names)
    if (!sweeps_over(asked, name).empty()) all.push_back(name);
  return all;
}

double Sweep::place(const Record& r) const {
  const auto it = std::ranges::find(ticks, value_on(axis, r));
  return it == ticks.end() ? -1 : double(it - ticks.begin());
}

Sweep sweep_over(const CurvesAsked& asked, const std::string& axis) {
  Sweep sweep{axis, 0, {}, sweeps_over(asked, axis), {}};
  auto& lines = sweep.lines;
  // the length where most values were measured; of several such the nearest
  std::map<long long, size_t> values;
  for (const Curve& c : lines) {
    size_t& most = values[c.first().n];
    most = std::max(most, c.points.size());
  }
  const auto distance = [&](long long n) { return std::abs(std::log2(double(n)) - asked.log_n); };
  size_t most = 0;
  for (const auto& [n, count] : values)
    if (count > most || (count == most && distance(n) < distance(sweep.n))) most = count, sweep.n = n;
  std::erase_if(lines, [&](const Curve& c) { return c.first().n != sweep.n; });
  const auto order = order_on(axis);
  for (Curve& c : lines) {
    std::ranges::stable_sort(c.points, {}, [&](const Record* r) { return order(value_on(axis, *r)); });
    for (const Record* r : c.points)
      if (sweep.place(*r) < 0) sweep.ticks.push_back(value_on(axis, *r));
  }
  std::ranges::stable_sort(sweep.ticks, {}, order);
  // one line a kernel; of the open one up to eight, where other axes have several
  const auto rank = [&](const Curve& c) {
    double best = 0;
    for (const Record* r : c.points) best = std::max(best, r->gb_per_s);
    return std::tuple(c.first().type == asked.type || c.first().type == "uint8", c.points.size(), best);
  };
  std::ranges::stable_sort(lines, std::greater{}, rank);
  std::map<std::pair<std::string, const Recording*>, int> seen;
  std::erase_if(lines, [&](const Curve& c) {
    return ++seen[{c.first().kernel, c.run}] > (of_all(axis) ? 1 : 8);
  });
  std::ranges::stable_sort(lines, {}, &Curve::variant);
  tell_apart(lines, axis);
  if (of_all(axis))
    for (Curve& c : lines) c.current = is_open(asked, c);
  else
    choose(lines, asked);
  // beside them, what does not depend on the axis
  each_record(asked, [&](const ShownRecording& shown, const Record& r) {
    const auto line = std::ranges::find(lines, shown.run, &Curve::run);
    const bool level = is_limit(r) || (axis != "keys" && r.kernel.starts_with("cub/"));
    if (line == lines.end() || !level || r.n != sweep.n || !is_usual(r) || r.type != line->first().type)
      return;
    if (std::ranges::none_of(
            sweep.levels, [&](const Curve& l) { return l.run == shown.run && l.first().kernel == r.kernel; }))
      sweep.levels.push_back(begun(shown, r, asked));
  });
  tell_devices_apart(lines);
  tell_devices_apart(sweep.levels);
  return sweep;
}

std::vector<Curve> curves_over_gpus(const CurvesAsked& asked) {
  std::vector<Curve> all;
  const auto exchange = [](const Record& r) {
    const auto found = r.parameters.find("exchange");
    return r.gpus == 1 || found == r.parameters.end() ? std::string() : found->second;
  };
  const auto same_job = [](const Curve& c, const ShownRecording& shown, const Record& r) {
    const Record& first = c.first();
    return c.run == shown.run && first.kernel == r.kernel && first.n == r.n && first.type == r.type;
  };
  each_record(asked, [&](const ShownRecording& shown, const Record& r) {
    if (!is_of_several(r) || r.gpus == 1) return;
    const auto found = std::ranges::find_if(
        all, [&](const Curve& c) { return same_job(c, shown, r) && exchange(c.first()) == exchange(r); });
    if (found != all.end())
      found->points.push_back(&r);
    else
      all.push_back(begun(shown, r, asked));
  });
  // every exchange begins at one GPU alone
  each_record(asked, [&](const ShownRecording& shown, const Record& r) {
    if (!is_of_several(r) || r.gpus > 1) return;
    for (Curve& c : all)
      if (same_job(c, shown, r)) c.points.push_back(&r);
  });
  std::erase_if(all, [](const Curve& c) { return c.points.size() < 2; });
  for (Curve& c : all) std::ranges::stable_sort(c.points, {}, &Record::gpus);
  const bool one_length =
      std::ranges::all_of(all, [&](const Curve& c) { return c.first().n == all[0].first().n; });
  for (Curve& c : all) {
    c.current = is_open(asked, c);
    if (std::ranges::any_of(all, [&](const Curve& o) {
          return o.run == c.run && exchange(o.told_by()) != exchange(c.told_by());
        }))
      c.apart.emplace_back("exchange");
    if (!one_length) c.apart.emplace_back("n");
  }
  tell_devices_apart(all);
  return all;
}

Recording with_warm_times(Recording run) {
  if (is_of_cpu(run)) return run;
  std::erase_if(run.records, [](const Record& r) { return !is_warm(r) && !is_of_several(r); });
  for (Record& r : run.records) {
    if (!is_warm(r)) continue;
    r.samples = r.warm_samples;
    r.seconds = r.warm;
    const double before = std::exchange(r.gb_per_s, gb_per_s(r, r.seconds.median));
    if (before > 0) r.of_copy *= r.gb_per_s / before, r.of_peak *= r.gb_per_s / before;
  }
  return run;
}

bool has_warm_times(const Recording& run, const std::string& family) {
  return std::ranges::any_of(run.records,
                             [&](const Record& r) { return is_warm(r) && r.family() == family; });
}

std::pair<double, double> usual_rates(const Record& r) {
  if (r.samples.size() < 5) return {gb_per_s(r, r.seconds.most), gb_per_s(r, r.seconds.least)};
  std::vector<double> sorted = r.samples;
  std::ranges::sort(sorted);
  const size_t cut = sorted.size() / 20;
  return {gb_per_s(r, sorted[sorted.size() - 1 - cut]), gb_per_s(r, sorted[cut])};
}

std::vector<double> deviations(const Record& r) {
  std::vector<double> all = r.samples;
  if (all.empty()) all = {r.seconds.least, r.seconds.most};
  for (double& d : all) d = d / r.seconds.median - 1;
  return all;
}

}  // namespace bscope
