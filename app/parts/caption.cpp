#include "app/parts/caption.hpp"

#include <algorithm>

#include "app/run/run.hpp"
#include "app/run/titles.hpp"
#include "app/run/values.hpp"
#include "app/session/input.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/places.hpp"

namespace bscope {

std::string both(const std::string& left, const std::string& right) {
  return left == right ? left : tr("{} beside {}", left, right);
}

std::string parameters_of(const LoadedState& s, const Trace& trace, const Trace* beside) {
  std::string all = "n = " + grouped(parameter_of(trace, "n"));
  if (!s.target.is_file() && trace.kernel == s.run->trace.kernel) {
    const RunSpec& r = s.target.request;
    const std::string called = input_called(r);
    all += " (" + tr(called);
    if (called == "random" || called == "skewed" || called == "entropy") all += tr(", seed {}", r.seed);
    all += ")";
  }
  for (const auto& [name, value] : trace.parameters) {
    if (name == "n") continue;
    const std::string other = beside ? parameter_of(*beside, name) : std::string();
    all = tr("{}, {}", all, tr(name) + " = " + (other.empty() ? value : both(value, other)));
  }
  if (beside)
    for (const auto& [name, value] : beside->parameters)
      if (parameter_of(trace, name).empty()) all = tr("{}, {}", all, tr(name) + " = " + value);
  return all;
}

namespace {

/// `of`: how many steps the block has; 0: that is hidden.
std::string step_words(const Trace& t, int launch, int block, int interval, size_t of,
                       const std::string& phase) {
  const Launch& l = t.launches[size_t(launch)];
  std::string words;
  if (is_between_launches(l))
    words += launch_title(t, l) + tr(", ");
  else if (t.launches.size() > 1)
    words += tr("launch {}: {}, ", launch_number(t, launch), launch_title(t, l));
  if (l.grid > 1) words += tr("block {} of {}", block_text(l, block), l.grid) + tr(", ");
  words += of ? tr("step {} of {}", step_number(interval), of) : tr("step {}", step_number(interval));
  return words + (phase.empty() ? "" : ": " + phase);
}

/// The words for any step of the run are no longer than these.
std::string widest_step(const Run& run) {
  const Trace& t = run.trace;
  std::string widest, phase;
  int most = 0;
  std::string_view last;
  for (const Interval& i : run.report.flow.intervals) {
    most = std::max(most, i.index);
    if (i.phase == last) continue;
    last = i.phase;
    if (const std::string name = phase_name(t, i); name.size() > phase.size()) phase = name;
  }
  for (int k = 0; k < int(t.launches.size()); ++k) {
    const std::string words = step_words(t, k, t.launches[size_t(k)].grid - 1, most, size_t(most) + 1, phase);
    if (words.size() > widest.size()) widest = words;
  }
  return widest;
}

void add_step(Caption& c, const LoadedState& s) {
  if (!steps(*s.run)) return;
  const DataflowGraph& flow = s.run->report.flow;
  const Interval& i = flow.intervals[size_t(step_of(*s.run, s.cursor))];
  const size_t of = s.lesson.hides_future() ? 0 : flow.of_block(i.launch, i.block).size();
  c.step = step_words(s.run->trace, i.launch, i.block, i.index, of, phase_name(s.run->trace, i));
  c.widest = widest_step(*s.run);
}

}  // namespace

Caption step_caption(const LoadedState& s) {
  Caption c{full_title(s.run->trace.kernel), parameters_of(s, s.run->trace), {}, {}};
  add_step(c, s);
  return c;
}

}  // namespace bscope
