#include "app/cli/time.hpp"

#include <fmt/ostream.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>

#include "app/cli/console.hpp"
#include "app/cli/time_table.hpp"
#include "app/measure/measuring.hpp"
#include "app/measure/recorded.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/timing/baseline.hpp"
#include "engine/timing/merge.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;

/// Where the output goes is checked before minutes of measuring, not after.
void check_output(const std::string& out) {
  if (out.empty()) return;
  const fs::path path = out;
  if (path.extension() != ".json" && path.extension() != ".csv")
    throw UsageError(message("cannot tell the format of {}: end the name in .json or .csv", out));
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    throw SystemError(message("cannot write {}", out),
                      std::make_error_code(std::errc::no_such_file_or_directory));
}

/// Ctrl-C while it lives: asks to stop. A second one ends the program at once.
class Interrupt {
 public:
  Interrupt() {
    pressed_ = false;
    struct sigaction action {};
    action.sa_handler = [](int) { pressed_ = true; };
    action.sa_flags = int(SA_RESETHAND);
    sigaction(SIGINT, &action, &before_);
  }
  ~Interrupt() { sigaction(SIGINT, &before_, nullptr); }
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  static bool pressed() { return pressed_; }

 private:
  static inline std::atomic<bool> pressed_ = false;
  struct sigaction before_ {};
};

std::string left_text(double seconds) {
  return seconds < 0 ? ""
         : seconds < 60
             ? fmt::format("{:.0f} s left", seconds)
             : fmt::format("{:.0f} min {:.0f} s left", std::floor(seconds / 60), std::fmod(seconds, 60));
}

/// What is being measured: one line that rewrites itself on a terminal, else a line each.
class ProgressLine {
 public:
  ~ProgressLine() { clear(); }
  void tell(const MeasureProgress& p) {
    if (p.doing.empty()) return clear();
    std::string line = fmt::format("time: {} of {}: {}", p.done + 1, p.all, p.doing);
    if (const std::string left = left_text(p.seconds_left); !left.empty()) line += " (" + left + ")";
    if (!terminal_) {
      fmt::print(stderr, "{}\n", line);
      return;
    }
    const auto width = size_t(terminal_width());
    if (line.size() >= width) line.resize(width - 1);
    fmt::print(stderr, "\r{}\x1b[K", line);
    std::fflush(stderr);
    drawn_ = true;
  }

 private:
  void clear() {
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
    drawn_ = false;
  }
  const bool terminal_ = isatty(STDERR_FILENO);
  bool drawn_ = false;
};

void print(std::ostream& to, const Recording& run) {
  fmt::print(to, "{}{}", heading(run), time_table(run));
  if (const std::string text = verdicts(run); !text.empty()) fmt::print(to, "\n{}", text);
  for (const EnglishMessage& note : run.notes) fmt::print(to, "note: {}\n", note.english());
}

int merge_command(const TimeOptions& o, std::ostream& to) {
  if (o.kernels.empty())
    throw UsageError(
        message("--merge needs the names of recordings: time --merge A.json B.json -o ALL.json"));
  if (o.out.empty()) throw UsageError(message("--merge needs a file to write: add -o ALL.json"));
  std::vector<NamedRecording> parts;
  for (const std::string& name : o.kernels)
    for (Recording& r : load_recordings(name))
      parts.emplace_back(fs::path(name).filename().string(), std::move(r));
  if (fs::path(o.out).extension() == ".csv") {
    const auto all = merged_by_device(parts);
    save_recordings(all, o.out);
    for (const Recording& r : all) fmt::print(to, "{}: {} records\n", r.device, r.records.size());
    return 0;
  }
  const Recording all = merged(std::move(parts));
  save_recording(all, o.out);
  print(to, all);
  return 0;
}

