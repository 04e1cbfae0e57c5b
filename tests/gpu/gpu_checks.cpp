// Everything about the GPU that can be checked only on one, in a program that needs nothing but the driver.
// tests/gpu/on_gpu.sh calls it, kernel by kernel, so that one that fails does not lose the others:
//   gpu_checks device [-o FILE]         names the device; exit 1 if there is none
//   gpu_checks kernels | mistakes       names, one a line
//   gpu_checks check KERNEL -o FILE     CPU = GPU, replay, proof; untraced and stamped results
//   gpu_checks words -o FILE            the same of kernels that say every word of the dialect
//   gpu_checks libraries KERNEL -o FILE results against CUB's and Thrust's, up to 2^24 + 1
//   gpu_checks raw KERNEL -o FILE       time of the untraced form over the hand-written one's
//   gpu_checks stamped KERNEL -o FILE   time of the stamped form over the untraced one's
//   gpu_checks timeline KERNEL -o FILE  when each warp came where, in a few hundred blocks
//   gpu_checks counters KERNEL [COUNT]  the runs whose counters ncu reads, with a trace's grids
//   gpu_checks load FORM KERNEL         a few small runs for compute-sanitizer; FORM is traced,
//                                       untraced or stamped
// Without a device:
//   gpu_checks expect KERNEL            what those runs' traces show in shared memory: race, clean
//                                       or race-with-atomics; and "unsafe" if it must not be run untraced
//   gpu_checks predict -o FILE          the counters' runs, with the counts that traces predict
// Files are JSON. Exit 0: all good. 1: a check failed, or there is no device. 2: bad usage.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/analysis/contention.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/proof.hpp"
#include "engine/analysis/report.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/estimate.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/phase_names.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/algorithm.hpp"
#include "engine/simt/problem.hpp"
#include "engine/simt/traced_grid.hpp"
#include "engine/timing/meter.hpp"
#include "engine/timing/several.hpp"
#include "engine/timing/timeline.hpp"
#include "engine/trace/trace.hpp"
#include "tests/gpu/cases.hpp"
#include "tests/gpu/counters.hpp"
#include "tests/gpu/libraries.hpp"
#include "tests/gpu/words.hpp"
#include "tests/raw/raw.hpp"

