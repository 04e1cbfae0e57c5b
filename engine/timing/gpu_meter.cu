// The meter of a GPU: runs, references and limits on one problem, each timed by the device's clock and
// checked.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/simt/family.hpp"
#include "engine/simt/gpu_machine.hpp"
#include "engine/simt/gpu_memory.hpp"
#include "engine/timing/gpu_check.hpp"
#include "engine/timing/gpu_clock.hpp"
#include "engine/timing/gpu_events.hpp"
#include "engine/timing/gpu_meters.hpp"
#include "engine/timing/gpu_reference.hpp"
#include "engine/timing/meter.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

double median_of(std::vector<double> v) { return v.empty() ? 0 : summarise(std::move(v)).median; }

/// Compared on the host, where the input is held: every algorithm says what it expects. A float may differ by
/// what an order of adding changes.
bool same(const std::vector<double>& is, const std::vector<double>& should, bool exact, double terms) {
  if (is.size() != should.size()) return false;
  double largest = 1;
  if (!exact)
    for (double x : should) largest = std::max(largest, std::abs(x));
  const double room = exact ? 0 : largest * std::sqrt(terms) * 1e-6;
  for (size_t i = 0; i < is.size(); ++i)
    if (!(std::abs(is[i] - should[i]) <= room)) return false;
  return true;
}

/// Takes what cannot be had for a point that is too large; every other error is the device's.
auto if_it_fits(const auto& f) {
  try {
    return f();
  } catch (const TooLarge&) { throw; } catch (const NoDevice& e) {
    throw Error(e.message());  // it was there when the meter was made
  } catch (const UsageError& e) { throw TooLarge(e.message()); }
}

class GpuMeter final : public Meter {
 public:
  GpuMeter(const Patience& patience, std::function<bool()> stop, int gpu)
      : patience_(patience), stop_(std::move(stop)), gpu_(gpu) {
    need_device();
    must(cudaSetDevice(gpu), "choosing the GPU");
    clock_ = std::make_unique<GpuClock>();
  }

