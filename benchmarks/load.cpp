// Large traces: how long from a kernel to its trace, from a .bscope file to a run that can be looked at, and
// from there to any interval of it.
//   benchmark_load [trace|open|show] [EVENTS]
// Goals: a traced scan of 70,000 elements takes at most 100 ns an event; a file of 1e7 events opens within a
// second; an interval of it is shown within a frame of 16 ms. Prints each with its spread; exit 1 if one is
// missed. `taskset -c 0,1` says what two cores do.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/parts/requests.hpp"
#include "app/run/run.hpp"
#include "app/tabs/banks/picture.hpp"
#include "app/tabs/watch/array/view.hpp"
#include "app/tabs/watch/source/panel.hpp"
#include "app/tabs/watch/timeline/timeline.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/tabs/watch/whole_run/whole_run.hpp"
#include "app/tabs/watch/why_panel.hpp"
#include "engine/analysis/arrows.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/request_choice.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/analysis/work.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/estimate.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/algorithm.hpp"
#include "engine/simt/parameter.hpp"
#include "engine/simt/problem.hpp"
#include "engine/simt/schedule.hpp"
#include "engine/trace/file.hpp"

namespace {
using namespace bscope;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}
template <class F>
double timed(F f) {
  const auto begin = Clock::now();
  f();
  return seconds_since(begin);
}

/// Sorted samples.
struct Spread {
  std::vector<double> all;
  void add(double x) { all.insert(std::upper_bound(all.begin(), all.end(), x), x); }
  double at(double share) const { return all[std::min(all.size() - 1, size_t(double(all.size()) * share))]; }
  double median() const { return at(0.5); }
};

int missed = 0;
const char* verdict(bool met) {
  missed += !met;
  return met ? "" : "  MISSED";
}

RunSpec request(const std::string& kernel, long long n, int block) {
  RunSpec r;
  r.kernel = kernel;
  r.n = n;
  if (block) r.block = block;
  return r;
}

double peak_gigabytes() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return double(use.ru_maxrss) * 1024e-9;
}

