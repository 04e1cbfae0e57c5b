#ifdef BARRIERSCOPE_NCCL
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cub/block/block_reduce.cuh>
#include <cub/device/device_reduce.cuh>
#include <cuda/atomic>
#include <limits>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

#include "engine/simt/gpu_memory.hpp"
#include "engine/timing/gpu_check.hpp"
#include "engine/timing/gpu_events.hpp"
#include "engine/timing/gpu_meters.hpp"
#include "engine/timing/nccl.hpp"
#include "engine/timing/several.hpp"
#include "engine/trace/error.hpp"

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

/// to[k] = from[k] + words[0][k] + ... + words[count - 1][k], of rows of `width` words; one block.
template <class T>
__global__ void add_sums(T* to, const T* from, const T* words, int width, int count) {
  for (int k = threadIdx.x; k < width; k += blockDim.x) {
    Wide<T> sum = from ? Wide<T>(from[k]) : 0;
    for (int gpu = 0; gpu < count; ++gpu) sum += Wide<T>(words[gpu * width + k]);
    to[k] = T(sum);
  }
}

/// The sum of all that a scan has gone through: where it is exclusive, its last result is all but its last
/// number.
template <class T>
__global__ void sum_of_scan(T* sum, const T* last_result, const T* last_number) {
  *sum = T(Wide<T>(*last_result) + (last_number ? Wide<T>(*last_number) : 0));
}

__device__ unsigned long long nanoseconds() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

/// A word that other GPUs write or read, too.
using SharedWord = cuda::atomic_ref<unsigned long long, cuda::thread_scope_system>;

/// Waits for such a word. No wait is endless: a GPU that has failed is found by its result.
__device__ unsigned long long await(unsigned long long* word, auto is_there) {
  constexpr unsigned long long most = 2'000'000'000;
  unsigned long long began = 0;
  for (unsigned looks = 1;; ++looks) {
    const auto now = SharedWord(*word).load(cuda::memory_order_relaxed);
    if (is_there(now)) return now;
    if (looks % 1024) continue;  // a look at the clock takes longer than one at the word
    if (!began) began = nanoseconds();
    if (nanoseconds() - began > most) return now;
  }
}

constexpr int most_gpus = 16;
/// The progress of all: of[gpu][k] is the step that GPU k has reported to this GPU.
struct Steps {
  unsigned long long* of[most_gpus];
};
/// GPU `number` of `count` tells all, itself too, that it has come to this step, and waits until all have.
__device__ void meet(const Steps& steps, int number, int count, unsigned step) {
  __syncthreads();
  if (const int gpu = threadIdx.x; gpu < count) {
    SharedWord(steps.of[gpu][number]).store(step, cuda::memory_order_relaxed);
    await(&steps.of[number][gpu], [=](unsigned long long come) { return come >= step; });
  }
  __syncthreads();
}
__global__ void meet_all(const __grid_constant__ Steps steps, int number, int count, unsigned step) {
  cudaGridDependencySynchronize();
  meet(steps, number, count, step);
}

/// A value on its way from GPU to GPU: each 32 bits in one word with the step that they are of, so that
/// nothing else need be ordered and no flag waited for (NCCL's protocol LL does so).
template <class T>
struct MailWords {
  static constexpr int words = sizeof(T) / 4;
  unsigned long long word[words];
};
template <class T>
__device__ void send(MailWords<T>& to, T value, unsigned step) {
  unsigned bits[MailWords<T>::words];
  memcpy(bits, &value, sizeof value);
  for (int k = 0; k < MailWords<T>::words; ++k)
    SharedWord(to.word[k]).store((unsigned long long)step << 32 | bits[k], cuda::memory_order_relaxed);
}
template <class T>
__device__ T receive(MailWords<T>& from, unsigned step) {
  unsigned bits[MailWords<T>::words];
  for (int k = 0; k < MailWords<T>::words; ++k)
    bits[k] = unsigned(await(&from.word[k], [=](unsigned long long word) { return word >> 32 == step; }));
  T value;
  memcpy(&value, bits, sizeof value);
  return value;
}
/// Where each GPU receives what the others have summed up: a row of mail words from each of them.
template <class T>
struct Mailboxes {
  MailWords<T>* rows[most_gpus];
};

