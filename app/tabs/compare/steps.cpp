// Compare: which second run is asked for, and where both stand.
#include "app/tabs/compare/steps.hpp"

#include <algorithm>
#include <utility>

#include "app/run/run_store.hpp"
#include "app/session/before_change.hpp"
#include "app/session/choices.hpp"
#include "app/session/input.hpp"
#include "app/session/motion.hpp"
#include "app/session/run_choice.hpp"
#include "app/session/tab_time.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/compare/picture.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

/// Where the comparison is looked at from the cursor, and the cursor from there.
LoadedState agree(LoadedState s) {
  const Comparison& comparison = *compare_runs(s).comparison;
  const auto& steps = comparison.steps[size_t(s.of<CompareState>().sync)];
  const auto& rows = comparison.sides[0].rows;
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

/// What is beside the open run, to be written.
CompareRuns& runs_beside(LoadedState& s) {
  CompareRuns& runs = s.results.of<CompareRuns>();
  if (runs.open != s.run) runs = {.open = s.run, .other = {}, .comparison = {}, .compared_to = {}};
  return runs;
}

}  // namespace

const CompareRuns& compare_runs(const LoadedState& s) {
  static const CompareRuns none;
  const CompareRuns& runs = s.results.of<CompareRuns>();
  return runs.open == s.run ? runs : none;
}

std::shared_ptr<const Run> before_change(const LoadedState& s) {
  const auto& before = s.results.of<BeforeChange>();
  return s.target.is_program() && before.file == s.target.file ? before.run : nullptr;
}

RunChoice right_of(const LoadedState& s) {
  RunChoice right = s.of<CompareState>().right;
  if (right.file.empty() && right.kernel.empty())
    right.kernel = before_change(s) ? before_the_change : next_variant(s.run->trace.kernel);
  return right;
}

LoadedState compared(LoadedState s, RunStore& runs) {
  const RunChoice right = right_of(s);
  // the same choice on the same run was made, or failed, already
  if (compare_runs(s).compared_to == right) return compare_runs(s).comparison ? agree(std::move(s)) : s;
  std::shared_ptr<const Run> other;
  std::shared_ptr<const Comparison> made;
  try {
    if (right.file.empty() && right.kernel.empty())
      throw UsageError(message("Choose a kernel to compare with."));
    const bool before = right.kernel == before_the_change;
    if (before) {
      other = before_change(s);
      if (!other)
        throw UsageError(
            message("There is no run from before a change: change this file's text, save it, and "
                    "compare again."));
    } else {
      Target target = target_of(right, s);
      const std::optional<RunResult> result = runs.find(target);
      if (!result) {
        s.awaits = Awaited{std::move(target)};
        return s;
      }
      other = result->value().run;
    }
    made = runs.derive<Comparison>(before ? "comparison with before" : "comparison", {s.run, other},
                                   [left = s.run, other, before] {
                                     Comparison both = comparison(left, other);
                                     both.of_one_file = before;
                                     return both;
                                   });
    if (!made) {
      s.awaits = Awaited{};
      return s;
    }
  } catch (const std::exception& e) {
    refuse(s, failure(e), Where::compare);
    CompareRuns& look = runs_beside(s);
    look.compared_to = right;
    // beside a length or a parameter that is refused, the last good run of the kernel stays
    const bool stays = look.comparison && right.file.empty() && look.other->trace.kernel == right.kernel;
    if (!stays) look.other.reset(), look.comparison.reset();
    return s;
  }
  if (s.error_at == Where::compare) forgive(s);
  CompareRuns& look = runs_beside(s);
  look.compared_to = right;
  look.other = std::move(other);
  look.comparison = std::move(made);
  return agree(std::move(s));
}

/// The second run of now stays on screen until the next has come.
static void forget_comparison(LoadedState& s) {
  runs_beside(s).comparison.reset();
  runs_beside(s).compared_to.reset();
}

LoadedState with_other(LoadedState s, const std::string& kernel, RunStore& runs) {
  return with_other(std::move(s), RunChoice{.kernel = kernel}, runs);
}

LoadedState with_other(LoadedState s, const RunChoice& right, RunStore& runs) {
  s.of<CompareState>().right = right;
  forget_comparison(s);
  return compared(std::move(s), runs);
}

LoadedState with_other(LoadedState s, const Target& target, RunStore& runs) {
  return with_other(std::move(s),
                    RunChoice{.file = target.file, .kernel = target.is_file() ? "" : target.request.kernel},
                    runs);
}

LoadedState with_open_length(LoadedState s, long long n, Where where, RunStore& runs) {
  Target t = s.target;
  t.request = with_length(t, *s.run, n);
  t.file.clear();
  return opened(std::move(s), t, where, runs);
}

std::optional<long long> telling_length(const LoadedState& s, RunStore& runs) {
  if (s.target.is_file() || !s.of<CompareState>().right.file.empty() || s.of<CompareState>().right.n)
    return {};
  const auto now = (long long)s.run->report.input.size();
  for (long long n = 1; n <= 512; n *= 2) {
    if (n <= now) continue;
    const LoadedState longer = compared(with_open_length(s, n, Where::compare, runs), runs);
    if (!longer.error.empty() || longer.awaits) return {};
    if (compare_runs(longer).comparison && !counts_alike(*compare_runs(longer).comparison)) return n;
  }
  return {};
}

std::optional<TabTime> compare_time(const LoadedState& s) {
  if (!compare_runs(s).comparison) return {};
  const Comparison& c = *compare_runs(s).comparison;
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

LoadedState at_compare_time(LoadedState s, int now) {
  s.of<CompareState>().position = now;
  const auto& rows = compare_runs(s).comparison->sides[0].rows;
  if (rows.empty()) return s;
  const auto& row =
      rows[size_t(compare_runs(s).comparison->steps[size_t(s.of<CompareState>().sync)][size_t(now)][0])];
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
