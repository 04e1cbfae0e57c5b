#include "app/measure/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "app/run/numbers.hpp"
#include "app/run/request_text.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/patterns.hpp"
#include "engine/timing/recording.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::ranges::count(names, name) > 0;
}
/// Axes that are not a kernel's parameters.
bool is_input(const std::string& name) {
  return is_one_of(name, {"n", "pattern", "skew", "entropy", "seed", "block"});
}
bool is_whole(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

const Parameter* declared(const Algorithm& a, const std::string& name) {
  const auto it = std::ranges::find(a.parameters, name, &Parameter::name);
  return it == a.parameters.end() ? nullptr : &*it;
}
bool takes(const Algorithm& a, const std::string& name) {
  if (is_one_of(name, {"skew", "entropy"})) return declared(a, "bins");
  return is_input(name) || declared(a, name);
}

/// What is asked for here already, so that an axis would say it twice.
bool asked(const RunSpec& r, const std::string& name) {
  return (name == "n" && (r.n || r.values || !r.input_file.empty() || !r.preset.empty())) ||
         (name == "block" && r.block) || (name == "skew" && r.skew) || (name == "entropy" && r.entropy) ||
         (name == "pattern" && !r.pattern.empty()) ||
         std::ranges::count(r.set, name, [](const auto& s) { return s.first; }) > 0;
}

void set_value(RunSpec& r, const std::string& name, const std::string& value) {
  const std::string option = "--sweep " + name;
  if (is_input(name))
    read_field(r, name, option, value);
  else
    r.set.emplace_back(name, value);
}

}  // namespace

