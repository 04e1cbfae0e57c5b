#include "engine/timing/baseline.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <sstream>
#include <thread>
#include <type_traits>
#include <utility>

// A program for a bare GPU machine is built without TBB: then the serial baseline stands alone.
#ifdef BARRIERSCOPE_TBB
#include <tbb/blocked_range.h>
#include <tbb/combinable.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <execution>
#endif

#include "engine/simt/problem.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

/// Memory that is not touched yet: the threads that work on it are the first to, so that its pages lie
/// near them and no time goes into zeros.
template <class T>
class Buffer {
 public:
  explicit Buffer(size_t n) : cells_(std::make_unique_for_overwrite<T[]>(n)), size_(n) {}
  T* begin() { return cells_.get(); }
  T* end() { return begin() + size_; }
  const T* begin() const { return cells_.get(); }
  const T* end() const { return begin() + size_; }
  size_t size() const { return size_; }
  T& operator[](size_t i) { return cells_[i]; }
  const T& operator[](size_t i) const { return cells_[i]; }

 private:
  std::unique_ptr<T[]> cells_;
  size_t size_;
};

/// f(first, last) over pieces of 0..n, on all cores where there is TBB.
void in_pieces(size_t n, const auto& f) {
#ifdef BARRIERSCOPE_TBB
  tbb::parallel_for(tbb::blocked_range<size_t>(0, n, size_t(1) << 14),
                    [&](const auto& r) { f(r.begin(), r.end()); });
#else
  f(size_t(0), n);
#endif
}

/// What the system says of itself; empty where it does not.
std::string system_text(const char* path) {
  try {
    return read_file(path, size_t(16) << 20);
  } catch (const BadFile&) { return {}; }
}

std::string cpu_name() {
  std::istringstream file(system_text("/proc/cpuinfo"));
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      if (const auto colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
  return "CPU";
}

std::string gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", bytes / 1e9);
  return text;
}

/// Bytes that programs can still take; 0 where unknown.
double free_memory() {
  std::istringstream file(system_text("/proc/meminfo"));
  for (std::string word; file >> word;)
    if (double kib = 0; word == "MemAvailable:" && file >> kib) return kib * 1024;
  return 0;
}

/// What every baseline needs: where its records go, and for how long it may measure.
struct Session {
  const Baseline& job;
  const Recording& run;
  const Patience& patience;
  const std::function<bool()>& stop;
  std::vector<Record> records;

  bool stopped() const { return stop && stop(); }
  /// Measures `work` and keeps the record unless it was stopped; `right` looks at what the last call left.
  void measure(const char* how, const std::string& type, std::function<void()> work, const auto& right) {
    if (stopped()) return;
    Record r;
    r.kernel = std::string(how) + "/" + job.family;
    if (family_of(job.family).job == Family::Job::scan)
      r.parameters["scan"] = job.inclusive ? "inclusive" : "exclusive";
    if (family_of(job.family).takes_keys) r.parameters["bins"] = std::to_string(job.input.bins);
    r.n = job.n();
    r.type = type;
    r.bytes = bytes_to_move(job.family, r.n, type);
    const auto once = wall_clock(std::move(work));
    bool ended = false;
    r.samples = sample(patience, [&] {
      const double seconds = once();
      ended = ended || stopped();
      return seconds;
    });
    if (ended) return;
    r.correct = right();
    complete(r, run);
    records.push_back(std::move(r));
  }

