#include "app/session/input.hpp"

#include <algorithm>
#include <charconv>

#include "app/run/run.hpp"
#include "app/run/target.hpp"
#include "app/session/state.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/patterns.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

constexpr size_t most_typed = 4096;    ///< values in the field
constexpr size_t most_held = 1 << 24;  ///< values that a length is filled up to

bool is_held(const RunSpec& r) { return r.values || r.image || !r.input_file.empty(); }

const Parameter* parameter(const Algorithm& a, const std::string& name) {
  const auto found = std::ranges::find(a.parameters, name, &Parameter::name);
  return found == a.parameters.end() ? nullptr : &*found;
}

/// Its seed and length stay: what patterns have in common.
void forget_source(RunSpec& r) {
  const auto n = r.n;
  const uint32_t seed = r.seed;
  r = with_input_of(std::move(r), {});
  r.n = n;
  r.seed = seed;
}

std::string joined(const std::vector<double>& values, size_t most) {
  std::string all;
  for (size_t k = 0; k < std::min(most, values.size()); ++k)
    all += fmt::format("{}{}", k ? ", " : "", values[k]);
  return all;
}

bool takes(const Parameter& p, const std::string& value) {
  if (!p.values.empty())
    return std::ranges::any_of(p.values, [&](const Choice& c) { return c.text == value; });
  int number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && number >= p.least && number <= p.most;
}

}  // namespace

RunSpec spelled_out(const Run& run) {
  RunSpec r;
  r.kernel = run.trace.kernel;
  r.values = run.report.input;
  const Algorithm* a = algorithm_of(r.kernel);
  for (const auto& [name, value] : run.trace.parameters)
    if (name == "block")
      r.block = as_whole(value);
    else if (a && parameter(*a, name))
      r.set.emplace_back(name, value);
  return r;
}

RunSpec changeable(const Target& t, const Run& run) {
  if (!t.is_file() && t.request.preset.empty()) return t.request;
  RunSpec r = spelled_out(run);
  r.seed = t.request.seed;
  r.input_name = t.is_file() ? t.file.substr(t.file.rfind('/') + 1) : t.request.preset;
  return r;
}

RunSpec without_given(RunSpec r) {
  const RunSpec from = r;
  forget_source(r);
  r.pattern = from.pattern;
  r.skew = from.skew;
  r.entropy = from.entropy;
  return r;
}

RunSpec with_pattern(const Target& t, const Run& run, const std::string& pattern) {
  RunSpec r = changeable(t, run);
  if (is_held(r)) r.n = (long long)(r.values ? r.values->size() : run.report.input.size());
  forget_source(r);
  r.pattern = pattern;
  return r;
}

RunSpec with_own_input(const Target& t, const Run& run) { return with_input_of(changeable(t, run), {}); }

bool is_own_input(const RunSpec& r) { return same_input(r, {}); }

RunSpec with_length(const Target& t, const Run& run, long long n) {
  RunSpec r = changeable(t, run);
  const bool fills = n > 0 && size_t(n) <= most_held;
  if (r.values && !r.values->empty() && fills) {
    const size_t had = r.values->size();
    r.values->resize(size_t(n));
    for (size_t k = had; k < size_t(n); ++k) (*r.values)[k] = (*r.values)[k - had];
    return r;
  }
  if (r.values) forget_source(r);  // the kernel says how long a pattern may be
  r.n = n;
  return r;
}

RunSpec with_numbers(const Target& t, const Run& run, std::vector<double> values, const std::string& name) {
  if (values.empty()) return with_pattern(t, run, {});
  RunSpec r = changeable(t, run);
  forget_source(r);
  r.n.reset();
  r.values = std::move(values);
  r.input_name = name;
  return r;
}

RunSpec with_input_file(const Target& t, const Run& run, const std::string& path) {
  RunSpec r = changeable(t, run);
  forget_source(r);
  r.n.reset();
  r.input_file = path;
  return with_input_read(std::move(r));
}

Carried carried(const RunSpec& from, const Run& run, const std::string& kernel) {
  const Algorithm& to = find(kernel);
  RunSpec r = from;
  const auto& presets = to.presets;
  if (!r.preset.empty() && std::ranges::find(presets, r.preset, &Preset::name) == presets.end()) {
    const std::string preset = r.preset;
    r = spelled_out(run);
    r.seed = from.seed;
    r.input_name = preset;
  }
  r.kernel = kernel;
  std::erase_if(r.set, [&](const auto& setting) {
    const Parameter* p = parameter(to, setting.first);
    return !p || !takes(*p, setting.second);
  });
  if (!parameter(to, "bins")) {
    r.skew.reset();
    r.entropy.reset();
    if (is_pattern_of_keys(r.pattern)) r.pattern.clear();
  }
  try {
    RunSpec asked = r;
    asked.block.reset();
    if (!is_held(r) && r.preset.empty()) asked.n = 1;  // a pattern goes for every length
    make_problem(to, asked);
    return {r, {}};
  } catch (const UsageError& e) {
    forget_source(r);
    r.n.reset();
    return {r, e.message()};
  }
}

std::string typed_text(const RunSpec& r) {
  return r.values && r.values->size() <= most_typed ? joined(*r.values, most_typed) : std::string();
}

std::string first_values(const Run& run, size_t most) {
  const auto& input = run.report.input;
  if (most >= input.size()) return joined(input, most);
  return joined(input, most) + (most ? ", ..." : "...");
}

std::string waiting(const SetAside& s) {
  return tr("{} is set aside for a kernel that takes it. {}", translated(input_called(s.request)), tr(s.why));
}

std::string input_called(const RunSpec& r) {
  if (!r.preset.empty()) return r.preset;
  if (!r.input_name.empty()) return r.input_name;
  if (r.values) return tr_noop("typed");
  if (r.skew) return "skewed";
  if (r.entropy) return "entropy";
  return r.pattern.empty() ? "random" : r.pattern;
}

}  // namespace bscope
