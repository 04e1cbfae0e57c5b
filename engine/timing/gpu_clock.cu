#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "engine/simt/gpu_memory.hpp"
#include "engine/timing/gpu_clock.hpp"
#include "engine/timing/gpu_events.hpp"

namespace bscope {
namespace {

/// Reads all words, and keeps the compiler from knowing that they are unused. `once`: by loads that ask to
/// leave the cache first. Such lines take one another's place, and what plain loads and stores have brought
/// stays.
template <bool once>
__global__ void read_all(const uint4* data, size_t n, unsigned* never) {
  unsigned sum = 0;
  const size_t step = size_t(gridDim.x) * blockDim.x;
#pragma unroll 8
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const uint4 v = once ? __ldcs(data + i) : data[i];
    sum += v.x ^ v.y ^ v.z ^ v.w;
  }
  if (sum == 0x9E3779B9u) *never = sum;
}

/// Fills a ring of tiles in shared memory by bulk copies and looks at none: nothing but reading.
template <int tile, int stages>
__global__ void read_in_bulk([[maybe_unused]] const char* data, [[maybe_unused]] long long bytes) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) char ring[];
  __shared__ uint64_t arrived[stages];
  if (threadIdx.x) return;
  const auto at = [](const void* p) { return unsigned(__cvta_generic_to_shared(p)); };
  for (int s = 0; s < stages; ++s)
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(arrived + s)) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  const auto first = [&](int k) { return (blockIdx.x + (long long)k * gridDim.x) * tile; };
  const auto load = [&](int k) {
    if (first(k) >= bytes) return;
    const int size = int(min((long long)tile, bytes - first(k)));
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(arrived + k % stages)),
                 "r"(size)
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            at(ring + k % stages * tile)),
        "l"(data + first(k)), "r"(size), "r"(at(arrived + k % stages))
        : "memory");
  };
  for (int k = 0; k < stages; ++k) load(k);
  for (int k = 0; first(k) < bytes; ++k) {
    asm volatile(
        "{ .reg .pred p; wait: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra wait; }" ::"r"(
            at(arrived + k % stages)),
        "r"(k / stages & 1)
        : "memory");
    load(k + stages);
  }
#endif
}

/// Counts the cycles that a multiprocessor makes in 20 microseconds.
__global__ void count_cycles(double* mhz) {
  long long now, began;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(began));
  const long long cycles = clock64();
  do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  while (now - began < 20'000);
  *mhz = double(clock64() - cycles) / double(now - began) * 1e3;
}

/// So many launches as one graph; nothing when they cannot be captured.
class Replay {
 public:
  Replay(const GpuWork& work, int launches, cudaStream_t stream) {
    if (!work.capturable) return;
    if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) != cudaSuccess) return;
    bool captured = true;
    try {
      for (int k = 0; k < launches; ++k) work.launch(stream);
    } catch (const std::exception&) { captured = false; }
    cudaGraph_t graph = nullptr;
    captured = cudaStreamEndCapture(stream, &graph) == cudaSuccess && captured;
    if (captured && cudaGraphInstantiate(&ready_, graph, 0) != cudaSuccess) ready_ = nullptr;
    if (graph) cudaGraphDestroy(graph);
    cudaGetLastError();
  }
  ~Replay() {
    if (ready_) cudaGraphExecDestroy(ready_);
  }
  Replay(const Replay&) = delete;
  explicit operator bool() const { return ready_; }
  void launch(cudaStream_t stream) const { must(cudaGraphLaunch(ready_, stream), "replaying the launches"); }

 private:
  cudaGraphExec_t ready_ = nullptr;
};

int attribute(cudaDeviceAttr which, const char* what) {
  int device = 0, value = 0;
  must(cudaGetDevice(&device), "asking which GPU is in use");
  must(cudaDeviceGetAttribute(&value, which, device), what);
  return value;
}
int multiprocessors() {
  return attribute(cudaDevAttrMultiProcessorCount, "asking how many multiprocessors the GPU has");
}

constexpr int batch = 10;
constexpr int most_tries = 5;
constexpr double usual_share = 0.75;  // of the highest clock: below it the device is held back

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

