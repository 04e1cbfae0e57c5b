// Everything about the GPU that can be checked only on one, in a program that needs nothing but the driver:
//   gpu_checks device                    names the device; exit 1 if there is none
//   gpu_checks kernels                   names of the kernels
//   gpu_checks load FORM KERNEL          a few small runs, FORM traced or untraced: food for
//   compute-sanitizer gpu_checks all -o FILE [--sanitizer TOOL=VERDICT]... [--left-out SENTENCE]...
//   [--wavefronts KERNEL=LOADS,STORES]...
// `all` compares CPU and GPU, checks results, times the untraced kernels against hand-written ones, and
// writes the record (tests/recorded/gpu.json). Exit 0: all good. 1: a check failed, or there is no device. 2:
// bad usage.
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

#include "engine/analysis/report.hpp"
#include "engine/catalog/catalog.hpp"
#include "tests/gpu/cases.hpp"
#include "tests/gpu/words.hpp"
#include "tests/raw/raw.hpp"

namespace {
using namespace bscope;
using namespace bscope::tests;
using json = nlohmann::ordered_json;

struct Checks {
  int run = 0, failed = 0;
  void that(bool ok, const std::string& sentence) {
    ++run;
    if (ok) return;
    if (++failed <= 40) std::printf("FAIL %s\n", sentence.c_str());
  }
} checks;

#define BACKEND gpu
#define BACKEND_TRACE(c) run((c).algorithm(), (c).problem(), Device::gpu)
#define CHECK_THAT(ok, sentence) checks.that(ok, sentence)
#include "tests/gpu/backend_checks.inc"
#undef BACKEND
#undef BACKEND_TRACE
#undef CHECK_THAT

bool on_the_ladder(const Algorithm& a) { return a.gpu && a.family() != "mistakes"; }

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

json check_all_cases() {
  json digests = json::object();
  std::map<std::string, int> runs;
  double began = seconds();
  std::string kernel;
  auto said = [&] {
    if (kernel.empty()) return;
    std::printf("%-28s %4d runs, CPU = GPU, replayed, proved, untraced right; %.1f s\n", kernel.c_str(),
                runs[kernel], seconds() - began);
    std::fflush(stdout);
    began = seconds();
  };
  for (const Case& c : all_cases()) {
    if (c.kernel != kernel) {
      said();
      kernel = c.kernel;
    }
    guarded(c.key(), [&] {
      const Trace gpu = check_on_gpu(c);
      digests[c.key()] = check_same(c.key(), cpu_trace(c), gpu);
      check_untraced(c);
      ++runs[kernel];
    });
  }
  said();
  for (int n : {1, 31, 64, 1000})
    for (int block : {32, 64, 128, 256}) {
      const std::string key = words_key(n, block);
      guarded(key, [&] {
        const Trace cpu = words_on_cpu(n, block), gpu = words_on_gpu(n, block);
        digests[key] = check_same(key, cpu, gpu);
        checks.that(follow(gpu).snapshots_match, key + ": a snapshot differs from the replay");
      });
    }
  return digests;
}

/// Every legal block size of every kernel, compared one by one and recorded as one digest.
json check_every_block() {
  json blocks = json::object();
  for (const Algorithm* a : catalog()) {
    if (!on_the_ladder(*a)) continue;
    const double began = seconds();
    int runs = 0;
    std::string digests;
    for (const Case& c : every_block(*a))
      guarded(c.key(), [&] {
        digests += check_same(c.key(), cpu_trace(c), run(c.algorithm(), c.problem(), Device::gpu));
        ++runs;
      });
    blocks[a->name] = {{"runs", runs}, {"digest", hex(hash_of(digests.c_str()))}};
    std::printf("%-28s %4d block sizes, CPU = GPU; %.1f s\n", a->name.c_str(), runs, seconds() - began);
    std::fflush(stdout);
  }
  return blocks;
}

/// A fault in a kernel becomes a finding, and the rest of the trace stands.
void check_fault() {
  const Trace t = out_of_bounds_on_gpu();
  checks.that(t.findings.size() == 1 && t.findings[0].thread == 5 && t.findings[0].line > 0,
              "an access out of bounds is reported once, with its thread and line");
  if (!t.findings.empty()) std::printf("finding of the faulty kernel: %s\n", t.findings[0].text.c_str());
  checks.that(t.launches.at(0).blocks.at(0).snapshots.size() == 2 * t.launches[0].shared_bytes,
              "the other threads of the faulty kernel went on to its end");
}

/// Time of the program's untraced kernels over that of the same kernels written by hand.
json check_against_raw() {
  json ratios = json::object();
  for (const Algorithm* a : catalog()) {
    if (!has_raw_twin(a->name)) continue;
    guarded(a->name + " against raw", [&] {
      Request r;
      r.kernel = a->name;
      r.n = 1 << 27;
      r.block = a->full_block;
      const Problem p = make_problem(*a, r);
      const MakeRun ours = [&] { return a->timed(p); }, raw = [&] { return raw_twin(a->name, p); };
      auto output = [](const MakeRun& make) {
        const auto run = make();
        run->restore();
        run->launch();
        return run->output();
      };
      if (a->name != "histogram/racy")
        checks.that(output(ours) == output(raw), a->name + " at 2^27: not the raw kernel's output");
      const Ratio ratio = time_ratio(ours, raw);
      ratios[a->name] = {{"median", ratio.median},
                         {"min", ratio.least},
                         {"max", ratio.most},
                         {"samples", ratio.samples},
                         {"ours_ms", ratio.ours_ms},
                         {"raw_ms", ratio.raw_ms},
                         {"n", p.n()},
                         {"block", p.block}};
      std::printf("%-28s untraced / raw %.4f [%.4f .. %.4f], %.4f ms%s\n", a->name.c_str(), ratio.median,
                  ratio.least, ratio.most, ratio.ours_ms, ratio.median > 1.01 ? "   MORE THAN 1% OVER" : "");
      std::fflush(stdout);
    });
  }
  return ratios;
}

void load(const std::string& form, const std::string& only) {
  for (const Algorithm* a : catalog()) {
    if (!on_the_ladder(*a) || (!only.empty() && a->name != only)) continue;
    for (const int block : {32, 64, 256})
      for (const int n : {50, 700}) {
        Case c;
        c.kernel = a->name;
        c.n = n;
        c.block = block;
        if (form == "traced") {
          a->gpu(c.problem());
          continue;
        }
        const auto timed = a->timed(c.problem());
        timed->restore();
        timed->launch();
        timed->output();
      }
  }
}

/// One whole tile, one launch.
Case once_case(const std::string& kernel) {
  Case c;
  c.kernel = kernel;
  c.block = 512;
  c.n = c.algorithm().tile(c.problem());
  return c;
}

void once(const std::string& kernel) {
  const auto timed = find(kernel).timed(once_case(kernel).problem());
  timed->restore();
  timed->launch();
  timed->output();
}

/// Shared wavefronts that the hardware counted (ncu), beside those that the trace predicts.
json beside_counters(const std::map<std::string, std::string>& counted) {
  json rows = json::object();
  for (const auto& [kernel, numbers] : counted) {
    const Report r = analyse(cpu_trace(once_case(kernel)));
    const RequestTotals t = total(r.requests());
    const size_t comma = numbers.find(',');
    rows[kernel] = {
        {"predicted_loads", t.shared_load_wavefronts},
        {"predicted_stores", t.shared_store_wavefronts},
        {"counted_loads", std::stol(numbers.substr(0, comma))},
        {"counted_stores", comma == std::string::npos ? 0 : std::stol(numbers.substr(comma + 1))}};
    std::printf("%-28s shared wavefronts, loads and stores: predicted %ld and %ld, counted %s\n",
                kernel.c_str(), t.shared_load_wavefronts, t.shared_store_wavefronts, numbers.c_str());
  }
  return rows;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

int usage() {
  std::fprintf(stderr,
               "usage: gpu_checks device | kernels | load traced|untraced [KERNEL] | once KERNEL |\n"
               "       all -o FILE [--sanitizer TOOL=VERDICT]... [--left-out SENTENCE]...\n"
               "           [--wavefronts KERNEL=LOADS,STORES]...\n");
  return 2;
}

int main_of(const std::vector<std::string>& args) {
  if (args.empty()) return usage();
  const std::string& verb = args[0];
  if (verb == "kernels") {
    for (const Algorithm* a : catalog())
      if (a->gpu && a->family() != "mistakes" && a->family() != "skeleton")
        std::printf("%s\n", a->name.c_str());
    return 0;
  }
  if (verb != "device" && verb != "load" && verb != "once" && verb != "all") return usage();
  if (verb == "all" && std::find(args.begin(), args.end(), "-o") == args.end()) return usage();
  std::string why;
  const auto device = gpu(&why);
  if (!device) throw NoDevice(why);
  if (verb == "device") {
    std::printf("%s, driver %s, %d multiprocessors, %.1f GB, %.0f GB/s\n", device->name.c_str(),
                device->driver.c_str(), device->multiprocessors, device->memory_bytes * 1e-9,
                device->peak_gb_per_s);
    return 0;
  }
  if (verb == "load" && (args.size() == 2 || args.size() == 3) &&
      (args[1] == "traced" || args[1] == "untraced")) {
    load(args[1], args.size() == 3 ? find(args[2]).name : "");
    return 0;
  }
  if (verb == "once" && args.size() == 2) {
    once(args[1]);
    return 0;
  }
  if (verb != "all") return usage();

  std::string file;
  json sanitizer = json::object(), left_out = json::array();
  std::map<std::string, std::string> counted;
  for (size_t k = 1; k < args.size(); k += 2) {
    if (k + 1 == args.size()) return usage();
    const std::string& value = args[k + 1];
    if (args[k] == "-o")
      file = value;
    else if (args[k] == "--left-out")
      left_out.push_back(value);
    else if (args[k] == "--sanitizer" && value.find('=') != std::string::npos)
      sanitizer[value.substr(0, value.find('='))] = value.substr(value.find('=') + 1);
    else if (args[k] == "--wavefronts" && value.find('=') != std::string::npos)
      counted[value.substr(0, value.find('='))] = value.substr(value.find('=') + 1);
    else
      return usage();
  }
  if (file.empty()) return usage();

  json record;
  record["format"] = "barrierscope.gpu-checks/1";
  record["device"] = device->name;
  record["driver"] = device->driver;
  record["date"] = today();
  record["sanitizer"] = sanitizer;
  record["left_out"] = left_out;
  // Written after each stage: what a run that is cut short has found is kept.
  auto keep = [&] {
    record["checks"] = checks.run;
    record["failed"] = checks.failed;
    std::ofstream out(file);
    out << record.dump(1) << "\n";
    if (!out.flush()) throw std::runtime_error("cannot write " + file + ": name another with -o");
  };
  keep();
  record["digests"] = check_all_cases();
  keep();
  guarded("queue-7x20", [] { check_queues_on_gpu(); });
  guarded("out of bounds", check_fault);
  guarded("counters", [&] { record["wavefronts"] = beside_counters(counted); });
  record["every_block"] = check_every_block();
  keep();
  record["untraced_over_raw"] = check_against_raw();
  keep();
  std::printf("%d checks, %d failed; wrote %s\n", checks.run, checks.failed, file.c_str());
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