/// What one GPU sums up goes to all, and what lies before it is added to what it has.
template <class T>
struct ExchangeParameters {
  const T* mine;  ///< a row of `width` sums
  int width;
  T* to;  ///< gets `from`, if there is one, and the sums of the first `before` GPUs
  const T* from;
  T* words;  ///< gets the rows of these GPUs
  int before;
};
/// The exchange through each other's memory. With `ends`, all know in the end that all have ended.
template <class T>
__global__ void exchange_sums(const __grid_constant__ ExchangeParameters<T> parameters,
                              const __grid_constant__ Mailboxes<T> all, const __grid_constant__ Steps steps,
                              int number, int count, unsigned step, bool ends) {
  cudaGridDependencySynchronize();
  for (int k = threadIdx.x; k < parameters.width; k += blockDim.x) {
    for (int gpu = 0; gpu < count; ++gpu)
      send(all.rows[gpu][number * parameters.width + k], parameters.mine[k], step);
    Wide<T> sum = parameters.from ? Wide<T>(parameters.from[k]) : 0;
    for (int gpu = 0; gpu < parameters.before; ++gpu)
      sum += Wide<T>(parameters.words[gpu * parameters.width + k] =
                         receive(all.rows[number][gpu * parameters.width + k], step));
    parameters.to[k] = T(sum);
  }
  if (ends) meet(steps, number, count, step + 1);
}

/// One block after what is on the stream, begun while that ends: the kernel waits for its memory by
/// cudaGridDependencySynchronize(). With a thread for each of `width` words and no more warps than that:
/// where parts share a GPU, a block that waits must leave room for those that it waits for.
template <class... A>
void launch_after(cudaStream_t s, int width, void (*kernel)(A...), std::type_identity_t<A>... arguments) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t shape{};
  shape.gridDim = 1;
  shape.blockDim = unsigned(std::min(threads, (width + 31) / 32 * 32));
  shape.stream = s;
  shape.attrs = &early;
  shape.numAttrs = 1;
  must(cudaLaunchKernelEx(&shape, kernel, arguments...), "telling the other GPUs");
}

