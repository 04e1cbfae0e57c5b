// Every default problem and every preset: how long from a changed parameter to the pictures (trace, analyse,
// lay out Watch), and how much memory a trace takes an event. Goals: 16 ms, 24 bytes. Exit 1 if one is
// missed.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/run/run.hpp"
#include "app/tabs/watch/array/view.hpp"
#include "app/tabs/watch/source/panel.hpp"
#include "app/tabs/watch/timeline/timeline.hpp"
#include "app/tabs/watch/whole_run/whole_run.hpp"
#include "app/tabs/watch/why_panel.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/algorithm.hpp"
#include "engine/simt/parameter.hpp"

namespace {
using namespace bscope;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// What a trace holds in memory for its events: logs, snapshots, turns, contents of arrays.
size_t bytes_held(const Trace& t) {
  auto held = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  size_t bytes = 0;
  for (const ArrayInfo& a : t.arrays) bytes += held(a.initial);
  for (const Launch& l : t.launches) {
    bytes += held(l.turns);
    for (const auto& a : l.after) bytes += held(a);
    for (const BlockRun& b : l.blocks) bytes += held(b.first) + held(b.events) + held(b.snapshots);
  }
  return bytes;
}

/// Watch as the window shows it, at 1600 x 900.
size_t lay_out(const std::shared_ptr<const Run>& run) {
  const RunQueries model(run);
  const Theme look = theme(ThemeName::dark, 900);
  static const Metrics metrics = fixed_metrics();
  const Cursor cursor = at_step(*run, {}, steps(*run) / 2);
  return array_view(model, cursor, look, metrics, 1100, 380).shapes.size() +
         whole_run(model, cursor, look, metrics, 1100, 300).shapes.size() +
         timeline(model, cursor, look, metrics, 1600, 90).shapes.size() +
         source_panel(model, cursor, look, metrics, 480, 400).shapes.size() +
         why_panel(model, cursor, look, metrics, 480, 300).shapes.size();
}

struct Row {
  double trace_and_analyse, layout;  ///< ms, medians
  size_t events;
  double bytes_an_event;
};
Row measure(const RunSpec& request, int runs) {
  std::vector<double> first, second;
  Row row{};
  for (int k = 0; k < runs; ++k) {
    const auto begin = Clock::now();
    const auto run = open_run(request);
    first.push_back(ms_since(begin));
    const auto drawn = Clock::now();
    if (!lay_out(run)) std::abort();
    second.push_back(ms_since(drawn));
    row.events = run->trace.events();
    row.bytes_an_event = double(bytes_held(run->trace)) / double(row.events);
  }
  auto median = [](std::vector<double>& v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
  };
  row.trace_and_analyse = median(first);
  row.layout = median(second);
  return row;
}
}  // namespace

int main(int, char**) {
  constexpr double most_ms = 16, most_bytes = 24;
  double worst_ms = 0, worst_bytes = 0;
  std::printf("%-40s %10s %12s %10s %10s\n", "", "events", "re-trace ms", "layout ms", "bytes/event");
  auto row = [&](const std::string& name, const RunSpec& request, bool interactive) {
    const Row r = measure(request, interactive ? 25 : 3);
    std::printf("%-40s %10zu %12.3f %10.3f %10.1f\n", name.c_str(), r.events, r.trace_and_analyse, r.layout,
                r.bytes_an_event);
    worst_bytes = std::max(worst_bytes, r.bytes_an_event);
    if (interactive) worst_ms = std::max(worst_ms, r.trace_and_analyse + r.layout);
  };
  for (const Algorithm* a : catalog()) {
    RunSpec r;
    r.kernel = a->name;
    row(a->name, r, true);
    for (const Preset& preset : a->presets) {
      RunSpec with = r;
      with.preset = preset.name;
      row(a->name + " " + preset.name, with, true);
    }
    r.n = 1 << 14;  // memory alone: long enough that what is there once does not show
    row(a->name + " n=16384", r, false);
  }
  const bool quick = worst_ms <= most_ms, small = worst_bytes <= most_bytes;
  std::printf("slowest default or preset %.2f ms of %.0f: %s\n", worst_ms, most_ms, quick ? "met" : "MISSED");
  std::printf("most memory %.1f bytes an event of %.0f: %s\n", worst_bytes, most_bytes,
              small ? "met" : "MISSED");
  return quick && small ? 0 : 1;
}