/// Curves of the asked kernels that came with the program, where nothing can be measured: the length nearest
/// to the largest one measured here, of each recording that holds one of them.
void print_recorded(std::ostream& to, const std::vector<const Algorithm*>& kernels, long long largest) {
  const auto& recordings = recorded_curves();
  for (const Recording& r : recordings) {
    if (std::ranges::none_of(kernels, [&](const Algorithm* a) {
          return std::ranges::count(r.records, a->name, &Record::kernel) > 0;
        }))
      continue;
    Recording shown = r;
    shown.records.clear();
    const auto distance = [&](const Record& x) {
      return std::abs(std::log2(double(x.n)) - std::log2(double(largest)));
    };
    for (const Algorithm* a : kernels)
      for (const std::string& name : {a->name, "cub/" + a->family()}) {
        const Record* nearest = nullptr;
        for (const Record& x : r.records)
          if (x.kernel == name && (!nearest || distance(x) < distance(*nearest))) nearest = &x;
        if (nearest &&
            std::ranges::none_of(shown.records, [&](const Record& x) { return same_point(x, *nearest); }))
          shown.records.push_back(*nearest);
      }
    fmt::print(to, "\nrecorded, not measured here: {}", heading(r));
    if (!shown.records.empty()) fmt::print(to, "{}", time_table(shown));
  }
  if (recordings.empty()) fmt::print(to, "\nno recorded GPU figures come with this program\n");
}

/// The same points on one device, or on so many GPUs.
struct Round {
  std::unique_ptr<Meter> meter;
  std::string on = {};   ///< ", 2 GPUs"
  bool several = false;  ///< measured by every exchange there is, in turn
};

/// On 1, 2, 4... GPUs up to those asked for. What is wrong with the request, and what the machine lacks for
/// the last one, is found before the first is measured.
std::vector<Round> scaling_rounds(const TimeOptions& o, const SweepPlan& plan, const Patience& patience,
                                  const Meters& meters) {
  if (o.device == Device::cpu)
    throw UsageError(message("--gpus is for GPUs: leave it out, or leave out --device cpu"));
  const int most = o.gpus ? o.gpus : std::max(1, meters.gpus());
  for (const SweepPoint& point : plan.points) {
    const Problem p = timed_problem(*point.kernel, point.request);
    check_shared(*point.kernel, p);
    shares_of(point.kernel->property(p), p.n(), most);
  }
  const std::vector<int> counts = gpu_counts(most);
  std::vector<Round> rounds(counts.size());
  for (size_t k = counts.size(); k-- > 0;)
    rounds[k] = {meters.several(counts[k], patience, Interrupt::pressed),
                 fmt::format(", {} GPU{}", counts[k], counts[k] == 1 ? "" : "s"), counts[k] > 1};
  return rounds;
}

/// What was measured before, and what came after.
Recording joined(Recording all, const Recording& next) {
  if (all.device.empty()) return next;
  all.records.insert(all.records.end(), next.records.begin(), next.records.end());
  for (const EnglishMessage& note : next.notes)
    if (std::ranges::find(all.notes, note) == all.notes.end()) all.notes.push_back(note);
  return all;
}

/// Each round after the other, until one is stopped or fails; `out`, if given, is written after every point.
Measured measure_rounds(const std::vector<Round>& rounds, const SweepPlan& plan,
                        const MeasureOptions& options, const std::string& out) {
  ProgressLine line;
  Measured m;
  size_t saved = 0;
  for (const Round& round : rounds) {
    const auto tell = [&](const MeasureProgress& p) {
      if (const size_t now = m.run.records.size() + p.so_far.records.size();
          !out.empty() && !p.doing.empty() && now > saved) {
        save_recording(joined(m.run, p.so_far), out);
        saved = now;
      }
      MeasureProgress said = p;
      if (!p.doing.empty()) said.doing += round.on;
      line.tell(said);
    };
    MeasureOptions asked = options;
    asked.in_turn |= round.several;
    Measured next = measure(*round.meter, plan, asked, tell);
    next.run = joined(m.run, next.run);
    if (next.refused.empty()) next.refused = m.refused;
    m = std::move(next);
    if (m.stopped || !m.failure.empty()) break;
  }
  return m;
}

/// Where there is no GPU, and the asked lengths are too much for the CPU: what was recorded elsewhere. Throws
/// NoDevice where a file was to be written.
int recorded_alone(const TimeOptions& o, const std::vector<const Algorithm*>& algorithms,
                   const SweepPlan& plan, const Message& refused, std::ostream& to) {
  long long largest = 0;
  for (const SweepPoint& point : plan.points)
    largest = std::max<long long>(largest, timed_problem(*point.kernel, point.request).n());
  print_recorded(to, algorithms, largest);
  to.flush();
  const Message why = message("nothing was measured: there is no GPU here, and {}", refused);
  if (!o.out.empty()) throw NoDevice(message("{}; {} is not written", why, o.out));
  fmt::print(stderr, "time: {}\n", why.english());
  return 0;
}

