#ifdef BARRIERSCOPE_NCCL
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cub/block/block_reduce.cuh>
#include <cub/device/device_reduce.cuh>
#include <limits>
#include <type_traits>
#include <utility>

#include "engine/simt/gpu_memory.hpp"
#include "engine/timing/gpu_events.hpp"
#include "engine/timing/gpu_meters.hpp"
#include "engine/timing/nccl.hpp"
#include "engine/timing/several.hpp"

namespace bscope {
namespace {

/// What sums are checked in: whole numbers wrap without undefined behaviour, others lose nothing that a float
/// holds.
template <class T>
using Wide = std::conditional_t<std::is_integral_v<T>, unsigned long long, double>;
template <class T>
constexpr ncclDataType_t nccl_type = std::is_integral_v<T>      ? ncclInt32
                                     : std::is_same_v<T, float> ? ncclFloat32
                                                                : ncclFloat64;

/// How far two sums of the same numbers may lie apart, relative to the sum or, if that is more, to what it
/// was on the way there (our inputs walk at random, in steps of some units). Whole numbers: not at all.
template <class T>
constexpr double apart = 64 * double(std::numeric_limits<T>::epsilon());

template <class T>
__host__ __device__ bool close(T a, T b, double least) {
  if constexpr (std::is_integral_v<T>) return a == b;
  return fabs(double(a) - double(b)) <= apart<T> * fmax(fabs(double(b)), least);
}
double least_magnitude(long long n) { return 10 * std::sqrt(double(n)); }

constexpr int threads = 256, chunk = 1 << 16;  // numbers that one block checks

/// A plain sum of each chunk of the input, made anew.
template <class T>
__global__ void __launch_bounds__(threads)
    sum_chunks(const __grid_constant__ MadeInput input, Wide<T>* sums) {
  using Reduce = cub::BlockReduce<Wide<T>, threads>;
  __shared__ typename Reduce::TempStorage storage;
  const long long first = (long long)blockIdx.x * chunk;
  Wide<T> mine = 0;
  for (int k = threadIdx.x; k < chunk && first + k < input.n; k += threads)
    mine += Wide<T>(T(input(first + k)));
  const Wide<T> sum = Reduce(storage).Sum(mine);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/// Each number of a scan follows from the one before it and from the input; a chunk's first from the sum of
/// all that lies before the chunk, found another way.
template <class T>
__global__ void __launch_bounds__(threads)
    count_wrong(const __grid_constant__ MadeInput input, bool inclusive, const T* result,
                const Wide<T>* before, double least, unsigned long long* wrong) {
  const long long first = (long long)blockIdx.x * chunk;
  unsigned long long mine = 0;
  for (int k = threadIdx.x; k < chunk && first + k < input.n; k += threads) {
    const long long i = first + k;
    Wide<T> right = k == 0 ? before[blockIdx.x] : Wide<T>(result[i - 1]);
    if (inclusive || k > 0) right += Wide<T>(T(input(inclusive ? i : i - 1)));
    mine += !close(result[i], T(right), least);
  }
  if (mine) atomicAdd(wrong, mine);
}

/// *to = *from + sums[0] + ... + sums[count - 1]. One thread: there are as many sums as GPUs.
template <class T>
__global__ void add_sums(T* to, const T* from, const T* sums, int count) {
  Wide<T> sum = from ? Wide<T>(*from) : 0;
  for (int k = 0; k < count; ++k) sum += Wide<T>(sums[k]);
  *to = T(sum);
}

/// Waits until the host has told every GPU what to do: its own time is in no sample. Not for ever: a host
/// that has something to wait for itself must not wait for us.
__global__ void wait_for_host(const unsigned* opened, unsigned ticket) {
  const auto nanoseconds = [] {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
  };
  constexpr unsigned long long most = 20'000'000;
  const auto began = nanoseconds();
  while (int(*(const volatile unsigned*)opened - ticket) < 0 && nanoseconds() - began < most)
    __nanosleep(200);
}

void turn_to(int gpu) { must(cudaSetDevice(gpu), "turning to GPU " + std::to_string(gpu)); }

/// Work on several GPUs ends with the one that was current before.
class BackAgain {
 public:
  BackAgain() { cudaGetDevice(&gpu_); }
  ~BackAgain() { cudaSetDevice(gpu_); }
  BackAgain(const BackAgain&) = delete;

 private:
  int gpu_ = 0;
};

/// One GPU, for as long as the meter lives.
class Worker {
 public:
  explicit Worker(int gpu) : gpu_((turn_to(gpu), gpu)) {}
  ~Worker() { cudaSetDevice(gpu_); }
  Worker(const Worker&) = delete;

  cudaStream_t stream() const { return stream_; }
  void turn() const { turn_to(gpu_); }
  void flush() { flush_(stream_); }
  void wait() const {
    turn();
    must(cudaStreamSynchronize(stream_), "running on GPU " + std::to_string(gpu_));
  }
  GpuEvent& ready() { return ready_; }
  GpuEvent& done() { return done_; }

 private:
  int gpu_;  // first: what follows is made on this GPU
  GpuStream stream_;
  CacheFlush flush_;
  GpuEvent ready_{cudaEventDisableTiming}, done_{cudaEventDisableTiming};
};

/// NCCL's connections between the GPUs, and calls that all of them take part in.
class Ring {
 public:
  /// One GPU alone exchanges nothing and needs no NCCL.
  explicit Ring(int gpus) {
    if (gpus == 1) return;
    nccl_ = &nccl();
    comms_.resize(size_t(gpus));
    const BackAgain guard;
    nccl_->must(nccl_->init_all(comms_.data(), gpus, nullptr),
                "connecting " + std::to_string(gpus) + " GPUs");
  }
  ~Ring() {
    // After a failure nobody answers any more: destroying would wait for ever.
    for (const ncclComm_t comm : comms_) (failed_ ? nccl_->abort : nccl_->destroy)(comm);
  }
  Ring(const Ring&) = delete;
  /// call(nccl, comm, gpu) for each GPU, as one exchange.
  void together(auto&& call) {
    if (comms_.empty()) return;
    failed_ = true;
    nccl_->must(nccl_->group_start(), "beginning an exchange");
    for (size_t gpu = 0; gpu < comms_.size(); ++gpu)
      nccl_->must(call(*nccl_, comms_[gpu], gpu), "exchanging sums");
    nccl_->must(nccl_->group_end(), "exchanging sums");
    failed_ = false;
  }
  void fail() { failed_ = true; }

 private:
  const Nccl* nccl_ = nullptr;
  std::vector<ncclComm_t> comms_;
  bool failed_ = false;
};

/// A word that the host writes and every GPU reads.
class Gate {
 public:
  Gate() {
    must(cudaHostAlloc(&opened_, sizeof *opened_, cudaHostAllocPortable | cudaHostAllocMapped),
         "taking memory of the host");
    *opened_ = 0;
  }
  ~Gate() {
    open();
    cudaFreeHost(opened_);
  }
  Gate(const Gate&) = delete;
  /// Whatever comes after it on the stream waits for the next open().
  void close(cudaStream_t s) {
    wait_for_host<<<1, 1, 0, s>>>(opened_, ticket_ + 1);
    must(cudaGetLastError(), "holding the GPUs");
  }
  void open() { std::atomic_ref(*opened_).store(++ticket_, std::memory_order_release); }

 private:
  unsigned* opened_ = nullptr;
  unsigned ticket_ = 0;
};

/// What one GPU holds of one problem: the catalog's kernel on its part, and the cells of the exchange.
template <class T>
class Share {
 public:
  Share(const Algorithm& a, const Problem& part, int number, int of, cudaStream_t s)
      : part_(part),
        promise_(a.promise(part)),
        number_(number),
        alone_(of == 1),
        stream_(s),
        run_(a.timed(part)),
        gathered_(size_t(of)) {
    if (!scans() || alone_) return;
    sum_ = DeviceArray<T>(1);
    first_ = DeviceArray<T>(1);
    must(cudaMemcpy(first_.get(), run_->input().data, sizeof(T), cudaMemcpyDeviceToDevice),
         "keeping the first number");
    must(add_up(nullptr, scratch_bytes_), "asking CUB");
    scratch_ = DeviceArray<std::byte>(scratch_bytes_);
  }

  /// What a run does not write is found.
  void spoil() {
    run_->spoil();
    must(cudaMemset(gathered_.get(), 0xCD, gathered_.bytes()), "spoiling the sums");
  }
  /// As before the first run, outside any clock.
  void restore() {
    run_->restore(stream_);
    if (carries())
      must(cudaMemcpyAsync(working(), first_.get(), sizeof(T), cudaMemcpyDeviceToDevice, stream_),
           "putting the first number back");
  }
  /// A run: up to the exchange, the exchange (not alone), and after it. Asynchronous on the stream.
  void sum_part() {
    if (!scans())
      run_->launch(stream_);
    else if (!alone_)
      must(add_up(scratch_.get(), scratch_bytes_), "summing a part");
  }
  ncclResult_t exchange(const Nccl& n, ncclComm_t comm) {
    if (scans()) return n.all_gather(sum_.get(), gathered_.get(), 1, nccl_type<T>, comm, stream_);
    return n.all_reduce(result(), gathered_.get(), 1, nccl_type<T>, ncclSum, comm, stream_);
  }
  void scan_part() {
    if (!scans()) return;
    if (carries()) add_sums<<<1, 1, 0, stream_>>>(working(), first_.get(), gathered_.get(), number_);
    run_->launch(stream_);
    // an exclusive scan begins its part with zero, whatever the input
    if (carries() && promise_ == Promise::exclusive_scan)
      add_sums<<<1, 1, 0, stream_>>>(result(), static_cast<const T*>(nullptr), gathered_.get(), number_);
    must(cudaGetLastError(), "scanning a part");
  }

  /// Waits. Sums of the chunks of the part, found without the kernel.
  std::vector<Wide<T>> chunk_sums() const {
    DeviceArray<Wide<T>> sums(chunks());
    sum_chunks<T><<<unsigned(chunks()), threads, 0, stream_>>>(*part_.made, sums.get());
    must(cudaGetLastError(), "starting the check");
    must(cudaStreamSynchronize(stream_), "checking the result");
    return sums.host();
  }
  /// `before` each chunk of this part, and at its end the sum of the part and all before it.
  bool right(const std::vector<Wide<T>>& before, Wide<T> total, long long whole) const {
    const double least = least_magnitude(whole);
    if (!scans()) {
      T sum;
      must(cudaMemcpy(&sum, alone_ ? result() : gathered_.get(), sizeof sum, cudaMemcpyDeviceToHost),
           "copying the result");
      return close(sum, T(total), least);
    }
    DeviceArray<Wide<T>> of_chunks(before);
    DeviceArray<unsigned long long> wrong(1);
    count_wrong<<<unsigned(chunks()), threads, 0, stream_>>>(*part_.made, promise_ == Promise::inclusive_scan,
                                                             static_cast<const T*>(result()), of_chunks.get(),
                                                             least, wrong.get());
    must(cudaGetLastError(), "starting the check");
    must(cudaStreamSynchronize(stream_), "checking the result");
    return wrong.host()[0] == 0;
  }

 private:
  bool scans() const { return promise_ != Promise::reduction; }
  bool carries() const { return scans() && number_ > 0; }
  T* working() const { return static_cast<T*>(run_->working()); }
  T* result() const { return static_cast<T*>(const_cast<void*>(run_->result().data)); }
  size_t chunks() const { return size_t((part_.n() + chunk - 1) / chunk); }
  cudaError_t add_up(void* scratch, size_t& bytes) const {
    return cub::DeviceReduce::Sum(scratch, bytes, static_cast<const T*>(working()), sum_.get(), part_.n(),
                                  stream_);
  }

  Problem part_;
  Promise promise_;
  int number_;
  bool alone_;
  cudaStream_t stream_;
  std::unique_ptr<TimedRun> run_;
  DeviceArray<T> gathered_, sum_, first_;
  size_t scratch_bytes_ = 0;
  DeviceArray<std::byte> scratch_;
};

class SeveralGpus final : public Meter {
 public:
  SeveralGpus(int gpus, const Patience& patience, std::function<bool()> stop)
      : patience_(patience), stop_(std::move(stop)), one_(gpu_meter(patience, stop_)), ring_(gpus) {
    const BackAgain guard;
    for (int gpu = 0; gpu < gpus; ++gpu) workers_.push_back(std::make_unique<Worker>(gpu));
    turn_to(0);
    start_ = std::make_unique<GpuEvent>();
    end_ = std::make_unique<GpuEvent>();
  }
  Recording begin() override { return run_ = one_->begin(); }
  Record kernel(const Algorithm& a, const Problem& p) override {
    check_shared(a, p);
    Record r;
    with_type(p, [&](auto zero) { r = measured<decltype(zero)>(a, p); });
    return r;
  }
  std::vector<Record> references(const Algorithm& a, const Problem& p) override {
    return gpus() == 1 ? one_->references(a, p) : std::vector<Record>{};
  }
  void end(Recording& run) override { one_->end(run); }

 private:
  template <class T>
  using Shares = std::vector<std::unique_ptr<Share<T>>>;

  int gpus() const { return int(workers_.size()); }
  void each(auto&& f) const {
    for (int gpu = 0; gpu < gpus(); ++gpu) {
      workers_[size_t(gpu)]->turn();
      f(size_t(gpu));
    }
  }

  template <class T>
  Record measured(const Algorithm& a, const Problem& p) {
    const BackAgain guard;
    Record r = record_of(a.name, a, p);
    r.parameters["exchange"] = gpus() == 1 ? "none" : "nccl";
    r.gpus = gpus();
    const Shares<T> shares = shared_out<T>(a, p);
    try {
      each([&](size_t k) { shares[k]->spoil(); });
      sample_once(shares);  // NCCL connects, code is loaded
      r.correct = right(shares, r.n);
      r.samples = samples(shares);
      // checked after the samples, too: what one run leaves behind must not spoil the next
      r.correct = r.correct && right(shares, r.n);
    } catch (...) {
      ring_.fail();
      throw;
    }
    complete(r, run_);
    return r;
  }

  /// Takes the memory on every GPU.
  template <class T>
  Shares<T> shared_out(const Algorithm& a, const Problem& p) {
    const auto parts = parts_of(p.n(), gpus());
    Shares<T> shares(parts.size());
    each([&](size_t k) {
      try {
        shares[k] =
            std::make_unique<Share<T>>(a, problem_of(p, parts[k]), int(k), gpus(), workers_[k]->stream());
      } catch (const UsageError& e) {
        throw TooLarge(gpus() == 1 ? e.what()
                                   : "GPU " + std::to_string(k) + "'s part of " + std::to_string(gpus()) +
                                         ": " + e.what());
      }
    });
    return shares;
  }

  template <class T>
  std::vector<double> samples(const Shares<T>& shares) {
    std::vector<double> all;
    const auto began = std::chrono::steady_clock::now();
    while (!(stop_ && stop_())) {
      all.push_back(sample_once(shares));
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
      if (enough_samples(all, seconds, patience_)) break;
    }
    return all;
  }

  /// Seconds from the moment when the host lets all GPUs go to the moment when GPU 0 knows that all have
  /// ended.
  template <class T>
  double sample_once(const Shares<T>& shares) {
    each([&](size_t k) {
      shares[k]->restore();
      workers_[k]->flush();
      workers_[k]->ready().record(workers_[k]->stream());
      gate_.close(workers_[k]->stream());
      if (k == 0) start_->record(workers_[0]->stream());
      shares[k]->sum_part();
    });
    ring_.together([&](const Nccl& n, ncclComm_t comm, size_t k) { return shares[k]->exchange(n, comm); });
    each([&](size_t k) {
      shares[k]->scan_part();
      workers_[k]->done().record(workers_[k]->stream());
    });
    workers_[0]->turn();
    for (const auto& w : workers_)
      must(cudaStreamWaitEvent(workers_[0]->stream(), w->done().get()), "waiting for the other GPUs");
    end_->record(workers_[0]->stream());
    for (const auto& w : workers_) w->ready().wait();
    gate_.open();
    for (const auto& w : workers_) w->wait();
    return end_->since(*start_);
  }

  template <class T>
  bool right(const Shares<T>& shares, long long n) const {
    std::vector<std::vector<Wide<T>>> before;  // each chunk of each part; its end begins the next
    each([&](size_t k) {
      before.push_back(sums_before(shares[k]->chunk_sums(), k == 0 ? Wide<T>(0) : before.back().back()));
    });
    bool all = true;
    each([&](size_t k) { all &= shares[k]->right(before[k], before.back().back(), n); });
    return all;
  }

  Patience patience_;
  std::function<bool()> stop_;
  std::unique_ptr<Meter> one_;
  Recording run_;
  std::vector<std::unique_ptr<Worker>> workers_;
  Ring ring_;  // goes before the streams that it works on
  Gate gate_;
  std::unique_ptr<GpuEvent> start_, end_;
};

std::unique_ptr<Meter> make_several(int gpus, const Patience& patience, std::function<bool()> stop) {
  need_device();
  const int there = gpu_count();
  if (gpus > there)
    throw NoDevice("--gpus " + std::to_string(gpus) + " asks for more than the " + std::to_string(there) +
                   (there == 1 ? " GPU" : " GPUs") + " of this machine: use --gpus all");
  return std::make_unique<SeveralGpus>(gpus, patience, std::move(stop));
}
const RegisterSeveralGpus here(make_several);

}  // namespace

}  // namespace bscope
#endif