  /// Of the same bytes, on one core and on all; the faster one stays. Empty if it was stopped.
  std::optional<Record> copy(const std::string& type) {
    const double bytes = bytes_to_move(job.family, job.n(), type);
    const size_t half = std::max<size_t>(1, size_t(bytes / 2));
    Buffer<char> from(half), to(half);
    in_pieces(half, [&](size_t first, size_t last) {
      std::memset(&from[first], 1, last - first);
      std::memset(&to[first], 0, last - first);
    });
    const auto piece = [&](size_t first, size_t last) {
      std::memcpy(&to[first], &from[first], last - first);
      // the compiler must not drop a copy without a reader
      asm volatile("" : : "r"(&to[first]) : "memory");
    };
    const size_t before = records.size();
    measure(
        "copy", type, [&] { piece(0, half); }, [&] { return to[half - 1] == 1; });
    measure(
        "copy", type, [&] { in_pieces(half, piece); }, [&] { return to[half - 1] == 1; });
    std::optional<Record> best;
    for (; records.size() > before; records.pop_back()) {
      Record& r = records.back();
      r.bytes = 2 * double(half);
      complete(r, run);
      if (!best || r.gb_per_s > best->gb_per_s) best = std::move(r);
    }
    return best;
  }
};

/// The input as T. An int32 is held as uint32_t, whose sums wrap without undefined behaviour.
template <class T>
Buffer<T> numbers(const Baseline& job) {
  const auto element = [](double v) {
    if constexpr (std::is_integral_v<T>)
      return T(int(v));
    else
      return T(v);
  };
  Buffer<T> data(size_t(job.n()));
  in_pieces(data.size(), [&](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i)
      data[i] = element(job.held.empty() ? job.input((long long)i) : job.held[i]);
  });
  return data;
}

/// A sum that is found another way than the one it checks: whole numbers of 64 bits, or long doubles, and how
/// far rounding may bring a sum of T in any order from it: (k-1) u (|x1| + ... + |xk|) (Jeannerod and Rump,
/// "Improved error bounds for inner products in floating-point arithmetic", 2013; it holds for every k).
template <class T>
class Expected {
 public:
  void add(T v) {
    if constexpr (std::is_integral_v<T>) {
      sum_ += int(v);
    } else {
      sum_ += v;
      sizes_ += std::abs(double(v));
      ++terms_;
    }
  }
  bool operator==(T v) const {
    if constexpr (std::is_integral_v<T>)
      return v == T(sum_);
    else
      return std::abs(double(v - sum_)) <= terms_ * sizes_ * std::numeric_limits<T>::epsilon() / 2;
  }

 private:
  std::conditional_t<std::is_integral_v<T>, long long, long double> sum_ = 0;
  double sizes_ = 0, terms_ = 0;
};

template <class T>
void reduce(Session& s) {
  const Buffer<T> data = numbers<T>(s.job);
  Expected<T> expected;
  for (const T v : data) expected.add(v);
  volatile T sum{};  // keeps the compiler from dropping an unused result
  const auto right = [&] { return expected == T(sum); };
  s.measure(
      "serial", s.job.type, [&] { sum = std::accumulate(data.begin(), data.end(), T{}); }, right);
#ifdef BARRIERSCOPE_TBB
  s.measure(
      "tbb", s.job.type, [&] { sum = std::reduce(std::execution::par_unseq, data.begin(), data.end(), T{}); },
      right);
#endif
}

template <class T>
void scan(Session& s) {
  const Buffer<T> data = numbers<T>(s.job);
  Buffer<T> out(data.size());
  in_pieces(out.size(),
            [&](size_t first, size_t last) { std::fill(&out[first], &out[first] + (last - first), T{}); });
  const auto right = [&] {
    Expected<T> sum;
    for (size_t i = 0; i < data.size(); ++i) {
      if (!s.job.inclusive && sum != out[i]) return false;
      sum.add(data[i]);
      if (s.job.inclusive && sum != out[i]) return false;
    }
    return true;
  };
  s.measure(
      "serial", s.job.type,
      [&] {
        if (s.job.inclusive)
          std::inclusive_scan(data.begin(), data.end(), out.begin());
        else
          std::exclusive_scan(data.begin(), data.end(), out.begin(), T{});
      },
      right);
#ifdef BARRIERSCOPE_TBB
  std::fill(out.begin(), out.end(), T(-1));
  s.measure(
      "tbb", s.job.type,
      [&] {
        if (s.job.inclusive)
          std::inclusive_scan(std::execution::par_unseq, data.begin(), data.end(), out.begin());
        else
          std::exclusive_scan(std::execution::par_unseq, data.begin(), data.end(), out.begin(), T{});
      },
      right);
#endif
}

