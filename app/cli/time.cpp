#include "app/cli/time.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <system_error>

#include "engine/analysis/report.hpp"
#include "engine/timing/baseline.hpp"
#include "engine/timing/gpu_clock.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> setting(const Request& r, const std::string& name) {
  for (const auto& [key, value] : r.set)
    if (key == name) return value;
  return {};
}

bool same(const std::vector<double>& a, const std::vector<double>& b, bool exact, size_t terms) {
  if (a.size() != b.size()) return false;
  double largest = 1;
  for (double v : b) largest = std::max(largest, std::abs(v));
  // rounding of a sum grows with its length; in another order it grows elsewhere
  const double room = exact ? 0 : largest * std::sqrt(double(terms)) * 1e-6;
  for (size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= room)) return false;
  return true;
}

/// The input of a family at one size, made once for all its kernels.
class Inputs {
 public:
  Inputs(const Request& request, long long n) : request_(request) {
    if (!request.values && request.input_file.empty() && request.preset.empty()) request_.n = n;
  }
  /// The problem for this algorithm; the data are moved in, not copied: give them back with `keep`.
  Problem problem(const Algorithm& a) {
    Request r = request_;
    r.kernel = a.name;
    if (!r.block && r.preset.empty()) r.block = a.full_block;
    // several kernels are asked for with one request: each takes what it declares of it
    std::erase_if(r.set, [&](const auto& setting) {
      const auto declared = std::find_if(a.parameters.begin(), a.parameters.end(),
                                         [&](const Parameter& p) { return p.name == setting.first; });
      return declared == a.parameters.end() ||
             (!declared->values.empty() &&
              std::none_of(declared->values.begin(), declared->values.end(),
                           [&](const Choice& c) { return c.text == setting.second; }));
    });
    if (const auto it = data_.find(a.family()); it != data_.end() && r.n) {
      // the checks and defaults of a tiny problem, then the data that are there already
      r.n = 1;
      Problem p = make_problem(a, r);
      p.data = std::move(it->second);
      return p;
    }
    return make_problem(a, r);
  }
  void keep(const Algorithm& a, Problem p) { data_[a.family()] = std::move(p.data); }

 private:
  Request request_;
  std::map<std::string, std::vector<double>> data_;
};

std::map<std::string, std::string> parameters_of(const Problem& p, const Request& request) {
  auto all = p.set;
  all["block"] = std::to_string(p.block);
  if (request.skew.value_or(0) > 0) all["skew"] = skew_text(*request.skew);
  return all;
}

std::string type_of(const std::string& family, const std::map<std::string, std::string>& set) {
  if (family == "histogram") return "uint8";
  const auto it = set.find("type");
  return it == set.end() ? "int32" : it->second;
}

/// Does the kernel race by design, so that a wrong result is its lesson and no failure of ours?
bool races(const Algorithm& a) {
  Request r;
  r.kernel = a.name;
  return analyse(run(a, make_problem(a, r), Device::cpu)).flow.hazards_found > 0;
}

void table_head() {
  fmt::print("{:<28} {:>10} {:>12} {:>9} {:>8} {:>8} {:>7}  {}\n", "kernel", "N", "median", "GB/s", "of copy",
             "of peak", "noise", "result");
}
std::string time_text(double s) {
  return s >= 1e-1   ? fmt::format("{:.3f} s", s)
         : s >= 1e-4 ? fmt::format("{:.3f} ms", s * 1e3)
                     : fmt::format("{:.2f} us", s * 1e6);
}
std::string share_text(double share) { return share > 0 ? fmt::format("{:.1f}%", share * 100) : "-"; }
void table_row(const Record& r) {
  fmt::print("{:<28} {:>10} {:>12} {:>9.4g} {:>8} {:>8} {:>7}  {}\n", r.kernel, power_text(r.n),
             time_text(r.seconds.median), r.gb_per_s, share_text(r.of_copy), share_text(r.of_peak),
             fmt::format("{:.2f}%", r.seconds.noise * 100), r.correct ? "right" : "WRONG");
}
void describe(const Recording& r) {
  fmt::print("{}, {}, {}: copy {:.4g} GB/s", r.device, r.driver, r.date, r.copy_gb_per_s);
  if (r.read_gb_per_s > 0) fmt::print(", pure read {:.4g} GB/s", r.read_gb_per_s);
  if (r.peak_gb_per_s > 0) fmt::print(", peak {:.4g} GB/s", r.peak_gb_per_s);
  fmt::print("\n");
}

