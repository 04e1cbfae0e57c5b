// Compare: which second run is asked for, and where both stand.
#include "app/tabs/compare/steps.hpp"

#include <algorithm>
#include <utility>

#include "app/session/choices.hpp"
#include "app/session/input.hpp"
#include "app/session/run_choice.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

/// Where the comparison is looked at from the cursor, and the cursor from there.
State agree(State s) {
  const auto& steps = s.of<CompareState>().comparison->steps[size_t(s.of<CompareState>().sync)];
  const auto& rows = s.of<CompareState>().comparison->sides[0].rows;
  if (rows.empty()) return s;
  s.of<CompareState>().position = std::clamp(s.of<CompareState>().position, 0, int(steps.size()) - 1);
  const auto shows = [&](const std::array<int, 2>& step) {
    const auto& row = rows[size_t(step[0])];
    return row.launch == s.cursor.launch && row.interval == s.cursor.interval;
  };
  if (shows(steps[size_t(s.of<CompareState>().position)])) return s;
  const auto found = std::ranges::find_if(steps, shows);
  if (found != steps.end()) s.of<CompareState>().position = int(found - steps.begin());
  return s;
}

}  // namespace

RunChoice right_of(const State& s) {
  RunChoice right = s.of<CompareState>().right;
  if (right.file.empty() && right.kernel.empty()) right.kernel = next_variant(s.run->trace.kernel);
  return right;
}

State compared(State s, RunStore& runs) {
  const RunChoice right = right_of(s);
  // the same choice on the same run was made, or failed, already
  if (s.of<CompareState>().compared_to == right)
    return s.of<CompareState>().comparison ? agree(std::move(s)) : s;
  std::shared_ptr<const Run> other;
  std::shared_ptr<const Comparison> made;
  try {
    if (right.file.empty() && right.kernel.empty())
      throw UsageError(message("This kernel is alone in its family: choose what to compare it with."));
    Target target = target_of(right, s);
    const std::optional<RunResult> result = runs.find(target);
    if (!result) {
      s.awaits = Awaited{std::move(target)};
      return s;
    }
    other = result->value().run;
    made = runs.derive<Comparison>("comparison", {s.run, other},
                                   [left = s.run, other] { return comparison(left, other); });
    if (!made) {
      s.awaits = Awaited{};
      return s;
    }
  } catch (const std::exception& e) {
    refuse(s, failure(e), Where::compare);
    CompareState& look = s.of<CompareState>();
    look.compared_to = right;
    // beside a length or a parameter that is refused, the last good run of the kernel stays
    const bool stays = look.comparison && right.file.empty() && look.other->trace.kernel == right.kernel;
    if (!stays) look.other.reset(), look.comparison.reset();
    return s;
  }
  if (s.error_at == Where::compare) forgive(s);
  CompareState& look = s.of<CompareState>();
  look.compared_to = right;
  look.other = std::move(other);
  look.comparison = std::move(made);
  return agree(std::move(s));
}

State with_other(State s, const std::string& kernel, RunStore& runs) {
  s.of<CompareState>().right = {.kernel = kernel};
  s.of<CompareState>().comparison.reset();
  s.of<CompareState>().compared_to.reset();
  return compared(std::move(s), runs);
}

State with_other(State s, const Target& target, RunStore& runs) {
  s.of<CompareState>().right = {.file = target.file, .kernel = target.is_file() ? "" : target.request.kernel};
  s.of<CompareState>().comparison.reset();
  s.of<CompareState>().compared_to.reset();
  return compared(std::move(s), runs);
}

State with_open_length(State s, long long n, Where where, RunStore& runs) {
  Target t = s.target;
  t.request = with_length(t, *s.run, n);
  t.file.clear();
  return opened(std::move(s), t, where, runs);
}

std::optional<long long> telling_length(const State& s, RunStore& runs) {
  if (s.target.is_file() || !s.of<CompareState>().right.file.empty() || s.of<CompareState>().right.n)
    return {};
  const auto now = (long long)s.run->report.input.size();
  for (long long n = 1; n <= 512; n *= 2) {
    if (n <= now) continue;
    const State longer = compared(with_open_length(s, n, Where::compare, runs), runs);
    if (!longer.error.empty() || longer.awaits) return {};
    if (longer.of<CompareState>().comparison && !counts_alike(*longer.of<CompareState>().comparison))
      return n;
  }
  return {};
}

std::optional<TabTime> compare_time(const State& s) {
  if (!s.of<CompareState>().comparison) return {};
  const Comparison& c = *s.of<CompareState>().comparison;
  const auto& steps = c.steps[size_t(s.of<CompareState>().sync)];
  TabTime track{
      int(steps.size()), std::clamp(s.of<CompareState>().position, 0, int(steps.size()) - 1), {}, hold_ms};
  const auto phase = [&](size_t k, size_t side) {
    const auto& rows = c.sides[side].rows;
    return rows.empty() ? std::string() : rows[size_t(steps[k][side])].phase;
  };
  for (size_t k = 1; k < steps.size(); ++k)
    if (phase(k, 0) != phase(k - 1, 0) || phase(k, 1) != phase(k - 1, 1)) track.marks.push_back(int(k));
  return track;
}

State at_compare_time(State s, int now) {
  s.of<CompareState>().position = now;
  const auto& rows = s.of<CompareState>().comparison->sides[0].rows;
  if (rows.empty()) return s;
  const auto& row =
      rows[size_t(s.of<CompareState>().comparison->steps[size_t(s.of<CompareState>().sync)][size_t(now)][0])];
  if (s.cursor.launch != row.launch) s.cursor.block = 0;
  s.cursor.launch = row.launch;
  s.cursor.interval = row.interval;
  s.cursor.phase = 1;
  // a block of fewer steps has no such interval: the first block has the most
  const Interval& here = interval_at(*s.run, s.cursor);
  if (here.launch != row.launch || here.index != row.interval) {
    const auto& all = s.run->report.flow.intervals;
    const auto found = std::ranges::find_if(
        all, [&](const Interval& v) { return v.launch == row.launch && v.index == row.interval; });
    if (found != all.end()) s.cursor = at_step(*s.run, s.cursor, int(found - all.begin()));
  }
  return s;
}

}  // namespace bscope