void histogram(Session& s) {
  if (s.job.input.bins < 1 || s.job.input.bins > 256) throw UsageError(message("bins must be from 1 to 256"));
  using Bins = std::array<uint64_t, 256>;
  const Buffer<uint8_t> keys = [&] {
    Buffer<uint8_t> made(size_t(s.job.n()));
    in_pieces(made.size(), [&](size_t first, size_t last) {
      for (size_t i = first; i < last; ++i)
        made[i] = uint8_t(s.job.held.empty() ? s.job.input((long long)i) : s.job.held[i]);
    });
    return made;
  }();
  const auto add = [&](Bins& bins, size_t first, size_t last) {
    for (size_t i = first; i < last; ++i) ++bins[keys[i]];
  };
  Bins bins{};
  const auto right = [&] {
    // counted another way: one pass a key would take too long, so by pairs of neighbours
    std::vector<uint64_t> pairs(65536);
    const size_t even = keys.size() / 2 * 2;
    for (size_t i = 0; i < even; i += 2) ++pairs[size_t(keys[i]) << 8 | keys[i + 1]];
    Bins expected{};
    for (size_t p = 0; p < pairs.size(); ++p) expected[p >> 8] += pairs[p], expected[p & 255] += pairs[p];
    if (even < keys.size()) ++expected[keys[even]];
    return expected == bins;
  };
  s.measure(
      "serial", "uint8",
      [&] {
        bins.fill(0);
        add(bins, 0, keys.size());
      },
      right);
#ifdef BARRIERSCOPE_TBB
  s.measure(
      "tbb", "uint8",
      [&] {
        tbb::combinable<Bins> own([] { return Bins{}; });
        in_pieces(keys.size(), [&](size_t first, size_t last) { add(own.local(), first, last); });
        bins.fill(0);
        own.combine_each([&](const Bins& b) {
          std::transform(b.begin(), b.end(), bins.begin(), bins.begin(), std::plus<>{});
        });
      },
      right);
#endif
}

}  // namespace

Recording cpu_recording(const Patience& patience) {
  Recording run;
  run.device = cpu_name();
  run.driver = std::to_string(std::max(1u, std::thread::hardware_concurrency())) + " threads";
  run.date = date_now();
  const size_t bytes = size_t(256) << 20;
  Buffer<char> from(bytes), to(bytes);
  in_pieces(bytes, [&](size_t first, size_t last) {
    std::memset(&from[first], 1, last - first);
    std::memset(&to[first], 0, last - first);
  });
  const auto samples = sample(patience, wall_clock([&] {
                                in_pieces(bytes, [&](size_t first, size_t last) {
                                  std::memcpy(&to[first], &from[first], last - first);
                                });
                              }));
  run.copy_gb_per_s = 2 * double(bytes) / summarise(samples).median / 1e9;
  return run;
}