/// Where the output goes is checked before minutes of measuring, not after.
void check_output(const std::string& out) {
  if (out.empty()) return;
  const fs::path path = out;
  if (path.extension() != ".json" && path.extension() != ".csv")
    throw UsageError("cannot tell the format of " + out + ": end the name in .json or .csv");
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder))
    throw std::system_error(std::make_error_code(std::errc::no_such_file_or_directory),
                            "cannot write " + out);
}

}  // namespace

std::string power_text(long long n) {
  if (n >= 1024 && (n & (n - 1)) == 0) return "2^" + std::to_string(int(std::log2(double(n)) + 0.5));
  return std::to_string(n);
}

std::vector<long long> sweep_sizes(Device d) {
  std::vector<long long> all;
  for (int p = 10; p <= (d == Device::gpu ? 28 : 26); ++p) all.push_back(1LL << p);
  return all;
}

Recording measure_gpu(const std::vector<const Algorithm*>& algorithms, const Request& request,
                      const std::vector<long long>& sizes, const Patience& patience,
                      const MeasureProgress& progress) {
  std::string why;
  const auto info = gpu(&why);
  if (!info) throw NoDevice(why);
  GpuClock clock;
  const GpuBandwidth before = clock.bandwidth();
  Recording run;
  run.device = info->name;
  run.driver = info->driver;
  run.date = date_now();
  run.copy_gb_per_s = before.copy_gb_per_s;
  run.read_gb_per_s = before.read_gb_per_s;
  run.peak_gb_per_s = info->peak_gb_per_s;
  const int all = int(sizes.size() * algorithms.size());
  int done = 0;
  for (const long long n : sizes) {
    Inputs inputs(request, n);
    std::set<std::pair<std::string, bool>> referenced;
    for (const Algorithm* a : algorithms) {
      if (progress && !progress(run, a->name + ", N = " + power_text(n), done++, all)) return run;
      if (!a->timed)
        throw NoDevice(a->name + " has no GPU form in this program: build it with the CUDA Toolkit");
      Problem p = inputs.problem(*a);
      const std::vector<double> expected = a->expected(p);
      const bool inclusive = a->promise(p) == Promise::inclusive_scan;
      const auto record = [&](const std::string& name, const auto& restore, const auto& launch,
                              const auto& output) {
        Record r;
        r.kernel = name;
        r.parameters = parameters_of(p, request);
        if (name == "cub/scan") r.parameters["scan"] = inclusive ? "inclusive" : "exclusive";
        r.n = p.n();
        r.type = type_of(a->family(), r.parameters);
        r.bytes = bytes_to_move(a->family(), r.n, r.type);
        // the run that is checked is one launch on fresh input; the timed ones follow
        restore();
        launch();
        r.correct = same(output(), expected, r.type == "int32" || r.type == "uint8", size_t(r.n));
        r.samples = clock.samples(restore, launch, patience);
        complete(r, run);
        run.records.push_back(std::move(r));
      };
      {
        const auto timed = a->timed(p);
        record(
            a->name, [&] { timed->restore(); }, [&] { timed->launch(); }, [&] { return timed->output(); });
      }
      const bool plain_sum = !p.set.contains("operator") || p.set.at("operator") == "add";
      const bool of_sum = !p.set.contains("of") || p.set.at("of") == "sum";
      const bool integers = type_of(a->family(), p.set) == "int32" || a->family() == "histogram";
      if (plain_sum && of_sum && integers && referenced.insert({a->family(), inclusive}).second)
        if (const auto reference = cub_reference(a->family(), p.data, inclusive, int(expected.size())))
          record(
              "cub/" + a->family(), [] {}, [&] { reference->launch(); }, [&] { return reference->output(); });
      inputs.keep(*a, std::move(p));
    }
  }
  // A device that grew hot halfway measured its later kernels on a slower clock: say so rather than mix the
  // two.
  const double after = clock.bandwidth().copy_gb_per_s;
  if (after < 0.97 * before.copy_gb_per_s)
    fmt::print(stderr,
               "time: the GPU slowed down during the run (copy {:.0f} GB/s at its start, {:.0f} at its end): "
               "let it cool "
               "and measure again\n",
               before.copy_gb_per_s, after);
  if (progress) progress(run, "", all, all);
  return run;
}

