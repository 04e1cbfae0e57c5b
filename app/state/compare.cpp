// Compare: which second run is asked for, and where both stand.
#include "app/view/compare.hpp"

#include <algorithm>

#include "app/state/choices.hpp"
#include "app/state/state.hpp"
#include "engine/catalog/patterns.hpp"

namespace bscope {
namespace {

/// The input of the open run for a kernel that may be of another family.
void share_input(Request& r, const State& s) {
  const Algorithm& to = find(r.kernel);
  const std::string& from = s.run->trace.kernel;
  const bool family = from.starts_with(to.family() + "/");
  const bool takes_preset =
      std::ranges::any_of(to.presets, [&](const Preset& p) { return p.name == r.preset; });
  if (s.target.is_file() || (!r.preset.empty() && !takes_preset)) {
    r.preset.clear();
    if (family || !s.target.request.preset.empty() || s.target.is_file()) r.values = s.run->report.input;
    if (family)
      for (const auto& [name, value] : s.run->trace.parameters)
        if (name != "block" && name != "n") put(r, name, value);
  }
  if (!family) {  // of another family: as many values
    r.block.reset();
    r.skew.reset();
    r.entropy.reset();
    if (is_pattern_of_keys(r.pattern)) r.pattern.clear();
    r.preset.clear();
    if (to.family() == "histogram" || !r.input_file.empty()) r.values.reset(), r.input_file.clear();
  }
  if (!r.values && r.preset.empty() && r.input_file.empty()) r.n = (long long)s.run->report.input.size();
}

/// Where the comparison is looked at from the cursor, and the cursor from there.
State agree(State s) {
  const auto& steps = s.comparison->steps[size_t(s.compare.sync)];
  const auto& rows = s.comparison->sides[0].rows;
  if (rows.empty()) return s;
  s.compare.position = std::clamp(s.compare.position, 0, int(steps.size()) - 1);
  const auto shows = [&](const std::array<int, 2>& step) {
    const auto& row = rows[size_t(step[0])];
    return row.launch == s.cursor.launch && row.interval == s.cursor.interval;
  };
  if (shows(steps[size_t(s.compare.position)])) return s;
  const auto found = std::ranges::find_if(steps, shows);
  if (found != steps.end()) s.compare.position = int(found - steps.begin());
  return s;
}

}  // namespace

Target target_of(const RunChoice& c, const State& s) {
  Target t = s.target;
  t.file = c.file;
  if (t.is_file()) return t;
  t.request.kernel = c.kernel;
  share_input(t.request, s);
  if (c.n) {
    t.request.n = c.n;
    t.request.values.reset();
    t.request.input_file.clear();
    t.request.preset.clear();
  }
  take_parameters(t.request, c);
  return t;
}

RunChoice right_of(const State& s) {
  RunChoice right = s.compare.right;
  if (right.file.empty() && right.kernel.empty()) right.kernel = next_rung(s.run->trace.kernel);
  return right;
}

State compared(State s, const Open& open) {
  const RunChoice right = right_of(s);
  // the same choice on the same run was made, or failed, already
  if (s.compared_to == right) return s.comparison ? agree(std::move(s)) : s;
  s.compared_to = right;
  s.other.reset();
  s.comparison.reset();
  if (s.error_at == Where::compare) {
    s.error.clear();
    s.error_at = Where::nowhere;
  }
  try {
    if (right.file.empty() && right.kernel.empty())
      throw UsageError(
          std::string(say("This kernel is alone in its family: choose what to compare it with.")));
    s.other = open(target_of(right, s));
    s.comparison = std::make_shared<const Comparison>(comparison(s.run, s.other));
  } catch (const std::exception& e) {
    s.other.reset();
    s.error = e.what();
    s.error_at = Where::compare;
    return s;
  }
  return agree(std::move(s));
}

State with_other(State s, const std::string& kernel, const Open& open) {
  s.compare.right = {.kernel = kernel};
  s.comparison.reset();
  s.compared_to.reset();
  return compared(std::move(s), open);
}

State with_other(State s, const Target& target, const Open& open) {
  s.compare.right = {.file = target.file, .kernel = target.is_file() ? "" : target.request.kernel};
  s.comparison.reset();
  s.compared_to.reset();
  return compared(std::move(s), open);
}

}  // namespace bscope