void time_tracing() {
  constexpr double most_ns = 100;
  std::printf("tracing 70,000 elements: ns an event, median (least .. most of 7 runs)\n");
  std::printf("  %-18s %6s %10s %28s %28s %14s\n", "", "block", "events", "executor, to the barrier",
              "executor, lockstep", "and analysed");
  for (const char* kernel : {"scan/kogge-stone", "scan/blelloch"})
    for (int block : {32, 128, 256, 512, 1024}) {
      const RunSpec r = request(kernel, 70'000, block);
      const Algorithm& a = find(r.kernel);
      const Problem p = make_problem(a, r);
      Spread fast, lockstep, whole;
      size_t events = 0;
      for (int k = 0; k < 8; ++k) {
        Trace t;
        const double f = timed([&] { t = a.cpu(p, {Schedule::to_barrier}); });
        const double l = timed([&] { t = a.cpu(p, {Schedule::lockstep}); });
        const double w = timed([&] { open_run(r); });
        events = t.events();
        if (k == 0) continue;  // for stacks and pages
        fast.add(f / double(events) * 1e9);
        lockstep.add(l / double(events) * 1e9);
        whole.add(w / double(events) * 1e9);
      }
      std::printf("  %-18s %6d %10zu %10.1f (%5.1f .. %5.1f) %10.1f (%5.1f .. %5.1f) %14.1f%s\n", kernel,
                  block, events, fast.median(), fast.all.front(), fast.all.back(), lockstep.median(),
                  lockstep.all.front(), lockstep.all.back(), whole.median(),
                  verdict(fast.median() <= most_ns && lockstep.median() <= most_ns));
    }
}

/// A trace of about so many events, saved.
std::filesystem::path make_file(const std::string& kernel, int block, double events) {
  const Algorithm& a = find(kernel);
  const auto trace_of = [&](long long n) {
    return run(a, make_problem(a, request(kernel, n, block)), Device::cpu, {Schedule::to_barrier});
  };
  const double each = double(trace_of(1 << 15).events()) / double(1 << 15);
  const auto path = std::filesystem::temp_directory_path() / ("load-" + std::to_string(getpid()) + ".bscope");
  save(trace_of((long long)(events / each)), path);
  return path;
}

/// Watch and Banks as the window shows them, at 1600 x 900, and what `show --json` lists of the interval.
/// What the whole run adds up to is counted in a thread of its own there, once (app/parts/partners.hpp).
struct Shown {
  double whole = 0;
  Spread watch, banks, tables;
};
Shown show_random(const std::shared_ptr<const Run>& run, int count) {
  Shown s;
  const Theme look = theme(ThemeName::dark, 900);
  static const Metrics metrics = fixed_metrics();
  const RunQueries model(run);
  std::mt19937 random(1);
  RequestSums whole;
  s.whole = timed([&] { whole = request_sums(*run); });
  for (int k = 0; k < count; ++k) {
    const Cursor c = at_step(*run, {}, int(random() % unsigned(steps(*run))));
    size_t shapes = 0;
    s.watch.add(timed([&] {
      shapes += array_view(model, c, look, metrics, 1100, 380).shapes.size() +
                whole_run(model, c, look, metrics, 1100, 300).shapes.size() +
                timeline(model, c, look, metrics, 1600, 90).shapes.size() +
                source_panel(model, c, look, metrics, 480, 400).shapes.size() +
                why_panel(model, c, look, metrics, 480, 300).shapes.size();
    }));
    s.banks.add(timed([&] {
      RequestScene scene;
      scene.here = {run, c, -1};
      scene.whole = whole;
      shapes += banks_view(scene, look, metrics, 1600, 800).shapes.size();
    }));
    s.tables.add(timed([&] {
      const Interval& v = interval_at(*run, c);
      const DataflowGraph& flow = run->report.flow;
      shapes += arrows(flow, v).size() + content(run->trace, flow, run->report.words(), v).size() +
                size_t(work(flow, v).adds) + active_threads(flow, v).size();
    }));
    if (!shapes) std::abort();
  }
  return s;
}

void time_opening(double events, bool show) {
  constexpr double most_seconds = 1, most_ms = 16;
  std::printf("a file of %.3g events, median (least .. most); then intervals of it at random, ms\n", events);
  for (const auto& [kernel, block] :
       {std::pair("scan/kogge-stone", 1024), std::pair("scan/kogge-stone", 32),
        std::pair("scan/blelloch", 256), std::pair("histogram/global-atomics", 256),
        std::pair("histogram/shared-atomics", 256)}) {
    const auto path = make_file(kernel, block, events);
    Spread reading, replay, open;
    std::shared_ptr<const Run> run;
    for (int k = 0; k < 4; ++k) {
      run.reset();
      Trace t;
      const double r = timed([&] { t = load(path); });
      const double f = timed([&] { replay_trace(t); });
      t = {};
      const double o = timed([&] { run = open_file(path.string()); });
      if (k == 0) continue;
      reading.add(r), replay.add(f), open.add(o);
    }
    std::printf(
        "%-26s %5d %5.2f GB, %9zu events, %7d steps: opened in %.3f s (%.3f .. %.3f), of it read %.3f, "
        "replay %.3f; peak %.2f GB%s\n",
        kernel, block, double(std::filesystem::file_size(path)) * 1e-9, run->trace.events(), steps(*run),
        open.median(), open.all.front(), open.all.back(), reading.median(), replay.median(), peak_gigabytes(),
        verdict(open.median() <= most_seconds));
    std::filesystem::remove(path);
    if (!show) continue;
    const Shown s = show_random(run, 200);
    const auto line = [&](const char* what, const Spread& x) {
      std::printf("    %-8s p50 %8.3f, p99 %8.3f, most %8.3f%s\n", what, 1e3 * x.median(), 1e3 * x.at(0.99),
                  1e3 * x.all.back(), verdict(1e3 * x.at(0.99) <= most_ms));
    };
    line("Watch", s.watch), line("Banks", s.banks), line("tables", s.tables);
    std::printf("    the whole run's requests, counted beside the frames: %.0f ms\n", 1e3 * s.whole);
  }
}
}  // namespace

int main(int argc, char** argv) {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  limit_memory(1e18);  // of a trace of so many events
  const std::string what = argc > 1 ? argv[1] : "";
  if (what.empty() || what == "trace") time_tracing();
  if (what.empty() || what == "open" || what == "show")
    time_opening(argc > 2 ? std::atof(argv[2]) : 1e7, what != "open");
  if (missed) std::printf("%d of the goals missed\n", missed);
  return missed != 0;
}