SweepAxis parse_axis(const std::string& text) {
  const size_t sign = text.find('=');
  if (sign == 0)
    throw UsageError(message("--sweep {} names nothing: write for example --sweep n=2^10..2^29", text));
  if (sign == std::string::npos || sign + 1 == text.size())
    throw UsageError(message("--sweep {} has no values: write for example --sweep n=2^10..2^29", text));
  SweepAxis axis{text.substr(0, sign), {}};
  const std::string option = "--sweep " + axis.name, values = text.substr(sign + 1);
  if (const size_t dots = values.find(".."); dots != std::string::npos) {
    if (is_one_of(axis.name, {"skew", "entropy", "pattern"}))
      throw UsageError(message("--sweep {} takes no range: list its values with commas", axis.name));
    const long long from = whole_number(option, values.substr(0, dots)),
                    to = whole_number(option, values.substr(dots + 2));
    if (from < 1 || to < from)
      throw UsageError(
          message("--sweep {} is no range: write the smaller of two numbers from 1 first", text));
    for (long long v = from; v <= to; v *= 2) axis.values.push_back(std::to_string(v));
    return axis;
  }
  for (size_t at = 0; at <= values.size();) {
    const size_t end = std::min(values.find(',', at), values.size());
    std::string value = values.substr(at, end - at);
    if (value.empty()) throw UsageError(message("--sweep {} has an empty value: leave out the comma", text));
    if (value.starts_with("2^")) value = std::to_string(whole_number(option, value));
    if (std::ranges::find(axis.values, value) == axis.values.end()) axis.values.push_back(value);
    at = end + 1;
  }
  RunSpec ignored;
  for (const std::string& value : axis.values)
    if (is_input(axis.name)) set_value(ignored, axis.name, value);  // numbers are numbers, or it says so
  if (std::ranges::all_of(axis.values, is_whole))
    std::ranges::stable_sort(axis.values, [](const auto& a, const auto& b) {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
  return axis;
}

SweepPlan plan_sweep(const std::vector<const Algorithm*>& kernels, const RunSpec& request,
                     const std::vector<SweepAxis>& asked_for, const std::vector<long long>& lengths) {
  std::vector<SweepAxis> axes = asked_for;
  for (size_t k = 0; k < axes.size(); ++k) {
    const std::string& name = axes[k].name;
    const auto same = [&](const SweepAxis& other) { return other.name == name; };
    if (std::any_of(axes.begin(), axes.begin() + long(k), same))
      throw UsageError(message("--sweep {} is given twice: put all its values into one", name));
    if (asked(request, name))
      throw UsageError(message("--sweep {} varies what another option sets: leave out one of them", name));
    if (std::ranges::none_of(kernels, [&](const auto* a) { return takes(*a, name); })) {
      RunSpec r = request;
      set_value(r, name, axes[k].values.front());
      timed_problem(*kernels.front(), r);  // says what the kernel takes instead
    }
  }
  const auto is_n = [](const SweepAxis& a) { return a.name == "n"; };
  if (std::ranges::none_of(axes, is_n) && !asked(request, "n")) {
    SweepAxis n{"n", {}};
    for (const long long length : lengths) n.values.push_back(std::to_string(length));
    axes.push_back(std::move(n));
  }
  // n changes last, then what the input is made of: neighbours share their input
  const auto rank = [](const SweepAxis& a) {
    return a.name == "n"                                                               ? 0
           : is_one_of(a.name, {"pattern", "skew", "entropy", "seed", "type", "bins"}) ? 1
                                                                                       : 2;
  };
  std::ranges::stable_sort(axes, [&](const SweepAxis& a, const SweepAxis& b) { return rank(a) < rank(b); });

  // what one kernel lacks is another's; what all of them lack is a mistake
  const auto of_some = [&](const std::string& name) {
    return std::ranges::any_of(kernels, [&](const auto* a) { return takes(*a, name); });
  };
  const auto own = [&](const Algorithm& a) {
    RunSpec r = request;
    r.kernel = a.name;
    std::erase_if(r.set, [&](const auto& s) { return !takes(a, s.first) && of_some(s.first); });
    if (!takes(a, "skew") && of_some("skew")) r.skew.reset(), r.entropy.reset();
    return r;
  };
  for (const Algorithm* a : kernels) timed_problem(*a, own(*a));

  SweepPlan plan;
  std::set<std::pair<std::string, long long>> known;
  std::map<std::pair<std::string, std::string>, Message> unused;  // (axis, value) -> why
  for (const SweepAxis& axis : axes)
    for (const std::string& value : axis.values) unused[{axis.name, value}];
  std::vector<size_t> at(axes.size(), 0);
  for (bool more = true; more;) {
    for (const Algorithm* a : kernels) {
      RunSpec r = own(*a);
      std::string varying;
      for (size_t k = 0; k < axes.size(); ++k) {
        const std::string& value = axes[k].values[at[k]];
        if (!takes(*a, axes[k].name)) continue;
        set_value(r, axes[k].name, value);
        if (!is_n(axes[k]) && axes[k].values.size() > 1)
          varying += (varying.empty() ? "" : ", ") + axes[k].name + " " + value;
      }
      try {
        const Problem p = timed_problem(*a, r);
        if (known.insert({setting_text(*a, r, p), p.n()}).second) plan.points.push_back({a, r, varying});
        for (size_t k = 0; k < axes.size(); ++k)
          if (takes(*a, axes[k].name)) unused.erase({axes[k].name, axes[k].values[at[k]]});
      } catch (const UsageError& e) {
        for (size_t k = 0; k < axes.size(); ++k)
          if (const auto it = unused.find({axes[k].name, axes[k].values[at[k]]}); it != unused.end())
            it->second = e.message();
        Message note =
            message("{} is left out: {}", a->name + (varying.empty() ? "" : ", " + varying), e.message());
        if (std::ranges::find(plan.notes, note) == plan.notes.end()) plan.notes.push_back(std::move(note));
      }
    }
    more = false;
    for (size_t k = axes.size(); k-- > 0 && !more;) {
      more = ++at[k] < axes[k].values.size();
      if (!more) at[k] = 0;
    }
  }
  for (const auto& [value, why] : unused)
    if (!why.empty()) throw UsageError(why);
  return plan;
}

SweepPlan part_of(SweepPlan plan, const SweepPart& part) {
  size_t k = 0;
  std::erase_if(plan.points,
                [&](const SweepPoint&) { return (k++) % size_t(part.of) != size_t(part.index); });
  return plan;
}

std::vector<long long> sweep_sizes(Device d) {
  std::vector<long long> all;
  for (int p = 10; p <= (d == Device::gpu ? 29 : 26); ++p) all.push_back(1LL << p);
  return all;
}

RunSpec fitting(const Algorithm& a, RunSpec r) {
  r.kernel = a.name;
  std::erase_if(r.set, [&](const auto& setting) {
    const Parameter* p = declared(a, setting.first);
    return !p || (!p->values.empty() &&
                  std::ranges::none_of(p->values, [&](const Choice& c) { return c.text == setting.second; }));
  });
  if (!takes(a, "skew")) r.skew.reset(), r.entropy.reset();
  const auto blocks = legal_blocks(a);
  if (r.block && std::ranges::find(blocks, *r.block) == blocks.end()) r.block.reset();
  return r;
}

std::map<std::string, std::string> input_parameters(const RunSpec& r, const Problem& p) {
  if (!p.made) return {};
  std::map<std::string, std::string> all{{"pattern", pattern_of(p)}};
  if (r.skew) all["skew"] = skew_text(*r.skew);
  if (r.entropy) all["entropy"] = skew_text(*r.entropy);
  if (r.seed != 1) all["seed"] = std::to_string(r.seed);
  return all;
}

std::string setting_text(const Algorithm& a, const RunSpec& r, const Problem& p) {
  std::string text = a.name + "|" + std::to_string(p.block);
  for (const auto& [name, value] : p.set) text += "|" + name + "=" + value;
  for (const auto& [name, value] : input_parameters(r, p)) text += "|" + name + "=" + value;
  return text;
}

std::string power_text(long long n) {
  if (n >= 1024 && (n & (n - 1)) == 0) return "2^" + std::to_string(int(std::log2(double(n)) + 0.5));
  return std::to_string(n);
}

}  // namespace bscope