CacheFlush::CacheFlush()
    : area_(std::max(2 * size_t(attribute(cudaDevAttrL2CacheSize, "asking for the size of the cache")),
                     size_t(16) << 20)),
      blocks_(4 * multiprocessors()) {}

void CacheFlush::operator()(cudaStream_t stream) {
  read_all<false><<<blocks_, 512, 0, stream>>>(reinterpret_cast<const uint4*>(area_.get()),
                                               area_.size() / sizeof(uint4), never_.get());
  must(cudaGetLastError(), "clearing the cache");
}

struct GpuClock::ClockState {
  const int generation = attribute(cudaDevAttrComputeCapabilityMajor, "asking what the GPU can do");
  const int processors = multiprocessors();
  const double highest_mhz = attribute(cudaDevAttrClockRate, "asking for the GPU's clock") * 1e-3;
  CacheFlush flush;
  DeviceArray<unsigned> never{1};
  DeviceArray<double> mhz{1};
  GpuStream stream;
  GpuEvent starts[batch], ends[batch];

  void load_all(const void* data, size_t bytes, cudaStream_t on) {
    read_all<true>
        <<<4 * processors, 512, 0, on>>>(static_cast<const uint4*>(data), bytes / sizeof(uint4), never.get());
  }
  template <int tile, int stages>
  void bulk(const void* data, long long bytes, cudaStream_t on) {
    const auto kernel = read_in_bulk<tile, stages>;
    must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, tile * stages),
         "asking for shared memory");
    kernel<<<processors, 32, tile * stages, on>>>(static_cast<const char*>(data), bytes);
  }

  void cold_batch(const GpuWork& work, int count, std::vector<double>& all) {
    for (int k = 0; k < count; ++k) {
      if (work.restore) work.restore(stream);
      flush(stream);
      starts[k].record(stream);
      work.launch(stream);
      ends[k].record(stream);
    }
    finish();
    for (int k = 0; k < count; ++k) all.push_back(ends[k].since(starts[k]));
  }
  void finish() {
    must(cudaGetLastError(), "launching what is timed");
    must(cudaStreamSynchronize(stream), "running what is timed");
  }
  /// The clock of a multiprocessor now, under the load that has just ended.
  double clock_now() {
    count_cycles<<<1, 1, 0, stream>>>(mhz.get());
    finish();
    return mhz.host()[0];
  }
};

GpuClock::GpuClock() : device_(std::make_unique<ClockState>()) {}
GpuClock::~GpuClock() = default;

double GpuClock::glance(const GpuWork& work) {
  std::vector<double> two;
  device_->cold_batch(work, 1, two);
  device_->cold_batch(work, 1, two);
  return std::max(two.back(), 1e-9);
}

GpuSamples GpuClock::measure(const GpuWork& work, const Patience& patience,
                             const std::function<bool()>& stop) {
  return std::move(measure_in_turn({work}, patience, stop).front());
}