namespace {
using namespace bscope;
using namespace bscope::tests;
using json = nlohmann::ordered_json;

struct Checks {
  int run = 0, failed = 0;
  std::vector<std::string> failures;
  void that(bool ok, const std::string& sentence) {
    ++run;
    if (ok) return;
    if (++failed > 40) return;
    failures.push_back(sentence);
    std::printf("FAIL %s\n", sentence.c_str());
  }
} checks;

#define BACKEND gpu
#define BACKEND_TRACE(c) run((c).algorithm(), (c).problem(), Device::gpu)
#define CHECK_THAT(ok, sentence) checks.that(ok, sentence)
#include "tests/gpu/backend_checks.inc"
#undef BACKEND
#undef BACKEND_TRACE
#undef CHECK_THAT

bool mistaken(const Algorithm& a) { return a.family() == "mistakes"; }

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Trace cpu_trace(const Case& c) {
  return run(c.algorithm(), c.problem(), Device::cpu, {Schedule::to_barrier});
}

bool close(const std::vector<double>& got, const std::vector<double>& expected, const std::string& type) {
  if (got.size() != expected.size()) return false;
  const double tolerance = type == "float" ? 1e-4 : type == "double" ? 1e-12 : 0;
  double size = 1;  // of the sums on the way, which the result may cancel
  for (double v : expected) size = std::max(size, std::abs(v));
  for (size_t i = 0; i < got.size(); ++i)
    if (!(std::abs(got[i] - expected[i]) <= tolerance * size * 10)) return false;
  return true;
}
std::string type_of(const Case& c) {
  for (const auto& [name, value] : c.set)
    if (name == "type") return value;
  return "int32";
}

/// The untraced form gives the expected output, twice: restore() really restores.
void check_untraced(const Case& c) {
  if (c.kernel == "histogram/racy") return;  // wrong by design
  const Problem p = c.problem();
  const auto expected = c.algorithm().expected(p);
  const auto timed = c.algorithm().timed(p);
  for (int k = 0; k < 2; ++k) {
    timed->restore();
    timed->launch();
    checks.that(close(timed->output(), expected, type_of(c)),
                c.key() + ": wrong result of the untraced kernel");
  }
}

/// The stamped form gives the expected output, and what it wrote down can be.
void check_stamped(const Case& c) {
  const Problem p = c.problem();
  const auto timed = c.algorithm().timed(p);
  timed->restore();
  timed->make_room_for_stamps();
  timed->restore();
  timed->launch_stamped();
  double mhz = 1980;  // a guess: within one multiprocessor only the order counts
  Timeline t;
  t.launches = timeline_of(timed->stamps(), mhz);
  for (const std::string& sentence : contradictions(t))
    checks.that(false, c.key() + ", stamped: " + sentence);
  if (c.kernel != "histogram/racy")
    checks.that(close(timed->output(), c.algorithm().expected(p), type_of(c)),
                c.key() + ": wrong result of the stamped kernel");
}

/// Same events, same snapshots. Returns the digest to be recorded.
std::string check_same(const std::string& key, const Trace& cpu, const Trace& gpu) {
  const Agreement level = agreement(cpu);
  const std::string a = hex(comparable_digest(cpu, level)), b = hex(comparable_digest(gpu, level));
  checks.that(a == b,
              key + ": CPU and GPU traces differ: " + (a == b ? "" : first_difference(cpu, gpu, level)));
  return b;
}

void guarded(const std::string& what, const std::function<void()>& f) {
  try {
    f();
  } catch (const NoDevice&) { throw; } catch (const std::exception& e) {
    checks.that(false, what + ": " + e.what());
  }
}

/// Digests of all its cases, and of every legal block size as one.
void check_kernel(const Algorithm& a, json& record) {
  const double began = seconds();
  json digests = json::object();
  for (const Case& c : cases_of(a))
    guarded(c.key(), [&] {
      const Trace gpu = check_on_gpu(c);
      digests[c.key()] = check_same(c.key(), cpu_trace(c), gpu);
      check_untraced(c);
      check_stamped(c);
    });
  json of_blocks = json::array();
  int runs = 0;
  for (const auto& some : every_block(a)) {
    std::string all;
    for (const Case& c : some)
      guarded(c.key(), [&] {
        const Trace gpu = run(c.algorithm(), c.problem(), Device::gpu);
        checks.that(is_right(gpu) || c.kernel == "histogram/racy", c.key() + ": wrong result");
        all += check_same(c.key(), cpu_trace(c), gpu);
        ++runs;
      });
    of_blocks.push_back(hex(hash_of(all.c_str())));
  }
  std::printf(
      "%-28s %4d runs CPU = GPU, replayed, proved, untraced and stamped right; %4d block sizes CPU = GPU; "
      "%.1f s\n",
      a.name.c_str(), int(digests.size()), runs, seconds() - began);
  record["digests"] = std::move(digests);
  record["every_block"] = {{"runs", runs}, {"digests", std::move(of_blocks)}};
}

json check_words() {
  json digests = json::object();
  for (int n : {1, 31, 64, 1000})
    for (int block : {32, 64, 128, 256}) {
      const std::string key = words_key(n, block);
      guarded(key, [&] {
        const Trace cpu = words_on_cpu(n, block), gpu = words_on_gpu(n, block);
        digests[key] = check_same(key, cpu, gpu);
        checks.that(replay_trace(gpu).snapshots_match, key + ": a snapshot differs from the replay");
      });
    }
  for (int n : {1, 31, 64, 1000})
    for (int block : {1, 33, 64, 256}) {
      const std::string key = atomics_key(n, block);
      guarded(key, [&] {
        const Trace cpu = atomics_on_cpu(n, block), gpu = atomics_on_gpu(n, block);
        digests[key] = check_same(key, cpu, gpu);
        checks.that(cpu.launches.at(0).after == gpu.launches.at(0).after, key + ": arrays end otherwise");
        checks.that(replay_trace(gpu).snapshots_match, key + ": a snapshot differs from the replay");
      });
    }
  return digests;
}

/// A fault in a kernel becomes a finding, and the rest of the trace stands.
void check_fault() {
  const Trace t = out_of_bounds_on_gpu();
  checks.that(t.findings.size() == 1 && t.findings[0].thread == 5 && t.findings[0].line > 0,
              "an access out of bounds is reported once, with its thread and line");
  if (!t.findings.empty()) std::printf("finding of the faulty kernel: %s\n", t.findings[0].text().c_str());
  checks.that(t.launches.at(0).blocks.at(0).snapshots.size() == 2 * t.launches[0].shared_bytes,
              "the other threads of the faulty kernel went on to its end");
}

/// A problem whose input the GPU makes: with 2^27 numbers that the host makes and copies, a setting takes 9 s
/// instead of one.
Problem full_problem(const Algorithm& a, RunSpec r) {
  r.pattern = "random";
  return timed_problem(a, r);
}

/// Elements for a timing: so many that a run takes 0.25 ms, from 2^25 to 2^27; fewer if 2^25 take more than
/// 30 ms.
int full_size(const Algorithm& a, RunSpec r) {
  constexpr int least = 1 << 25, most = 1 << 27, probe = 1 << 20;
  r.n = probe / 16;
  double ms = time_of(*a.timed(full_problem(a, r)));
  double of_one = ms * 16 / probe;
  if (ms < 1) {
    r.n = probe * 4;
    of_one = time_of(*a.timed(full_problem(a, r))) / *r.n;
  }
  if (of_one * least > 30) return std::max(1 << 10, int(30 / of_one));
  return int(std::clamp(0.25 / of_one, double(least), double(most)));
}

/// The default, and each other value of each parameter that shapes the kernel.
std::vector<std::pair<std::string, RunSpec>> timed_settings(const Algorithm& a) {
  std::vector<std::pair<std::string, RunSpec>> all;
  RunSpec plain;
  plain.kernel = a.name;
  plain.block = a.full_block;
  all.emplace_back(a.name, plain);
  for (const Parameter& p : a.parameters) {
    if (p.name == "type" || p.name == "operator") continue;
    for (const std::string& value : other_values(p)) {
      RunSpec r = plain;
      r.set.emplace_back(p.name, value);
      all.emplace_back(a.name + " " + p.name + "=" + value, r);
    }
  }
  return all;
}

/// A run whose launches are in their stamped form.
class StampedRun final : public TimedRun {
 public:
  explicit StampedRun(std::unique_ptr<TimedRun> run) : run_(std::move(run)) {
    run_->restore();
    run_->make_room_for_stamps();
    run_->restore();
  }
  void restore(void* stream) override { run_->restore(stream); }
  void launch(void* stream) override { run_->launch_stamped(stream); }
  std::vector<double> output() override { return run_->output(); }
  DeviceSpan input() const override { return run_->input(); }
  DeviceSpan result() const override { return run_->result(); }
  void* working() override { return run_->working(); }