/// Waits until the host has started every GPU's work: its own time is in no sample. Not for ever: a host
/// that has something to wait for itself must not wait for us.
__global__ void wait_for_host(const unsigned* opened, unsigned ticket) {
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
class GpuWorker {
 public:
  explicit GpuWorker(int gpu) : gpu_((turn_to(gpu), gpu)) {}
  ~GpuWorker() { cudaSetDevice(gpu_); }
  GpuWorker(const GpuWorker&) = delete;

  cudaStream_t stream() const { return stream_; }
  void turn() const { turn_to(gpu_); }
  void flush() { flush_(stream_); }
  void wait() const {
    turn();
    must(cudaStreamSynchronize(stream_), "running on GPU " + std::to_string(gpu_));
  }
  GpuEvent& ready() { return ready_; }
  GpuEvent& done() { return done_; }
  unsigned long long* steps() const { return steps_.get(); }

 private:
  int gpu_;  // first: what follows is made on this GPU
  GpuStream stream_;
  CacheFlush flush_;
  GpuEvent ready_{cudaEventDisableTiming}, done_{cudaEventDisableTiming};
  DeviceArray<unsigned long long> steps_{most_gpus};
};

/// NCCL's connections between the GPUs, and calls that all of them take part in.
class Ring {
 public:
  explicit Ring(const std::vector<int>& gpus) : nccl_(nccl()), comms_(gpus.size()) {
    const BackAgain guard;
    nccl_.must(nccl_.init_all(comms_.data(), int(gpus.size()), gpus.data()),
               "connecting " + std::to_string(gpus.size()) + " GPUs");
  }
  ~Ring() {
    // After a failure no GPU answers any more: destroying would wait for ever.
    for (const ncclComm_t comm : comms_) (failed_ ? nccl_.abort : nccl_.destroy)(comm);
  }
  Ring(const Ring&) = delete;
  /// call(nccl, comm, gpu) for each GPU, as one exchange.
  void together(auto&& call) {
    failed_ = true;
    nccl_.must(nccl_.group_start(), "beginning an exchange");
    for (size_t gpu = 0; gpu < comms_.size(); ++gpu)
      nccl_.must(call(nccl_, comms_[gpu], gpu), "exchanging sums");
    nccl_.must(nccl_.group_end(), "exchanging sums");
    failed_ = false;
  }
  void fail() { failed_ = true; }

 private:
  const Nccl& nccl_;
  std::vector<ncclComm_t> comms_;
  bool failed_ = false;
};

/// Lets each of these GPUs write into the memory of every other. False where two cannot.
bool open_to_each_other(const std::vector<int>& gpus) {
  const BackAgain guard;
  for (const int gpu : gpus)
    for (const int other : gpus) {
      if (other == gpu) continue;
      int can = 0;
      must(cudaDeviceCanAccessPeer(&can, gpu, other), "asking what GPUs can reach");
      if (!can) return false;
      turn_to(gpu);
      if (const cudaError_t e = cudaDeviceEnablePeerAccess(other, 0); e == cudaErrorPeerAccessAlreadyEnabled)
        cudaGetLastError();
      else
        must(e, "opening the memory of GPU " + std::to_string(other));
    }
  return true;
}

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

/// How sums come to the other GPUs.
enum class ExchangePath : uint8_t { none, peer, nccl };
constexpr const char* names_of_exchanges[] = {"none", "peer", "nccl"};

bool scans(Property p) { return p == Property::inclusive_scan || p == Property::exclusive_scan; }

/// What one GPU holds of one problem: the catalog's kernel on its pieces, and the words of the exchange.
template <class T>
class Share {
 public:
  Share(const Algorithm& a, const std::vector<Problem>& pieces, int number, int of, cudaStream_t s)
      : property_(a.property(pieces[0])), number_(number), of_(of), stream_(s) {
    for (const Problem& p : pieces) pieces_.push_back({p, a.timed(p)});
    width_ = scans(property_) ? 1 : int(pieces_[0].run->result().n);
    words_ = DeviceArray<T>(size_t(of * width_));
    mailbox_ = DeviceArray<MailWords<T>>(size_t(of * width_));
    sum_ = DeviceArray<T>(size_t(width_));
    if (!carries()) return;
    first_ = DeviceArray<T>(1);
    must(cudaMemcpy(first_.get(), last().run->input().data, sizeof(T), cudaMemcpyDeviceToDevice),
         "keeping the first number");
    must(add_up(nullptr, scratch_bytes_), "asking CUB");
    scratch_ = DeviceArray<std::byte>(scratch_bytes_);
  }

  /// Where the others write to.
  MailWords<T>* mailbox() const { return mailbox_.get(); }

  /// What a run does not write is found.
  void spoil() {
    for (const Piece& p : pieces_) p.run->spoil();
    for (const DeviceArray<T>* words : {&words_, &sum_})
      must(cudaMemset(words->get(), 0xCD, words->bytes()), "spoiling the sums");
  }
  /// A run by itself, for the code that it loads: the driver would wait for kernels that wait for others.
  void rehearse(ExchangePath through) {
    restore();
    cudaFuncAttributes loaded;
    must(cudaFuncGetAttributes(&loaded, exchange_sums<T>), "loading code");
    must(cudaFuncGetAttributes(&loaded, meet_all), "loading code");
    before_exchange();
    after_exchange(through);
    must(cudaStreamSynchronize(stream_), "running a part alone");
  }
  /// As before the first run, outside any clock.
  void restore() {
    for (const Piece& p : pieces_) p.run->restore(stream_);
    if (carries())
      must(cudaMemcpyAsync(last().working(), first_.get(), sizeof(T), cudaMemcpyDeviceToDevice, stream_),
           "putting the first number back");
  }

  /// A run: up to the exchange, the exchange (not alone), and after it. Asynchronous on the stream.
  void before_exchange() {
    const Piece& p = pieces_[0];
    if (number_ > 0 && scans(property_)) {
      must(add_up(scratch_.get(), scratch_bytes_), "summing a part");
      return;
    }
    p.run->launch(stream_);
    if (!carries()) return;
    const auto* number = static_cast<const T*>(p.run->input().data) + p.problem.n() - 1;
    sum_of_scan<<<1, 1, 0, stream_>>>(sum_.get(), p.result() + p.problem.n() - 1,
                                      property_ == Property::exclusive_scan ? number : nullptr);
    must(cudaGetLastError(), "summing a part");
  }
  void exchange(const Mailboxes<T>& all, const Steps& steps, unsigned step) {
    const ExchangeParameters<T> parameters =
        carries() ? ExchangeParameters<T>{mine(), 1, last().working(), first_.get(), words_.get(), before()}
                  : ExchangeParameters<T>{mine(), width_, sum_.get(), nullptr, words_.get(), of_};
    launch_after(stream_, parameters.width, exchange_sums<T>, parameters, all, steps, number_, of_, step,
                 ends_with_exchange());
  }
  ncclResult_t tell(const Nccl& n, ncclComm_t comm) {
    if (scans(property_)) return n.all_gather(mine(), words_.get(), 1, nccl_type<T>, comm, stream_);
    return n.all_reduce(mine(), sum_.get(), size_t(width_), nccl_type<T>, ncclSum, comm, stream_);
  }
  void after_exchange(ExchangePath through) {
    if (!carries()) return;
    const Piece& p = last();
    if (through != ExchangePath::peer)
      add_sums<<<1, 1, 0, stream_>>>(p.working(), first_.get(), words_.get(), 1, before());
    p.run->launch(stream_);
    // an exclusive scan begins its piece with zero, whatever the input
    if (property_ == Property::exclusive_scan)
      add_sums<<<1, 1, 0, stream_>>>(p.result(), static_cast<const T*>(nullptr), words_.get(), 1, before());
    must(cudaGetLastError(), "scanning a part");
  }

  /// Whether nothing is left to do once all have exchanged their sums.
  bool ends_with_exchange() const { return !carries(); }

  /// Each piece of the input here, in order: waits.
  size_t pieces() const { return pieces_.size(); }
  long long first_of(size_t piece) const { return pieces_[piece].problem.made->first; }
  /// Sums of the chunks of a piece, found without the kernel.
  std::vector<Wide<T>> chunk_sums(size_t piece) const {
    const Problem& p = pieces_[piece].problem;
    DeviceArray<Wide<T>> sums(chunks(p));
    sum_chunks<T><<<unsigned(chunks(p)), threads, 0, stream_>>>(*p.made, sums.get());
    must(cudaGetLastError(), "starting the check");
    must(cudaStreamSynchronize(stream_), "checking the result");
    return sums.host();
  }
  /// Whether the scan of a piece is right. `before` each chunk lies this, in an input of `whole` numbers.
  bool scanned(size_t piece, const std::vector<Wide<T>>& before, long long whole) const {
    const Piece& p = pieces_[piece];
    DeviceArray<Wide<T>> of_chunks(before);
    DeviceArray<unsigned long long> wrong(1);
    count_wrong<<<unsigned(chunks(p.problem)), threads, 0, stream_>>>(
        *p.problem.made, property_ == Property::inclusive_scan, static_cast<const T*>(p.result()),
        of_chunks.get(), least_magnitude(whole), wrong.get());
    must(cudaGetLastError(), "starting the check");
    must(cudaStreamSynchronize(stream_), "checking the result");
    return wrong.host()[0] == 0;
  }
  /// What this GPU has found alone, and what it holds after the exchange. Not of scans.
  std::vector<T> alone() const {
    std::vector<T> all(static_cast<size_t>(width_));
    must(cudaMemcpy(all.data(), pieces_[0].result(), all.size() * sizeof(T), cudaMemcpyDeviceToHost),
         "copying the result");
    return all;
  }
  std::vector<T> together() const { return of_ == 1 ? alone() : sum_.host(); }
  /// Whether alone() is right, as the whole result of a smaller problem.
  bool right_alone() const {
    const Piece& p = pieces_[0];
    return right_on_device(property_, p.problem, p.run->input(), p.run->result());
  }

 private:
  struct Piece {
    Problem problem;
    std::unique_ptr<TimedRun> run;
    T* working() const { return static_cast<T*>(run->working()); }
    T* result() const { return static_cast<T*>(const_cast<void*>(run->result().data)); }
  };

  const Piece& last() const { return pieces_.back(); }
  /// Whether something lies before the last piece that others know.
  bool carries() const { return scans(property_) && of_ > 1; }
  /// The sums of so many GPUs lie before the last piece.
  int before() const { return number_ == 0 ? of_ : number_; }
  /// What the others receive.
  const T* mine() const { return scans(property_) ? sum_.get() : pieces_[0].result(); }
  static size_t chunks(const Problem& p) { return size_t((p.n() + chunk - 1) / chunk); }
  cudaError_t add_up(void* scratch, size_t& bytes) const {
    return cub::DeviceReduce::Sum(scratch, bytes, static_cast<const T*>(last().working()), sum_.get(),
                                  last().problem.n(), stream_);
  }

  Property property_;
  int number_, of_, width_ = 1;
  cudaStream_t stream_;
  std::vector<Piece> pieces_;
  DeviceArray<T> words_, sum_, first_;  // words_: what each GPU has summed up
  DeviceArray<MailWords<T>> mailbox_;
  size_t scratch_bytes_ = 0;
  DeviceArray<std::byte> scratch_;
};

class SeveralGpus final : public Meter {
 public:
  SeveralGpus(const std::vector<int>& gpus, const Patience& patience, std::function<bool()> stop)
      : patience_(patience), stop_(std::move(stop)), one_(gpu_meter(patience, stop_, gpus[0])) {
    connect(gpus);
    const BackAgain guard;
    for (const int gpu : gpus) workers_.push_back(std::make_unique<GpuWorker>(gpu));
    turn_to(gpus[0]);
    start_ = std::make_unique<GpuEvent>();
    end_ = std::make_unique<GpuEvent>();
  }
  Recording begin() override {
    run_ = one_->begin();
    if (!missing_.empty()) run_.notes.push_back(missing_);
    return run_;
  }
  Record kernel(const Algorithm& a, const Problem& p) override {
    return measured(a, p, {exchanges_[0]}).front();
  }
  std::vector<Record> in_turn(const Algorithm& a, const Problem& p) override {
    return measured(a, p, exchanges_);
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
    for (size_t k = 0; k < workers_.size(); ++k) {
      workers_[k]->turn();
      f(k);
    }
  }

  /// Through each other's memory, and through NCCL; one of them will do.
  void connect(const std::vector<int>& gpus) {
    if (gpus.size() == 1) {
      exchanges_ = {ExchangePath::none};
      return;
    }
    if (gpus.size() > most_gpus)
      throw NoDevice(message("--gpus {} is more than the {} that can exchange their sums: use fewer",
                             gpus.size(), most_gpus));
    open_ = open_to_each_other(gpus);
    if (open_) exchanges_.push_back(ExchangePath::peer);
    if (std::set<int>(gpus.begin(), gpus.end()).size() < gpus.size()) return;  // NCCL wants GPUs of their own
    try {
      ring_ = std::make_unique<Ring>(gpus);
      exchanges_.push_back(ExchangePath::nccl);
    } catch (const NoDevice& e) {
      if (exchanges_.empty()) throw;
      missing_ = std::string("not compared with NCCL: ") + e.what();
    }
  }

  std::vector<Record> measured(const Algorithm& a, const Problem& p,
                               const std::vector<ExchangePath>& exchanges) {
    check_shared(a, p);
    std::vector<Record> all;
    with_type(p, [&](auto zero) { all = measured<decltype(zero)>(a, p, exchanges); });
    return all;
  }
  template <class T>
  std::vector<Record> measured(const Algorithm& a, const Problem& p,
                               const std::vector<ExchangePath>& exchanges) {
    const BackAgain guard;
    std::vector<Record> all;
    try {
      const Shares<T> shares = shared_out<T>(a, p);
      for (const ExchangePath through : exchanges) {
        Record r = record_of(a.name, a, p);
        r.parameters["exchange"] = names_of_exchanges[size_t(through)];
        r.gpus = gpus();
        each([&](size_t k) { shares[k]->rehearse(through); });
        each([&](size_t k) { shares[k]->spoil(); });
        sample_once(shares, through);  // NCCL connects
        r.correct = right(shares, a.property(p), r.n);
        all.push_back(std::move(r));
      }
      const auto began = std::chrono::steady_clock::now();
      for (bool enough = false; !enough && !(stop_ && stop_());) {
        enough = true;
        for (size_t k = 0; k < all.size(); ++k) all[k].samples.push_back(sample_once(shares, exchanges[k]));
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        for (const Record& r : all)
          enough &= enough_samples(r.samples, seconds / double(all.size()), patience_);
      }
      // checked after the samples, too: what one run leaves behind must not spoil the next
      for (size_t k = 0; k < all.size(); ++k) {
        sample_once(shares, exchanges[k]);
        all[k].correct = all[k].correct && right(shares, a.property(p), all[k].n);
        complete(all[k], run_);
      }
    } catch (const TooLarge&) { throw; } catch (...) {
      if (ring_) ring_->fail();
      throw;
    }
    return all;
  }

  /// Takes the memory on every GPU.
  template <class T>
  Shares<T> shared_out(const Algorithm& a, const Problem& p) {
    const auto pieces = shares_of(a.property(p), p.n(), gpus());
    Shares<T> shares(pieces.size());
    each([&](size_t k) {
      std::vector<Problem> mine;
      for (const InputPart& part : pieces[k]) mine.push_back(problem_of(p, part));
      try {
        shares[k] = std::make_unique<Share<T>>(a, mine, int(k), gpus(), workers_[k]->stream());
      } catch (const UsageError& e) {
        throw TooLarge(gpus() == 1 ? e.message()
                                   : message("GPU {}'s part of {}: {}", k, gpus(), e.message()));
      }
    });
    return shares;
  }

  /// Seconds from the moment when all GPUs may begin to the moment when GPU 0 knows that all have ended. They
  /// agree on both through each other's memory where they can reach it.
  template <class T>
  double sample_once(const Shares<T>& shares, ExchangePath through) {
    Mailboxes<T> all{};
    Steps steps{};
    for (size_t k = 0; k < shares.size(); ++k)
      all.rows[k] = shares[k]->mailbox(), steps.of[k] = workers_[k]->steps();
    const unsigned begins = step_, exchanges = begins + 1, ends = begins + 2;
    step_ += 3;
    auto meet = [&](size_t k, unsigned step) {
      launch_after(workers_[k]->stream(), most_gpus, meet_all, steps, int(k), gpus(), step);
    };
    each([&](size_t k) {
      shares[k]->restore();
      workers_[k]->flush();
      workers_[k]->ready().record(workers_[k]->stream());
      gate_.close(workers_[k]->stream());
      if (open_) meet(k, begins);
      if (k == 0) start_->record(workers_[0]->stream());
      shares[k]->before_exchange();
    });
    if (through == ExchangePath::nccl)
      ring_->together([&](const Nccl& n, ncclComm_t comm, size_t k) { return shares[k]->tell(n, comm); });
    each([&](size_t k) {
      if (through == ExchangePath::peer) shares[k]->exchange(all, steps, exchanges);
      shares[k]->after_exchange(through);
      if (open_ && !(through == ExchangePath::peer && shares[k]->ends_with_exchange())) meet(k, ends);
      workers_[k]->done().record(workers_[k]->stream());
    });
    workers_[0]->turn();
    if (!open_)
      for (const auto& w : workers_)
        must(cudaStreamWaitEvent(workers_[0]->stream(), w->done().get()), "waiting for the other GPUs");
    end_->record(workers_[0]->stream());
    for (const auto& w : workers_) w->ready().wait();
    gate_.open();
    for (const auto& w : workers_) w->wait();
    return end_->since(*start_);
  }

  template <class T>
  bool right(const Shares<T>& shares, Property property, long long n) const {
    if (property == Property::histogram) return counted(shares);
    struct Piece {
      size_t gpu, piece;
    };
    std::map<long long, Piece> in_order;  // by the piece's first number
    for (size_t k = 0; k < shares.size(); ++k)
      for (size_t piece = 0; piece < shares[k]->pieces(); ++piece)
        in_order[shares[k]->first_of(piece)] = {k, piece};
    bool all = true;
    Wide<T> sum = 0;
    for (const auto& [first, at] : in_order) {
      workers_[at.gpu]->turn();
      const auto before = sums_before(shares[at.gpu]->chunk_sums(at.piece), sum);
      if (scans(property)) all &= shares[at.gpu]->scanned(at.piece, before, n);
      sum = before.back();
    }
    if (!scans(property))
      each([&](size_t k) { all &= close(shares[k]->together()[0], T(sum), least_magnitude(n)); });
    return all;
  }

  /// Each GPU's own bins are right, and every GPU holds the sums of all of them.
  template <class T>
  bool counted(const Shares<T>& shares) const {
    bool all = true;
    std::vector<Wide<T>> sums;
    each([&](size_t k) {
      all &= shares[k]->right_alone();
      const std::vector<T> bins = shares[k]->alone();
      sums.resize(bins.size());
      for (size_t b = 0; b < bins.size(); ++b) sums[b] += Wide<T>(bins[b]);
    });
    each([&](size_t k) {
      const std::vector<T> bins = shares[k]->together();
      for (size_t b = 0; b < bins.size(); ++b) all &= bins[b] == T(sums[b]);
    });
    return all;
  }

  Patience patience_;
  std::function<bool()> stop_;
  std::unique_ptr<Meter> one_;
  Recording run_;
  std::vector<ExchangePath> exchanges_;
  std::string missing_;  ///< why there is no NCCL
  std::vector<std::unique_ptr<GpuWorker>> workers_;
  std::unique_ptr<Ring> ring_;  // goes before the streams that it works on
  Gate gate_;
  std::unique_ptr<GpuEvent> start_, end_;
  bool open_ = false;  ///< whether each GPU can reach the memory of every other
  unsigned step_ = 1;
};

std::unique_ptr<Meter> make_several(const std::vector<int>& gpus, const Patience& patience,
                                    std::function<bool()> stop) {
  need_device();
  const int there = gpu_count();
  if (const int most = *std::max_element(gpus.begin(), gpus.end()); most >= there)
    throw NoDevice(
        there == 1
            ? message("--gpus {} asks for more than the one GPU of this machine: use --gpus all", most + 1)
            : message("--gpus {} asks for more than the {} GPUs of this machine: use --gpus all", most + 1,
                      there));
  return std::make_unique<SeveralGpus>(gpus, patience, std::move(stop));
}
const RegisterSeveralGpus here(make_several);

}  // namespace

}  // namespace bscope
#endif