namespace {

/// The beginning of a job shows how long it will take, before anything of its length is made.
void refuse_if_too_slow(const Baseline& job, const Recording& run, const std::function<bool()>& stop,
                        double longest_run) {
  constexpr long long quick = 1 << 24, looked_at = 1 << 20;
  constexpr double around_a_run = 10;  // made before it and checked after it, in runs
  if (job.n() <= quick || !std::isfinite(longest_run)) return;
  Baseline beginning = job;
  beginning.input.n = looked_at;
  if (!job.held.empty()) beginning.held.resize(looked_at);
  const auto began = std::chrono::steady_clock::now();
  const auto records = cpu_baselines(beginning, run, {.least = 1, .most = 1}, stop);
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - began;
  double one = 0;
  for (const Record& r : records) one = std::max(one, r.seconds.median);
  const double a_look = std::max(one, whole.count() / around_a_run);
  const double expected = a_look * double(job.n()) / looked_at;
  if (expected <= longest_run) return;
  const auto most = (long long)(longest_run / a_look * looked_at);
  const auto expected_text = [&](double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2g", seconds * double(job.n()) / looked_at);
    return std::string(text);
  };
  throw TooLarge(
      message("the CPU's {} of {} elements would take about {} s and to make and check it {} s: use at most "
              "--n {}, or "
              "raise --most-seconds",
              job.family, job.n(), expected_text(one), expected_text(whole.count()), std::max(quick, most)));
}

}  // namespace

std::vector<Record> cpu_baselines(const Baseline& job, const Recording& run, const Patience& patience,
                                  const std::function<bool()>& stop, double longest_run) {
  const Family family = family_of(job.family);
  if (!family.timed())
    throw UsageError(message("no CPU baseline for the family {}: there is one for reduce, scan and histogram",
                             job.family));
  const std::string type = family.takes_keys ? "uint8" : job.type;
  const double needed = bytes_to_move(job.family, job.n(), type);  // both of the copy's halves, or the input
  if (const double free = free_memory(); free > 0 && needed > 0.9 * free)
    throw TooLarge(
        message("the CPU's {} of {} elements needs {} GB of memory, and {} are free: take a smaller --n",
                job.family, job.n(), gigabytes(needed), gigabytes(free)));
  refuse_if_too_slow(job, run, stop, longest_run);
  Session s{job, run, patience, stop, {}};
  std::optional<Record> copy = s.copy(type);
  const auto typed = [&](const auto& f) {
    if (job.type == "float") return f(float{});
    if (job.type == "double") return f(double{});
    return f(uint32_t{});
  };
  switch (family.job) {
    case Family::Job::sum: typed([&](auto zero) { reduce<decltype(zero)>(s); }); break;
    case Family::Job::scan: typed([&](auto zero) { scan<decltype(zero)>(s); }); break;
    case Family::Job::count: histogram(s); break;
    case Family::Job::none: break;
  }
  if (copy && !s.records.empty()) {
    for (Record& r : s.records) r.of_copy = r.gb_per_s / copy->gb_per_s;
    copy->of_copy = 1;
    s.records.push_back(std::move(*copy));
  }
  return std::move(s.records);
}

namespace {

class CpuMeter : public Meter {
 public:
  CpuMeter(const Patience& patience, std::function<bool()> stop, double longest_run)
      : patience_(patience), stop_(std::move(stop)), longest_run_(longest_run) {}
  Recording begin() override { return run_ = cpu_recording(); }
  Record kernel(const Algorithm& a, const Problem&) override {
    throw UsageError(message("{} runs on a GPU: on the CPU its family's baselines are timed", a.name));
  }
  std::vector<Record> references(const Algorithm& a, const Problem& p) override {
    if (const std::string op = p.text("operator", "add"); op != "add")
      throw UsageError(message("the CPU's baselines add: there is none for --set operator={}", op));
    Baseline job{a.family(), p.text("type", "int32"), a.property(p) != Property::exclusive_scan, {}, p.data};
    if (p.made) job.input = *p.made;
    if (family_of(a.name).takes_keys) job.input.bins = p["bins"];
    return cpu_baselines(job, run_, patience_, stop_, longest_run_);
  }
  void end(Recording&) override {}

 private:
  Patience patience_;
  std::function<bool()> stop_;
  double longest_run_;
  Recording run_;
};

}  // namespace

std::unique_ptr<Meter> cpu_meter(const Patience& patience, std::function<bool()> stop, double longest_run) {
  return std::make_unique<CpuMeter>(patience, std::move(stop), longest_run);
}

}  // namespace bscope