 private:
  std::unique_ptr<TimedRun> run_;
};

/// What the stamps cost at full size.
json stamped_over_untraced(const Algorithm& a) {
  RunSpec r;
  r.kernel = a.name;
  r.block = a.full_block;
  r.n = full_size(a, r);
  const Problem p = full_problem(a, r);
  const tests::Ratio ratio =
      time_ratio([&] { return std::make_unique<StampedRun>(a.timed(p)); }, [&] { return a.timed(p); }, 3);
  std::printf("%-36s stamped / untraced %.4f [%.4f .. %.4f], %.4f ms\n", a.name.c_str(), ratio.median,
              ratio.least, ratio.most, ratio.ours_ms);
  return {{"median", ratio.median},
          {"min", ratio.least},
          {"max", ratio.most},
          {"samples", ratio.samples},
          {"stamped_ms", ratio.ours_ms},
          {"untraced_ms", ratio.raw_ms},
          {"n", p.n()},
          {"block", p.block}};
}

/// A timeline that tells something, and whose file stays small: a few hundred blocks.
void keep_timeline(const Algorithm& a, const std::string& file) {
  const auto meter = gpu_meter({.most = 30, .seconds = 0.2});
  RunSpec r;
  r.kernel = a.name;
  r.block = std::min(a.full_block, 256);
  r.n = 1;
  const int tile = a.tile(make_problem(a, r));
  r.n = std::min(tile * 400, 1 << 22);
  const Problem p = make_problem(a, r);
  Timeline t = meter->timeline(a, p);
  name_phases(t, a, p);
  for (const std::string& sentence : contradictions(t)) checks.that(false, a.name + ": " + sentence);
  checks.that(!t.launches.empty() && !t.launches[0].blocks.empty(), a.name + ": an empty timeline");
  std::ofstream out(file);
  out << to_json(t);
  if (!out.flush()) throw std::runtime_error("cannot write " + file + ": name another with -o");
  std::printf("%-28s timeline of %lld elements, stamped / untraced %.4f\n", a.name.c_str(), t.n,
              t.stamped_s / t.untraced_s);
}

/// Time of the program's untraced kernels over that of the same kernels written by hand.
void check_against_raw(const Algorithm& a, json& record) {
  record["has_twin"] = has_raw_twin(a.name);
  if (!has_raw_twin(a.name)) {
    checks.that(a.family() == "skeleton", a.name + ": no twin in tests/raw");
    return;
  }
  json& ratios = record["untraced_over_raw"] = json::object();
  for (auto [key, r] : timed_settings(a))
    guarded(key + " against raw", [&, key = key, r = r]() mutable {
      r.n = full_size(a, r);
      const Problem p = full_problem(a, r);
      const MakeRun ours = [&] { return a.timed(p); }, raw = [&] { return raw_twin(a.name, p); };
      auto output = [](const MakeRun& make) {
        const auto run = make();
        run->restore();
        run->launch();
        return run->output();
      };
      if (a.name != "histogram/racy")
        checks.that(output(ours) == output(raw), key + " at full size: not the raw kernel's output");
      const tests::Ratio ratio = time_ratio(ours, raw, r.set.empty() ? 5 : 3);
      ratios[key] = {{"median", ratio.median},
                     {"min", ratio.least},
                     {"max", ratio.most},
                     {"samples", ratio.samples},
                     {"ours_ms", ratio.ours_ms},
                     {"raw_ms", ratio.raw_ms},
                     {"n", p.n()},
                     {"block", p.block}};
      std::printf("%-36s untraced / raw %.4f [%.4f .. %.4f], %.4f ms%s\n", key.c_str(), ratio.median,
                  ratio.least, ratio.most, ratio.ours_ms, ratio.median > 1.01 ? "   MORE THAN 1% OVER" : "");
      std::fflush(stdout);
    });
}

/// Results of the untraced form against CUB's and Thrust's: one element, primes, about powers of two, several
/// levels; at the block of full size and at 32.
void check_against_libraries(const Algorithm& a, json& record) {
  const double began = seconds();
  int runs = 0, longest = 0;
  std::vector<std::vector<std::pair<std::string, std::string>>> settings{{}};
  for (const Parameter& p : a.parameters) {
    if (p.name != "type" && p.name != "operator" && p.name != "scan") continue;
    for (const Choice& value : p.values)
      if (value.text != p.initial.text) settings.push_back({{p.name, value.text}});
  }
  for (const auto& set : settings)
    for (const int block : {a.full_block, 32}) {
      bool slow = false;
      for (const int n : {1, 2, 31, 32, 33, 257, 1009, 1023, 1024, 1025, 65'535, 65'536, 65'537, 1'000'003,
                          (1 << 20) + 1, (1 << 24) - 1, (1 << 24) + 1}) {
        if (slow || (!set.empty() && n > 1'100'000)) break;
        RunSpec r;
        r.kernel = a.name;
        r.n = n;
        r.block = block;
        r.set = set;
        const std::string key = a.name + " n=" + std::to_string(n) + " block=" + std::to_string(block) +
                                (set.empty() ? "" : " " + set[0].first + "=" + set[0].second);
        guarded(key, [&] {
          const Problem p = make_problem(a, r);
          const Property property = a.property(p);
          if (property == Property::none || a.name == "histogram/racy") return;
          const auto timed = a.timed(p);
          timed->restore();
          const double start = seconds();
          timed->launch();
          const std::vector<double> got = timed->output();
          slow = seconds() - start > 0.5;
          const auto it = p.set.find("type");
          for (const auto& [library, expected] : by_libraries(property, p)) {
            checks.that(close(got, expected, it == p.set.end() ? "int32" : it->second),
                        key + ": not what " + library + " gives");
            ++runs;
          }
          longest = std::max(longest, n);
        });
      }
    }
  record["libraries"] = {{"comparisons", runs}, {"longest", longest}};
  std::printf("%-28s %4d comparisons with CUB and Thrust, up to N = %d; %.1f s\n", a.name.c_str(), runs,
              longest, seconds() - began);
}

/// Two and three parts that share this one GPU tell each other their sums as several GPUs do, and get what
/// one gets alone.
void check_in_parts(const Algorithm& a) {
  for (const std::vector<int>& gpus : {std::vector{0}, std::vector{0, 0}, std::vector{0, 0, 0}})
    for (const char* type : {"int32", "double"})
      for (const long long n : {33LL, 1009LL, 65'537LL, (1LL << 24) + 5}) {
        RunSpec r;
        r.kernel = a.name;
        r.n = n;
        if (type != std::string("int32")) r.set = {{"type", type}};
        const std::string key =
            a.name + " n=" + std::to_string(n) + " " + type + " in parts: " + std::to_string(gpus.size());
        guarded(key, [&] {
          Problem p;
          try {
            p = timed_problem(a, r);
            check_shared(a, p);
          } catch (const UsageError&) { return; }  // not of this type, or not for several
          const auto meter = gpus_together(gpus, {.least = 1, .most = 1});
          meter->begin();
          for (const Record& record : meter->in_turn(a, p))
            checks.that(record.correct || a.name == "histogram/racy", key + ": wrong");
        });
      }
}

/// A few small runs of a kernel, and its presets.
std::vector<Case> load_cases(const Algorithm& a) {
  std::vector<Case> cases;
  const std::vector<int> legal = legal_blocks(a);
  for (const int block : {32, 64, 256}) {
    if (!std::binary_search(legal.begin(), legal.end(), block)) continue;
    for (const int n : {50, 700}) {
      Case c;
      c.kernel = a.name;
      c.n = n;
      c.block = block;
      cases.push_back(c);
    }
  }
  for (const Preset& preset : a.presets) {
    Case c;
    c.kernel = a.name;
    c.preset = preset.name;
    cases.push_back(c);
  }
  return cases;
}

void launch_untraced(const Case& c) {
  const auto timed = c.algorithm().timed(c.problem());
  timed->restore();
  timed->launch();
  timed->output();
}

void launch_stamped(const Case& c) {
  const auto timed = c.algorithm().timed(c.problem());
  timed->restore();
  timed->make_room_for_stamps();
  timed->restore();
  timed->launch_stamped();
  timed->stamps();
}

constexpr const char* forms[] = {"traced", "untraced", "stamped"};

void load(const std::string& form, const Algorithm& a) {
  for (const Case& c : load_cases(a))
    if (form == "traced")
      a.gpu(c.problem());
    else if (form == "stamped")
      launch_stamped(c);
    else
      launch_untraced(c);
}

/// Whether one of the hazard's two accesses is an atomic.
bool has_atomic(const DataflowGraph& flow, const Hazard& h) {
  return std::any_of(flow.nodes.begin(), flow.nodes.end(), [&](const Node& n) {
    return is_atomic(n.op) && n.launch == h.launch && n.place == h.place &&
           ((n.thread == h.threads[0] && n.line == h.lines[0]) ||
            (n.thread == h.threads[1] && n.line == h.lines[1]));
  });
}

void expect(const Algorithm& a) {
  bool race = false, plain = false, global = false, unsafe = false;
  std::string found;
  for (const Case& c : load_cases(a)) {
    const Trace t = cpu_trace(c);
    for (const Finding& f : t.findings) {
      unsafe |= f.kind == FindingKind::out_of_bounds;
      found = f.text();
    }
    const DataflowGraph flow = replay_trace(t);
    for (const Hazard& h : flow.hazards) {
      global |= !h.place.shared();
      if (!h.place.shared()) continue;
      race = true;
      plain |= !has_atomic(flow, h);
    }
  }
  std::printf("%s%s%s%s%s\n",
              plain  ? "race"
              : race ? "race-with-atomics"
                     : "clean",
              unsafe ? " unsafe" : "", global ? " global-race" : "",
              found.empty() ? "" : " finding: ", found.c_str());
}

json predict(const Algorithm& a) {
  json runs = json::object();
  for (const Case& c : counter_cases(a))
    guarded(c.key(), [&] {
      json& launches = runs[c.key()] = json::array();
      for (const LaunchCounts& l : predicted_counts(cpu_trace(c)))
        launches.push_back({l.launch, l.grid, l.block, l.counts});
    });
  return runs;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

int usage() {
  std::fprintf(
      stderr,
      "usage: gpu_checks device [-o FILE] | kernels | mistakes | check KERNEL -o FILE | words -o FILE |\n"
      "       libraries KERNEL -o FILE | raw KERNEL -o FILE | stamped KERNEL -o FILE |\n"
      "       timeline KERNEL -o FILE | counters KERNEL [COUNT] |"
      "       load traced|untraced|stamped KERNEL | expect KERNEL | predict -o FILE\n");
  return 2;
}

void write(const std::string& file, const json& j) {
  std::ofstream out(file);
  out << j.dump(1) << "\n";
  if (!out.flush()) throw std::runtime_error("cannot write " + file + ": name another with -o");
}

int main_of(std::vector<std::string> args) {
  std::string file;
  if (const auto o = std::find(args.begin(), args.end(), "-o"); o != args.end()) {
    if (o + 1 == args.end()) return usage();
    file = o[1];
    args.erase(o, o + 2);
  }
  if (args.empty()) return usage();
  const std::string& verb = args[0];
  if ((verb == "kernels" || verb == "mistakes") && args.size() == 1) {
    for (const Algorithm* a : catalog())
      if (mistaken(*a) == (verb == "mistakes")) std::printf("%s\n", a->name.c_str());
    return 0;
  }
  if (verb == "expect" && args.size() == 2) return expect(find(args[1])), 0;
  if (verb == "predict" && args.size() == 1 && !file.empty()) {
    json all{{"counters", counter_names}, {"runs", json::object()}};
    for (const Algorithm* a : catalog())
      if (!mistaken(*a)) all["runs"].update(predict(*a));
    write(file, all);
    return checks.failed ? 1 : 0;
  }
  const bool writes_file = verb == "check" || verb == "libraries" || verb == "raw" || verb == "words" ||
                           verb == "stamped" || verb == "timeline";
  if (writes_file ? file.empty() || args.size() != (verb == "words" ? 1u : 2u)
                  : !(verb == "device" && args.size() == 1) &&
                        !(verb == "load" && args.size() == 3 &&
                          std::ranges::find(forms, args[1]) != std::end(forms)) &&
                        !(verb == "counters" && (args.size() == 2 || args.size() == 3)))
    return usage();

  Message why;
  const auto device = gpu(&why);
  if (!device) throw NoDevice(why);
  limit_memory(1e18);  // the untraced form runs at full size and is not traced
  if (verb == "device") {
    std::printf("%s, driver %s, %d multiprocessors, %.1f GB, %.0f GB/s\n", device->name.c_str(),
                device->driver.c_str(), device->multiprocessors, device->memory_bytes * 1e-9,
                device->peak_gb_per_s);
    if (!file.empty()) write(file, {{"device", device->name}, {"driver", device->driver}, {"date", today()}});
    return 0;
  }
  if (verb == "load") return load(args[1], find(args[2])), 0;
  if (verb == "counters") {
    size_t left = args.size() == 3 ? std::stoul(args[2]) : size_t(-1);
    const TracedGrid as_predicted;
    for (const Case& c : counter_cases(find(args[1])))
      if (left-- > 0) launch_untraced(c);
    return 0;
  }

  if (verb == "timeline") return keep_timeline(find(args[1]), file), checks.failed ? 1 : 0;

  json record;
  if (verb == "words") {
    record["digests"] = check_words();
    guarded("queue-7x20", [] { check_queues_on_gpu(); });
    guarded("out of bounds", check_fault);
  } else {
    const Algorithm& a = find(args[1]);
    record["kernel"] = a.name;
    if (verb == "check")
      check_kernel(a, record);
    else if (verb == "libraries")
      check_against_libraries(a, record), check_in_parts(a);
    else if (verb == "stamped")
      guarded(a.name + " stamped",
              [&] { record["stamped_over_untraced"][a.name] = stamped_over_untraced(a); });
    else
      check_against_raw(a, record);
  }
  record["checks"] = checks.run;
  record["failed"] = checks.failed;
  record["failures"] = checks.failures;
  write(file, record);
  return checks.failed ? 1 : 0;
}
}  // namespace

int main(int argc, char** argv) {
  try {
    return main_of({argv + 1, argv + argc});
  } catch (const UsageError& e) {
    std::fprintf(stderr, "gpu_checks: %s\n", e.what());
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "gpu_checks: %s\n", e.what());
    return 1;
  }
}