Recording measure_cpu(const std::vector<std::string>& families, const Request& request,
                      const std::vector<long long>& sizes, const Patience& patience,
                      const MeasureProgress& progress, const std::function<bool()>& stop) {
  Recording run = cpu_recording();
  const int all = int(sizes.size() * families.size());
  int done = 0;
  bool stopped = false;
  for (const long long n : sizes)
    for (const std::string& family : families) {
      if (stopped || (progress && !progress(run, family + ", N = " + power_text(n), done++, all))) return run;
      Baseline job;
      job.family = family;
      job.n = n;
      job.type = setting(request, "type").value_or("int32");
      job.inclusive = setting(request, "scan").value_or("inclusive") == "inclusive";
      if (const auto bins = setting(request, "bins")) job.bins = std::clamp(std::atoi(bins->c_str()), 1, 256);
      job.skew = request.skew.value_or(0);
      job.seed = request.seed;
      for (Record& r : cpu_baselines(job, run, patience, stop)) run.records.push_back(std::move(r));
      stopped = stop && stop();
    }
  if (progress) progress(run, "", all, all);
  return run;
}

std::vector<Recording> recorded_curves() {
  fs::path folder = recordings_folder();
#ifdef BARRIERSCOPE_ASSETS
  if (folder.empty()) folder = fs::path(BARRIERSCOPE_ASSETS) / "recorded";
#endif
  return folder.empty() ? std::vector<Recording>{} : recordings_in(folder);
}

int time_command(const TimeOptions& o) {
  check_output(o.out);
  if (o.kernels.empty()) throw UsageError("time needs the name of a kernel: `barrierscope list` prints them");
  std::vector<const Algorithm*> algorithms;
  std::vector<std::string> families;
  for (const std::string& name : o.kernels) {
    algorithms.push_back(&find(name));
    const std::string family = algorithms.back()->family();
    if (std::find(families.begin(), families.end(), family) == families.end()) families.push_back(family);
  }
  // a bad parameter is found before the device is
  for (const Algorithm* a : algorithms) {
    Request r = o.request;
    r.kernel = a->name;
    if (r.n && *r.n > 1) r.n = 1;
    if (o.request.n && *o.request.n < 1) r.n = o.request.n;
    make_problem(*a, r);
  }

  std::string why;
  const bool has_gpu = gpu(&why).has_value();
  const bool on_gpu = o.device == Device::gpu && has_gpu;
  if (o.device == Device::gpu && !has_gpu && o.device_given) throw NoDevice(why);
  if (o.device == Device::gpu && !has_gpu)
    fmt::print(stderr, "time: {}; the CPU's baselines are timed instead\n", why);

  std::vector<long long> sizes = sweep_sizes(on_gpu ? Device::gpu : Device::cpu);
  if (o.request.n)
    sizes = {*o.request.n};
  else if (o.request.values)
    sizes = {(long long)o.request.values->size()};
  else if (!o.request.input_file.empty())
    sizes = {(long long)read_numbers(o.request.input_file).size()};
  const auto progress = [](const Recording&, const std::string& doing, int done, int all) {
    if (!doing.empty()) fmt::print(stderr, "time: {} of {}: {}\n", done + 1, all, doing);
    return true;
  };
  Recording run;
  bool failed = false;
  if (on_gpu) {
    run = measure_gpu(algorithms, o.request, sizes, {.seconds = 0.25}, progress);
    for (const Algorithm* a : algorithms)
      failed = failed || (std::any_of(run.records.begin(), run.records.end(),
                                      [&](const Record& r) { return r.kernel == a->name && !r.correct; }) &&
                          !races(*a));
  } else {
    std::erase_if(families,
                  [](const std::string& f) { return f != "reduce" && f != "scan" && f != "histogram"; });
    if (families.empty())
      throw UsageError("there is no CPU baseline for these kernels: time one of reduce, scan or histogram");
    run = measure_cpu(families, o.request, sizes, {.seconds = sizes.size() > 1 ? 0.25 : 1.0}, progress);
    for (const Record& r : run.records) failed = failed || !r.correct;
  }
  if (!o.out.empty()) save_recording(run, o.out);

  describe(run);
  table_head();
  for (const Record& r : run.records) table_row(r);
  if (!on_gpu && o.device == Device::gpu) {
    const auto recordings = recorded_curves();
    for (const Recording& r : recordings) {
      fmt::print("\nrecorded, not measured here: ");
      describe(r);
      table_head();
      for (const Algorithm* a : algorithms) {
        // the size nearest to the largest one measured here
        const Record* nearest = nullptr;
        const auto distance = [&](const Record& x) {
          return std::abs(std::log2(double(x.n)) - std::log2(double(sizes.back())));
        };
        for (const Record& x : r.records)
          if (x.kernel == a->name && (!nearest || distance(x) < distance(*nearest))) nearest = &x;
        if (nearest) table_row(*nearest);
      }
    }
    if (recordings.empty()) fmt::print("\nno recorded GPU figures come with this program\n");
  }
  return failed ? 1 : 0;
}

}  // namespace bscope
