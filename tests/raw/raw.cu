// Running and timing the twins; they are in the files beside, by family.
#include <algorithm>
#include <map>

#include "engine/simt/gpu_made_input.hpp"
#include "tests/raw/program.hpp"
#include "tests/raw/raw.hpp"

namespace bscope::tests {
using on_gpu::DeviceArray;
using on_gpu::must;

namespace {
/// What the values are, on the device: copied there, or made there.
template <class T>
DeviceArray<T> on_device(const Values<T>& v, ElementType kind) {
  if (!v.made) return DeviceArray<T>(v.held);
  DeviceArray<T> cells(size_t(v.size()));
  on_gpu::make_on_device(cells.get(), kind, *v.made);
  return cells;
}
}  // namespace

Ints RawRun::ints(const Values<int>& v) {
  arrays_.push_back(on_device(v, ElementType::i32));
  return {arrays_.back().get(), int(v.size())};
}
Ints RawRun::array(int n) {
  arrays_.emplace_back(size_t(n));
  return {arrays_.back().get(), n};
}
Ints RawRun::zeros(int n) { return zeros_.emplace_back(array(n)); }
Keys RawRun::keys(const Values<unsigned char>& v) {
  keys_.push_back(on_device(v, ElementType::u8));
  return {keys_.back().get(), int(v.size())};
}
void RawRun::keep_input() {
  if (!changed_.n) return;
  input_ = DeviceArray<int>(size_t(changed_.n));
  must(cudaMemcpy(input_.get(), changed_.at, input_.bytes(), cudaMemcpyDeviceToDevice), "keeping the input");
}
void RawRun::restore(void*) {
  if (input_.size())
    must(cudaMemcpyAsync(changed_.at, input_.get(), input_.bytes(), cudaMemcpyDeviceToDevice),
         "putting the input back");
}
void RawRun::launch(void*) {
  for (const Ints a : zeros_) must(cudaMemsetAsync(a.at, 0, size_t(a.n) * sizeof(int)), "clearing");
  for (const auto& l : launches_) l();
  must(cudaGetLastError(), "starting a raw kernel");
}
std::vector<double> RawRun::output() {
  std::vector<int> v(size_t(output_.n));
  must(cudaMemcpy(v.data(), output_.at, v.size() * sizeof(int), cudaMemcpyDeviceToHost),
       "reading the output");
  return {v.begin(), v.end()};
}

namespace {
using Prepare = std::function<void(RawRun&, const Problem&)>;
std::map<std::string, Prepare>& twins() {
  static std::map<std::string, Prepare> all;
  return all;
}

double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + long(v.size() / 2), v.end());
  return v[v.size() / 2];
}

/// Pairs of events round each launch of a batch.
class Clock {
 public:
  Clock() {
    for (auto& e : events_) must(cudaEventCreate(&e), "timing");
  }
  ~Clock() {
    for (auto& e : events_) cudaEventDestroy(e);
  }
  Clock(const Clock&) = delete;
  static constexpr int most = 32;
  /// Milliseconds of one run of the program, mean of a batch. Each begins from restored arrays: some kernels
  /// cannot begin from what they left.
  double time_batch(TimedRun& run, int launches) {
    for (int k = 0; k < launches; ++k) {
      run.restore();
      must(cudaEventRecord(events_[2 * k]), "timing");
      run.launch();
      must(cudaEventRecord(events_[2 * k + 1]), "timing");
    }
    must(cudaDeviceSynchronize(), "timing");
    double sum = 0;
    for (int k = 0; k < launches; ++k) {
      float ms = 0;
      must(cudaEventElapsedTime(&ms, events_[2 * k], events_[2 * k + 1]), "timing");
      sum += double(ms);
    }
    return sum / launches;
  }

 private:
  cudaEvent_t events_[2 * most];
};
}  // namespace

Twin::Twin(const char* kernel, Prepare prepare) { twins()[kernel] = std::move(prepare); }

bool has_raw_twin(const std::string& kernel) { return twins().contains(kernel); }

std::unique_ptr<TimedRun> raw_twin(const std::string& kernel, const Problem& p) {
  const auto it = twins().find(kernel);
  if (it == twins().end())
    throw UsageError(Message::plain("no hand-written twin of " + kernel + " in tests/raw"));
  on_gpu::need_device();
  auto run = std::make_unique<RawRun>();
  it->second(*run, p);
  run->keep_input();
  must(cudaDeviceSynchronize(), "preparing the raw " + kernel);
  return run;
}

double time_of(TimedRun& run) {
  Clock clock;
  return std::min(clock.time_batch(run, 1), clock.time_batch(run, 3));
}

Ratio time_ratio(const MakeRun& ours, const MakeRun& raw, int turns) {
  constexpr int of_turn = 13;
  Clock clock;
  auto samples = [&](const MakeRun& make) {
    const auto run = make();
    // Warm-up, and batches of 2 ms.
    const int launches = std::clamp(int(2.0 / clock.time_batch(*run, 3)), 1, Clock::most);
    std::vector<double> v;
    for (int k = 0; k < of_turn; ++k) v.push_back(clock.time_batch(*run, launches));
    return v;
  };
  std::vector<double> a, b;
  Ratio r;
  r.least = 1e9;
  for (int turn = 0; turn < turns; ++turn) {
    std::vector<double> x, y;
    if (turn % 2 == 0) x = samples(ours);
    y = samples(raw);
    if (turn % 2 == 1) x = samples(ours);
    const double ratio = median(x) / median(y);
    r.least = std::min(r.least, ratio);
    r.most = std::max(r.most, ratio);
    a.insert(a.end(), x.begin(), x.end());
    b.insert(b.end(), y.begin(), y.end());
  }
  r.samples = int(a.size());
  r.ours_ms = median(a);
  r.raw_ms = median(b);
  r.median = r.ours_ms / r.raw_ms;
  return r;
}

}  // namespace bscope::tests
