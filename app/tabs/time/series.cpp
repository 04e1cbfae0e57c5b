// Which curves the Time tab shows, and what each of them is.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "app/run/titles.hpp"
#include "app/tabs/time/sheet.hpp"
#include "app/tabs/time/time_state.hpp"
#include "app/words/counting.hpp"
#include "engine/timing/kinds.hpp"

namespace bscope {
namespace {

bool starts(const Record& r, const char* prefix) { return r.kernel.starts_with(prefix); }

std::string base_label(const Record& r, bool cpu) {
  if (starts(r, "cub/")) return "CUB";
  if (starts(r, "thrust/")) return "Thrust";
  if (starts(r, "serial/")) return say("CPU, one core");
  if (starts(r, "tbb/")) return say("CPU, all cores (TBB)");
  if (starts(r, "copy/")) return std::string(cpu ? say("CPU, copy") : say("copy"));
  if (starts(r, "read/")) return say("pure read");
  return said(title_of(r.kernel));
}

std::string parameters_text(const Record& r) {
  std::string s;
  for (const auto& [name, value] : r.parameters) s += " " + name + "=" + value;
  return s;
}

/// In how many of the sliders' values a record was measured otherwise.
int differences(const Record& r, const TimeInput& in) {
  const TimeState& look = in.look;
  int n = r.type != look.type && r.type != "uint8";
  for (const auto& [name, value] : r.parameters) {
    if (name == "block") n += value != std::to_string(look.block);
    const auto declared = std::find_if(in.parameters.begin(), in.parameters.end(),
                                       [&](const Parameter& p) { return p.name == name && name != "type"; });
    if (const auto it = look.set.find(name); it != look.set.end())
      n += it->second != value;
    else if (declared != in.parameters.end() && r.kernel == in.kernel)
      n += declared->initial.text != value;
  }
  const auto skew = r.parameters.find("skew");
  return n + ((skew == r.parameters.end() ? "0" : skew->second) != skew_text(look.skew / 100.0));
}

}  // namespace

std::vector<std::string> rungs_of(const std::string& family) {
  std::vector<std::string> all;
  for (const Algorithm* a : catalog())
    if (a->family() == family) all.push_back(a->name);
  return all;
}

int rung_of(const std::string& kernel, const std::string& open) {
  const auto in_ladder = [&](const Algorithm* a) {
    return a->name.starts_with(std::string_view(open).substr(0, open.find('/') + 1));
  };
  int rung = 0;
  for (const Algorithm* a : catalog()) {
    if (a->name == kernel) return in_ladder(a) ? rung : -1;
    rung += in_ladder(a);
  }
  return -1;
}

bool is_open(const TimeState& look, const Recording& run, bool recorded) {
  const bool toggled = std::ranges::count(look.closed, recorded ? key_of(run) : run.device) > 0;
  return toggled == (recorded && run.aside);
}

const Record* TimeSeries::at(long long n) const {
  for (const Record* r : points)
    if (r->n == n) return r;
  return nullptr;
}

std::vector<std::string> slider_values(const Parameter& p) {
  if (p.name == "type" || p.name == "operator" || p.name == "scan") return {};
  std::vector<std::string> all;
  for (const Choice& c : p.values) all.push_back(c.text);
  if (!p.values.empty()) return all.size() > 1 ? all : std::vector<std::string>{};
  // any number: powers of two, and what it is by itself
  std::vector<long long> numbers;
  for (long long v = 1; v <= 4096; v *= 2)
    if (v >= p.least && v <= p.most) numbers.push_back(v);
  numbers.push_back(std::atoll(p.initial.text.c_str()));
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (long long v : numbers) all.push_back(std::to_string(v));
  return all;
}

namespace {

/// A curve that begins with this record; its label says the kernel alone.
TimeSeries begun(const Recording& run, const Record& r, const TimeInput& in, bool recorded) {
  TimeSeries s;
  s.run = &run;
  s.recorded = recorded;
  s.reference = is_reference(r);
  s.limit = is_limit(r);
  s.cpu = starts(r, "serial/") || starts(r, "tbb/") || (s.limit && is_of_cpu(run));
  s.label = base_label(r, s.cpu);
  s.rung = rung_of(r.kernel, in.kernel);
  s.points.push_back(&r);
  return s;
}

/// Adds what tells the curves of one kernel apart: everything that they do not share.
void tell_apart(std::vector<TimeSeries>& all, const std::string& but = {}) {
  std::vector<std::string> words(all.size());
  for (size_t k = 0; k < all.size(); ++k) {
    const Record& r = *all[k].points[0];
    const auto differs = [&](auto&& same) {
      return std::any_of(all.begin(), all.end(), [&](const TimeSeries& o) {
        return o.points[0]->kernel == r.kernel && !same(*o.points[0]);
      });
    };
    if (differs([&](const Record& o) { return o.type == r.type; })) words[k] += " " + r.type;
    if (is_limit(r)) continue;
    for (const auto& [name, value] : r.parameters)
      if (name != "type" && name != but && differs([&](const Record& o) {
            const auto it = o.parameters.find(name);
            return it != o.parameters.end() && it->second == value;
          }))
        words[k] += " " + said(name) + " " + said(value);
  }
  for (size_t k = 0; k < all.size(); ++k) all[k].label += words[k];
}

/// Of the kernels that are not open, the variants that are nearest to the sliders; of those the one with most
/// points, then the fastest.
void keep_one_of_others(std::vector<TimeSeries>& all, const TimeInput& in) {
  const auto rank = [&](const TimeSeries& s) {
    const Record& last = *s.points.back();
    return std::tuple(-differences(last, in), s.points.size(), last.gb_per_s);
  };
  std::map<std::string, const TimeSeries*> best;
  for (const TimeSeries& s : all)
    if (auto& b = best[s.points[0]->kernel]; !b || rank(s) > rank(*b)) b = &s;
  std::vector<TimeSeries> kept;
  for (const TimeSeries& s : all)
    if (const std::string& kernel = s.points[0]->kernel; kernel == in.kernel || best[kernel] == &s)
      kept.push_back(s);
  all = std::move(kept);
}

/// The curves over N of one recording.
std::vector<TimeSeries> curves_of(const Recording& run, const TimeInput& in, bool recorded,
                                  const std::string& where) {
  const std::string family = family_of(in.kernel).name;
  std::vector<TimeSeries> all;
  // same kernel, other parameters (unroll, type) make a curve of their own; a limit is one whatever reached
  // it
  static const std::map<std::string, std::string> none;
  const auto key = [](const Record& r) {
    return std::tie(r.kernel, is_limit(r) ? none : r.parameters, r.type);
  };
  std::map<decltype(key(run.records[0])), size_t> known;
  std::map<std::string, size_t> longest;
  for (const Record& r : run.records) {
    if (r.family() != family || r.gb_per_s <= 0 || r.n < 1 || is_of_several(r)) continue;
    const auto [it, fresh] = known.insert({key(r), all.size()});
    if (fresh) {
      all.push_back(begun(run, r, in, recorded));
      all.back().key = where + "/" + r.kernel + " " + r.type + parameters_text(r);
    } else if (!all[it->second].at(r.n)) {  // measured twice in one run: the first
      all[it->second].points.push_back(&r);
    }
    size_t& most = longest[r.kernel];
    most = std::max(most, all[it->second].points.size());
  }
  std::erase_if(
      all, [&](const TimeSeries& s) { return longest[s.points[0]->kernel] >= 3 && s.points.size() < 3; });
  for (TimeSeries& s : all) {
    std::stable_sort(s.points.begin(), s.points.end(),
                     [](const Record* a, const Record* b) { return a->n < b->n; });
    const auto& hidden = in.look.hidden;
    s.hidden = std::find(hidden.begin(), hidden.end(), s.key) != hidden.end();
  }
  tell_apart(all);
  // the sliders choose among the open kernel's variants: those that differ least from them
  int least = 1 << 30;
  for (const TimeSeries& s : all)
    if (s.points[0]->kernel == in.kernel) least = std::min(least, differences(*s.points[0], in));
  for (TimeSeries& s : all) {
    if (s.points[0]->kernel != in.kernel) continue;
    s.current = differences(*s.points[0], in) == least;
    s.sibling = !s.current;
  }
  if (recorded) keep_one_of_others(all, in);
  return all;
}

}  // namespace

void tell_devices_apart(std::vector<TimeSeries>& all) {
  std::vector<std::string> labels;
  for (const TimeSeries& s : all) labels.push_back(s.label);
  for (TimeSeries& s : all) {
    if (std::count(labels.begin(), labels.end(), s.label) < 2) continue;
    const bool same_device = std::any_of(all.begin(), all.end(), [&](const TimeSeries& o) {
      return o.run != s.run && o.run->device == s.run->device;
    });
    s.label += ", " + short_device(s.run->device);
    if (same_device) s.label += " " + (s.recorded ? day_of(*s.run) : say("now"));
  }
}

std::vector<TimeSeries> time_series(const TimeInput& in) {
  std::vector<TimeSeries> all;
  const auto add = [&](const Recording& run, bool recorded) {
    if (!is_open(in.look, run, recorded)) return;
    const std::string where = recorded ? key_of(run) : run.device;
    const std::vector<TimeSeries> curves = curves_of(run, in, recorded, where);
    all.insert(all.end(), curves.begin(), curves.end());
  };
  for (const Recording& run : in.live) add(run, false);
  for (const Recording& run : in.recorded) add(run, true);
  tell_devices_apart(all);
  return all;
}

namespace {

/// A record's value on an axis; empty if it has none.
std::string value_on(const std::string& axis, const Record& r) {
  if (axis == "keys") return keys_of(r);
  const auto it = r.parameters.find(axis);
  return it == r.parameters.end() ? std::string() : it->second;
}

/// Numbers by size, before words.
bool before(const std::string& axis, const std::string& a, const std::string& b) {
  if (axis == "keys") return std::pair(unevenness(a), a) < std::pair(unevenness(b), b);
  const auto rank = [](const std::string& s) {
    char* end = nullptr;
    const double v = std::strtod(s.c_str(), &end);
    const bool number = end != s.c_str() && !*end;
    return std::tuple(!number, number ? v : 0, s);
  };
  return rank(a) < rank(b);
}

/// Does a sweep over the axis vary this parameter?
bool swept(const std::string& axis, const std::string& name) {
  if (axis != "keys") return name == axis;
  return name == "pattern" || name == "skew" || name == "entropy" || name == "seed";
}

/// An order of parameters that a sweep over the axis leaves as they are.
bool less_but(const std::string& axis, const std::map<std::string, std::string>& a,
              const std::map<std::string, std::string>& b) {
  auto i = a.begin(), k = b.begin();
  for (;; ++i, ++k) {
    while (i != a.end() && swept(axis, i->first)) ++i;
    while (k != b.end() && swept(axis, k->first)) ++k;
    if (i == a.end() || k == b.end()) return i == a.end() && k != b.end();
    if (*i != *k) return *i < *k;
  }
}

/// Everything that may be swept over this axis: records of one kernel, length and type that differ in it
/// alone.
std::vector<TimeSeries> sweeps_over(const TimeInput& in, const std::string& axis) {
  const std::string family = family_of(in.kernel).name;
  const bool of_all = axis == "block" || axis == "keys";
  std::vector<TimeSeries> all;
  const auto add = [&](const Recording& run, bool recorded) {
    if (!is_open(in.look, run, recorded)) return;
    const auto in_order = [&](const Record* a, const Record* b) {
      const auto job = [](const Record* r) { return std::tie(r->kernel, r->n, r->type); };
      return job(a) != job(b) ? job(a) < job(b) : less_but(axis, a->parameters, b->parameters);
    };
    std::map<const Record*, TimeSeries, decltype(in_order)> groups(in_order);
    for (const Record& r : run.records) {
      if (r.family() != family || is_limit(r) || is_of_several(r) || r.gb_per_s <= 0) continue;
      if (!of_all && r.kernel != in.kernel) continue;
      if (axis != "keys" && (keys_of(r) != "uniform" || is_reference(r))) continue;
      const std::string value = value_on(axis, r);
      if (value.empty()) continue;
      TimeSeries& s = groups[&r];
      if (s.points.empty()) {
        s.points.push_back(&r);
      } else if (std::none_of(s.points.begin(), s.points.end(),
                              [&](const Record* p) { return value_on(axis, *p) == value; })) {
        s.points.push_back(&r);
      }
    }
    for (auto& [first, group] : groups) {
      if (group.points.size() < 2) continue;
      TimeSeries& s = all.emplace_back(begun(run, *first, in, recorded));
      s.points = std::move(group.points);
      s.key = (recorded ? key_of(run) : run.device) + "/" + first->kernel + " " + first->type;
      for (const auto& [name, v] : first->parameters)
        if (!swept(axis, name)) s.key += " " + name + "=" + v;
    }
  };
  for (const Recording& run : in.live) add(run, false);
  for (const Recording& run : in.recorded) add(run, true);
  return all;
}

/// "histogram/serial is left out from ...", and the reductions are on screen.
bool names_another_family(const std::string& note, const std::string& family) {
  const auto has = [&](const std::string& f) { return note.find(f + "/") != std::string::npos; };
  return !has(family) &&
         std::ranges::any_of(families(), [&](const Family& f) { return f.timed() && has(f.name); });
}

}  // namespace

double TimeSweep::place(const Record& r) const {
  const auto it = std::find(ticks.begin(), ticks.end(), value_on(axis, r));
  return it == ticks.end() ? -1 : double(it - ticks.begin());
}

std::vector<std::string> time_axes(const TimeInput& in) {
  std::vector<std::string> all{"n"}, names{"block"};
  for (const Parameter& p : in.parameters)
    if (p.name != "type" && p.name != "operator" && p.name != "scan" && p.name != "bins")
      names.push_back(p.name);
  if (family_of(in.kernel).takes_keys) names.push_back("keys");
  for (const std::string& name : names) {
    const auto found = sweeps_over(in, name);
    const bool mine = std::any_of(found.begin(), found.end(), [&](const TimeSeries& s) {
      return name == "block" || name == "keys" || s.points[0]->kernel == in.kernel;
    });
    if (mine) all.push_back(name);
  }
  return all;
}

TimeSweep time_sweep(const TimeInput& in, const std::string& axis) {
  TimeSweep sweep{axis, 0, {}, sweeps_over(in, axis), {}};
  auto& lines = sweep.lines;
  // the length where most values were measured; of several such the slider's neighbour
  std::map<long long, size_t> values;
  for (const TimeSeries& s : lines) {
    size_t& most = values[s.points[0]->n];
    most = std::max(most, s.points.size());
  }
  const auto distance = [&](long long n) { return std::abs(std::log2(double(n)) - in.look.log_n); };
  size_t most = 0;
  for (const auto& [n, count] : values)
    if (count > most || (count == most && distance(n) < distance(sweep.n))) most = count, sweep.n = n;
  std::erase_if(lines, [&](const TimeSeries& s) { return s.points[0]->n != sweep.n; });
  for (TimeSeries& s : lines) {
    std::stable_sort(s.points.begin(), s.points.end(), [&](const Record* a, const Record* b) {
      return before(axis, value_on(axis, *a), value_on(axis, *b));
    });
    for (const Record* r : s.points)
      if (const std::string v = value_on(axis, *r);
          std::find(sweep.ticks.begin(), sweep.ticks.end(), v) == sweep.ticks.end())
        sweep.ticks.push_back(v);
  }
  std::stable_sort(sweep.ticks.begin(), sweep.ticks.end(),
                   [&](const std::string& a, const std::string& b) { return before(axis, a, b); });
  // one line a kernel; of the open one up to eight, where other axes have several
  const bool of_all = axis == "block" || axis == "keys";
  const auto rank = [&](const TimeSeries& s) {
    double best = 0;
    for (const Record* r : s.points) best = std::max(best, r->gb_per_s);
    return std::tuple(s.points[0]->type == in.look.type || s.points[0]->type == "uint8", s.points.size(),
                      best);
  };
  std::stable_sort(lines.begin(), lines.end(),
                   [&](const TimeSeries& a, const TimeSeries& b) { return rank(a) > rank(b); });
  std::map<std::pair<std::string, const Recording*>, int> seen;
  std::erase_if(lines, [&](const TimeSeries& s) {
    return ++seen[{s.points[0]->kernel, s.run}] > (of_all ? 1 : 8);
  });
  std::stable_sort(lines.begin(), lines.end(),
                   [](const TimeSeries& a, const TimeSeries& b) { return a.rung < b.rung; });
  tell_apart(lines, axis);
  int least = 1 << 30;
  for (const TimeSeries& s : lines)
    if (s.points[0]->kernel == in.kernel) least = std::min(least, differences(*s.points[0], in));
  for (TimeSeries& s : lines) {
    if (s.points[0]->kernel != in.kernel) continue;
    s.current = of_all || differences(*s.points[0], in) == least;
    s.sibling = !s.current;
  }
  // beside them, what does not depend on the axis
  std::vector<const Recording*> runs;
  for (const TimeSeries& l : lines)
    if (std::find(runs.begin(), runs.end(), l.run) == runs.end()) runs.push_back(l.run);
  for (const Recording* run : runs) {
    const auto of_run = [&](const TimeSeries& l) { return l.run == run; };
    const TimeSeries& line = *std::find_if(lines.begin(), lines.end(), of_run);
    for (const Record& r : run->records) {
      const bool level = is_limit(r) || (axis != "keys" && r.kernel.starts_with("cub/"));
      if (!level || r.family() != family_of(in.kernel).name || r.n != sweep.n || !is_usual(r)) continue;
      if (r.type == line.points[0]->type &&
          std::none_of(sweep.levels.begin(), sweep.levels.end(),
                       [&](const TimeSeries& l) { return l.run == run && l.points[0]->kernel == r.kernel; }))
        sweep.levels.push_back(begun(*run, r, in, line.recorded));
    }
  }
  tell_devices_apart(lines);
  tell_devices_apart(sweep.levels);
  return sweep;
}

TimeInput warmed(TimeInput in) {
  const auto warm = [](Recording& run) {
    if (is_of_cpu(run)) return;
    // several GPUs are timed from a common start: there is one way to
    std::erase_if(run.records, [](const Record& r) { return r.warm.median <= 0 && !is_of_several(r); });
    for (Record& r : run.records) {
      if (r.warm.median <= 0) continue;
      r.samples = r.warm_samples;
      r.seconds = r.warm;
      const double before = r.gb_per_s;
      r.gb_per_s = r.bytes / r.seconds.median / 1e9;
      if (before > 0) r.of_copy *= r.gb_per_s / before, r.of_peak *= r.gb_per_s / before;
    }
  };
  for (Recording& run : in.live) warm(run);
  for (Recording& run : in.recorded) warm(run);
  in.is_warm = true;
  return in;
}

bool has_warm(const TimeInput& in) {
  const auto warm = [&](const Recording& run) {
    return std::any_of(run.records.begin(), run.records.end(), [&](const Record& r) {
      return r.family() == family_of(in.kernel).name && r.warm.median > 0;
    });
  };
  return std::any_of(in.live.begin(), in.live.end(), warm) ||
         std::any_of(in.recorded.begin(), in.recorded.end(), warm);
}

std::vector<TimeFacet> time_facets(const TimeInput& in) {
  std::vector<TimeFacet> all{TimeFacet::speedup, TimeFacet::noise, TimeFacet::roofline};
  const std::string family = family_of(in.kernel).name;
  bool cycles = false, several = false;
  const auto look = [&](const Recording& run, bool recorded) {
    if (!is_open(in.look, run, recorded)) return;
    for (const Record& r : run.records)
      if (r.family() == family) cycles |= r.cycles_per_block > 0, several |= r.gpus > 1;
  };
  for (const Recording& run : in.live) look(run, false);
  for (const Recording& run : in.recorded) look(run, true);
  if (cycles) all.push_back(TimeFacet::cycles);
  if (several) all.push_back(TimeFacet::gpus);
  if (!time_notes(in).empty()) all.push_back(TimeFacet::notes);
  return all;
}

std::vector<std::string> time_notes(const TimeInput& in) {
  std::vector<std::string> all;
  const std::string family = family_of(in.kernel).name;
  const auto look = [&](const Recording& run, bool recorded) {
    if (!is_open(in.look, run, recorded)) return;
    for (const std::string& note : run.notes)
      if (!names_another_family(note, family)) all.push_back(note);
    std::map<std::string, std::vector<long long>> slowed;
    for (const Record& r : run.records)
      if (r.throttled && r.family() == family) slowed[r.kernel].push_back(r.n);
    for (const auto& [kernel, lengths] : slowed) {
      std::string at;
      for (const long long n : lengths) {
        const bool power = (n & (n - 1)) == 0;
        at += (at.empty() ? "" : ", ") +
              (power ? power_of_two(int(std::lround(std::log2(double(n))))) : grouped(n));
      }
      all.push_back(say("The clock fell while {} was measured at N = {}.", kernel, at));
    }
  };
  for (const Recording& run : in.live) look(run, false);
  for (const Recording& run : in.recorded) look(run, true);
  return all;
}

}  // namespace bscope