std::vector<GpuSamples> GpuClock::measure_in_turn(const std::vector<GpuWork>& works, const Patience& patience,
                                                  const std::function<bool()>& stop) {
  ClockState& d = *device_;
  std::vector<GpuSamples> all(works.size());
  std::vector<double> one;                                        // seconds of a launch
  for (const GpuWork& work : works) one.push_back(glance(work));  // warms up, too
  // a slow kernel is not asked for a whole batch at once
  const auto count = [&](size_t w) {
    return int(std::clamp(patience.seconds / 10 / one[w], 1.0, double(batch)));
  };
  const auto asked_to_stop = [&] { return stop && stop(); };
  const auto enough = [&](auto samples, double seconds, const Patience& p) {
    return std::ranges::all_of(all,
                               [&](const GpuSamples& s) { return enough_samples(s.*samples, seconds, p); });
  };
  Patience together = patience;  // each is given as long
  together.seconds *= double(works.size());
  std::vector<double> clocks;
  int tries = 0;
  auto start = std::chrono::steady_clock::now();
  while (!asked_to_stop()) {
    std::vector<std::vector<double>> some(works.size());
    for (size_t w = 0; w < works.size(); ++w) d.cold_batch(works[w], count(w), some[w]);
    const double mhz = d.clock_now();
    if (mhz < usual_share * d.highest_mhz && tries < most_tries) {
      ++tries;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      continue;
    }
    clocks.push_back(mhz);
    for (size_t w = 0; w < works.size(); ++w)
      all[w].cold.insert(all[w].cold.end(), some[w].begin(), some[w].end());
    if (enough(&GpuSamples::cold, seconds_since(start), together)) break;
  }
  for (GpuSamples& s : all) {
    s.clock_mhz = summarise(clocks).median;
    s.throttled = tries == most_tries && s.clock_mhz < usual_share * d.highest_mhz;
  }

  // in a row: as many as make a sample of a millisecond, at most 20; what takes seconds is in no cache
  if (std::ranges::max(one) > patience.seconds) return all;
  const auto launches = [&](size_t w) { return int(std::clamp(1e-3 / one[w], 1.0, 20.0)); };
  std::vector<std::unique_ptr<Replay>> replays;
  for (size_t w = 0; w < works.size(); ++w) {
    if (works[w].restore) works[w].restore(d.stream);
    replays.push_back(std::make_unique<Replay>(works[w], launches(w), d.stream));
  }
  Patience in_a_row = together;
  in_a_row.seconds /= 2;
  start = std::chrono::steady_clock::now();
  while (!asked_to_stop()) {
    for (size_t w = 0; w < works.size(); ++w) {
      for (int k = 0; k < count(w); ++k) {
        d.starts[k].record(d.stream);
        if (*replays[w])
          replays[w]->launch(d.stream);
        else
          for (int l = 0; l < launches(w); ++l) works[w].launch(d.stream);
        d.ends[k].record(d.stream);
      }
      d.finish();
      for (int k = 0; k < count(w); ++k) all[w].warm.push_back(d.ends[k].since(d.starts[k]) / launches(w));
    }
    if (enough(&GpuSamples::warm, seconds_since(start), in_a_row)) break;
  }
  return all;
}

const char* GpuClock::name_of(Read how) {
  return how == Read::bulk_large   ? "bulk copies of 64 KB"
         : how == Read::bulk_small ? "bulk copies of 8 KB"
                                   : "loads";
}

void GpuClock::read(const void* data, long long bytes, Read how, void* stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  if (device_->generation < 9) how = Read::loads;
  if (how == Read::bulk_large)
    device_->bulk<1 << 16, 3>(data, bytes, on);
  else if (how == Read::bulk_small)
    device_->bulk<1 << 13, 24>(data, bytes, on);
  else
    device_->load_all(data, size_t(bytes), on);
}

GpuBandwidth GpuClock::bandwidth(const Patience& patience) {
  size_t free = 0, total = 0;
  must(cudaMemGetInfo(&free, &total), "asking for the GPU's free memory");
  const size_t bytes = std::min<size_t>(size_t(1) << 31, free / 4) / 16 * 16;
  // the same copy takes a tenth longer between some places of the memory than between others: the best of
  // three
  const DeviceArray<char> places[] = {DeviceArray<char>(bytes), DeviceArray<char>(bytes),
                                      DeviceArray<char>(bytes)};
  const auto median = [&](auto launch) {
    return summarise(
               measure({{}, [&](void* stream) { launch(static_cast<cudaStream_t>(stream)); }}, patience).cold)
        .median;
  };
  double copied = 1e9;
  for (int k = 0; k < 3; ++k)
    copied = std::min(copied, median([&](cudaStream_t stream) {
                        must(cudaMemcpyAsync(places[(k + 1) % 3].get(), places[k].get(), bytes,
                                             cudaMemcpyDeviceToDevice, stream),
                             "copying");
                      }));
  double best = 1e9;
  for (const Read how : {Read::bulk_large, Read::bulk_small, Read::loads})
    best = std::min(
        best, median([&](cudaStream_t stream) { read(places[0].get(), (long long)bytes, how, stream); }));
  return {2 * double(bytes) / copied / 1e9, double(bytes) / best / 1e9};
}

}  // namespace bscope