/// Whether a result is wrong that should be right.
bool any_wrong(const Recording& run, const std::vector<const Algorithm*>& algorithms) {
  std::set<std::string> wrong;
  for (const Record& r : run.records)
    if (!r.correct) wrong.insert(r.kernel);
  for (const Algorithm* a : algorithms)
    if (wrong.contains(a->name) && wrong_by_design(*a)) wrong.erase(a->name);
  return !wrong.empty();
}

}  // namespace

Meters Meters::of_this_machine() {
  return {.gpu = [](const Patience& p, std::function<bool()> stop) { return gpu_meter(p, std::move(stop)); },
          .cpu = [](const Patience& p, std::function<bool()> stop,
                    double longest) { return cpu_meter(p, std::move(stop), longest); }};
}

int time_command(const TimeOptions& o, std::ostream& to, const Meters& meters) {
  check_output(o.out);
  if (o.merge) return merge_command(o, to);
  if (o.kernels.empty())
    throw UsageError(message("time needs the name of a kernel: `barrierscope list` prints them"));
  std::vector<const Algorithm*> algorithms;
  for (const std::string& name : o.kernels) algorithms.push_back(&find(name));

  // what is wrong with the request is found before the device is
  const auto plan_for = [&](Device d) {
    return part_of(plan_sweep(algorithms, o.request, o.sweep, sweep_sizes(d)), o.part);
  };
  SweepPlan plan = plan_for(o.device);
  Patience patience{o.least, o.most, o.noise, o.seconds.value_or(plan.points.size() > 1 ? 0.25 : 1.0)};

  Interrupt interrupt;
  std::vector<Round> rounds(1);
  std::unique_ptr<Meter>& meter = rounds[0].meter;
  bool on_gpu = o.device == Device::gpu;
  if (o.in_turn && o.gpus != 1) throw UsageError(message("--in-turn is for one GPU: leave out --gpus"));
  if (o.gpus != 1)
    rounds = scaling_rounds(o, plan, patience, meters);
  else if (on_gpu)
    try {
      meter = meters.gpu(patience, Interrupt::pressed);
    } catch (const NoDevice& e) {
      if (o.device_given) throw;
      fmt::print(stderr, "time: {}; the CPU's baselines are timed instead\n", e.what());
      on_gpu = false;
      plan = plan_for(Device::cpu);
    }
  if (!on_gpu) {
    std::erase_if(plan.points, [](const SweepPoint& p) { return !family_of(p.kernel->name).timed(); });
    if (plan.points.empty() && o.part.of == 1)
      throw UsageError(
          message("there is no CPU baseline for these kernels: time one of reduce, scan or histogram"));
    meter = meters.cpu(patience, Interrupt::pressed, o.most_seconds);
  }

  const Measured m = measure_rounds(rounds, plan,
                                    {.kernels = on_gpu,
                                     .in_turn = o.in_turn && on_gpu,
                                     .most_seconds = o.most_seconds,
                                     .stop = Interrupt::pressed},
                                    o.out);
  const bool without_gpu = !on_gpu && o.device == Device::gpu;
  if (m.run.records.empty() && !m.refused.empty() && m.failure.empty() && !m.stopped) {
    if (!without_gpu) throw UsageError(m.refused);
    return recorded_alone(o, algorithms, plan, m.refused, to);
  }

  print(to, m.run);
  if (without_gpu && !m.run.records.empty()) {
    long long largest = 0;
    for (const Record& r : m.run.records) largest = std::max(largest, r.n);
    print_recorded(to, algorithms, largest);
  }
  to.flush();
  // a part of a job array may have nothing to do; else nothing takes the place of an older file
  if (!o.out.empty() && (!m.run.records.empty() || plan.points.empty())) save_recording(m.run, o.out);

  if (!m.failure.empty()) fmt::print(stderr, "barrierscope: {}\n", m.failure.english());
  return m.stopped ? 130 : any_wrong(m.run, algorithms) || !m.failure.empty() ? 1 : 0;
}

}  // namespace bscope