  Recording begin() override {
    return if_it_fits([&] {
      must(cudaSetDevice(gpu_), "choosing the GPU");
      const auto info = bscope::gpu();
      run_.device = info->name;
      run_.driver = info->driver;
      run_.date = date_now();
      run_.peak_gb_per_s = info->peak_gb_per_s;
      int khz = 0;
      must(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, gpu_), "asking for the GPU's clock");
      run_.clock_mhz = khz * 1e-3;
      must(cudaDeviceGetAttribute(&khz, cudaDevAttrMemoryClockRate, gpu_), "asking for the memory's clock");
      run_.memory_clock_mhz = khz * 1e-3;
      const GpuBandwidth can = clock_->bandwidth({.seconds = 0.2});
      run_.copy_gb_per_s = can.copy_gb_per_s;
      run_.read_gb_per_s = can.read_gb_per_s;
      return run_;
    });
  }

  Record kernel(const Algorithm& a, const Problem& p) override {
    return if_it_fits([&] {
      Checked run(a, p);
      time(run.record, run.work());
      run.finish();
      return std::move(run.record);
    });
  }

  std::vector<Record> references(const Algorithm& a, const Problem& p) override {
    return if_it_fits([&] {
      const auto data = input_on_gpu(p);
      const DeviceSpan input = data->input();
      const Property property = a.property(p);
      std::vector<Record> all;
      for (const auto& [name, reference] : gpu_references(property, p, input)) {
        if (stopped()) break;
        Record r = record_of(name, a, p);
        r.correct = right(*reference, property, p, input);
        time(r, work_of(*reference));
        all.push_back(std::move(r));
      }
      if (!stopped()) {
        BandwidthLimit limit(*this, a, p, input);
        time(limit.record, limit.work());
        all.push_back(std::move(limit.record));
      }
      std::erase_if(all, [](const Record& r) { return r.samples.empty(); });
      return all;
    });
  }

  std::vector<Record> in_turn(const Algorithm& a, const Problem& p) override {
    return if_it_fits([&] {
      Checked run(a, p);
      const DeviceSpan input = run.input();
      const Property property = a.property(p);
      std::vector<Record> all{run.record};
      std::vector<GpuWork> works{run.work()};
      const auto libraries = gpu_references(property, p, input, {"cub"});
      for (const auto& [name, reference] : libraries) {
        all.push_back(record_of(name, a, p));
        all.back().correct = right(*reference, property, p, input);
        works.push_back(work_of(*reference));
      }
      BandwidthLimit limit(*this, a, p, input);
      all.push_back(limit.record);
      works.push_back(limit.work());
      const auto samples = clock_->measure_in_turn(works, patience_, stop_);
      for (size_t k = 0; k < all.size(); ++k) keep(all[k], samples[k]);
      run.finish();
      all.front().correct = run.record.correct;
      all.front().cycles_per_block = run.record.cycles_per_block;
      std::erase_if(all, [](const Record& r) { return r.samples.empty(); });
      return all;
    });
  }

  Timeline timeline(const Algorithm& a, const Problem& p, int resident) override {
    return if_it_fits([&] {
      const auto info = bscope::gpu();
      const auto run = a.timed(p);
      Timeline t{info->name, info->driver, date_now(), a.name};
      t.parameters.insert(p.set.begin(), p.set.end());
      t.parameters.emplace("block", std::to_string(p.block));
      t.n = p.n();
      t.multiprocessors = info->multiprocessors;
      CacheFlush flush;
      if (resident > 0) run->limit_residency(resident);
      t.limit = resident;
      run->restore();
      run->make_room_for_stamps();
      const auto restore = [&](void* stream) { run->restore(stream); };
      const GpuWork untraced{.restore = restore, .launch = [&](void* stream) { run->launch(stream); }};
      const GpuWork stamped{.restore = restore, .launch = [&](void* stream) { run->launch_stamped(stream); }};
      std::vector<double> plain, with_stamps;
      for (int turn = 0; turn < 3 && !stopped(); ++turn) {
        for (const double s : clock_->measure(untraced, patience_, stop_).cold) plain.push_back(s);
        const GpuSamples samples = clock_->measure(stamped, patience_, stop_);
        with_stamps.insert(with_stamps.end(), samples.cold.begin(), samples.cold.end());
        t.clock_mhz = samples.clock_mhz;
      }
      t.untraced_s = median_of(plain);
      t.stamped_s = median_of(with_stamps);
      // Threads that draw tickets may come to more places than there is room for: then again, with more.
      for (int tries = 0; tries < 4; ++tries) {
        run->restore();
        if (tries) run->make_room_for_stamps(), run->restore();
        flush(nullptr);
        run->launch_stamped();
        t.launches = timeline_of(run->stamps(), t.clock_mhz);
        if (std::ranges::none_of(t.launches, [](const TimelineLaunch& l) { return l.dropped > 0; })) break;
      }
      return t;
    });
  }

  void end(Recording& run) override {
    // A device that grew hot halfway measured its later kernels on a slower memory: say so rather than mix
    // them.
    const double after = clock_->bandwidth({.seconds = 0.1}).copy_gb_per_s;
    if (after < 0.97 * run.copy_gb_per_s) {
      char text[200];
      std::snprintf(
          text, sizeof text,
          "The GPU slowed down during the run: a copy reached %.0f GB/s at its start and %.0f at its "
          "end. Let it cool and measure again.",
          run.copy_gb_per_s, after);
      run.notes.emplace_back(text);
    }
  }

 private:
  bool stopped() const { return stop_ && stop_(); }

  /// A kernel's run on a problem, checked before it is timed and after: what one run leaves behind must not
  /// spoil the next.
  class Checked {
   public:
    Checked(const Algorithm& a, const Problem& p)
        : record(record_of(a.name, a, p)), a_(a), p_(p), run_(a.timed(p)) {
      record.correct = check();
    }
    DeviceSpan input() const { return run_->input(); }
    GpuWork work() {
      return {.restore = [this](void* stream) { run_->restore(stream); },
              .launch = [this](void* stream) { run_->launch(stream); }};
    }
    /// After it was timed.
    void finish() {
      if (record.correct) record.correct = check();
      run_->restore();
      record.cycles_per_block = median_of(run_->cycles());
    }
    Record record;

   private:
    bool check() {
      run_->restore();
      run_->spoil();
      run_->launch();
      if (p_.made && family_of(a_.name).timed())
        return right_on_device(a_.property(p_), p_, run_->input(), run_->result());
      Problem held = p_;  // a serial run goes through its input
      if (p_.made)
        for (long long k = 0; k < p_.n(); ++k) held.data.push_back((*p_.made)(k));
      held.made.reset();
      const bool exact = record.type == "int32" || record.type == "uint8";
      return same(run_->output(), a_.expected(held), exact, double(p_.n()));
    }

    const Algorithm& a_;
    const Problem& p_;
    std::unique_ptr<TimedRun> run_;
  };

  /// The same bytes moved, and nothing computed: a copy where the family reads and writes, else a pure read.
  class BandwidthLimit {
   public:
    BandwidthLimit(GpuMeter& meter, const Algorithm& a, const Problem& p, DeviceSpan input)
        : clock_(*meter.clock_), input_(input), bytes_(input.n * bytes_of(input.kind)) {
      if (family_of(a.name).passes == 2) {
        record = record_of("copy/" + a.family(), a, p);
        // between some places of the memory a copy takes a tenth longer: the better of two, where two fit
        need_memory(double(bytes_), "the copy beside it");
        for (int k = 0; k < 2 && has_memory(double(bytes_)); ++k) places_.emplace_back(size_t(bytes_));
        if (places_.size() > 1 && clock_.glance(copy(1)) < clock_.glance(copy(0))) better_ = 1;
      } else {
        record = record_of("read/" + a.family(), a, p);
        for (const auto how : {GpuClock::Read::bulk_large, GpuClock::Read::bulk_small})
          if (clock_.glance(read(how)) < clock_.glance(read(best_))) best_ = how;
        record.parameters["by"] = GpuClock::name_of(best_);
      }
      record.correct = true;
    }
    GpuWork work() { return places_.empty() ? read(best_) : copy(better_); }
    Record record;

   private:
    // a copy in a graph may go to the copy engines, which are slower than the multiprocessors
    GpuWork copy(size_t place) {
      return {.restore = {},
              .launch =
                  [this, place](void* stream) {
                    must(cudaMemcpyAsync(places_[place].get(), input_.data, size_t(bytes_),
                                         cudaMemcpyDeviceToDevice, static_cast<cudaStream_t>(stream)),
                         "copying");
                  },
              .capturable = false};
    }
    GpuWork read(GpuClock::Read how) {
      return {.restore = {}, .launch = [this, how](void* stream) {
                clock_.read(input_.data, bytes_ / 16 * 16, how, stream);
              }};
    }

    GpuClock& clock_;
    DeviceSpan input_;
    long long bytes_;
    std::vector<DeviceArray<char>> places_;
    size_t better_ = 0;
    GpuClock::Read best_ = GpuClock::Read::loads;
  };

  static bool right(GpuReference& reference, Property property, const Problem& p, DeviceSpan input) {
    reference.launch(nullptr);
    return right_on_device(property, p, input, reference.result());
  }
  static GpuWork work_of(GpuReference& reference) {
    return {.restore = {},
            .launch = [&](void* stream) { reference.launch(stream); },
            .capturable = reference.capturable()};
  }

  void time(Record& r, const GpuWork& work) { keep(r, clock_->measure(work, patience_, stop_)); }
  void keep(Record& r, const GpuSamples& s) {
    r.samples = s.cold;
    r.warm_samples = s.warm;
    r.clock_mhz = s.clock_mhz;
    r.throttled = s.throttled;
    complete(r, run_);
  }

  Patience patience_;
  std::function<bool()> stop_;
  int gpu_;
  std::unique_ptr<GpuClock> clock_;
  Recording run_;
};

const RegisterGpuMeter here([](const Patience& patience, std::function<bool()> stop,
                               int gpu) -> std::unique_ptr<Meter> {
  return std::make_unique<GpuMeter>(patience, std::move(stop), gpu);
});

}  // namespace

}  // namespace bscope
