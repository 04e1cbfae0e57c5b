// Plain CUDA on purpose: pointers, lengths and blockIdx, nothing of ours but the interface they are timed
// through.
#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "engine/simt/gpu_memory.hpp"
#include "tests/raw/raw.hpp"

namespace bscope::tests {
namespace {
using on_gpu::DeviceArray;
using on_gpu::must;

struct Ints {
  int* at;
  int n;
};
struct ConstInts {
  const int* at;
  int n;
};
struct Keys {
  const unsigned char* at;
  int n;
};
extern __shared__ int4 raw_shared[];

__global__ void __launch_bounds__(1024) tree_mask(ConstInts data, Ints sum, int power) {
  int* s = reinterpret_cast<int*>(raw_shared);
  const int i = threadIdx.x, n = blockDim.x, k = int(blockIdx.x) * n + i;
  int x = 0;
  if (k < data.n) x = __ldg(data.at + k);
  int y = x;
  for (int p = 1; p < power; ++p) y *= x;
  s[i] = y;
  int offset = 1, mask = 1;
  while (offset < n) {
    __syncthreads();
    if ((i & mask) == 0) s[i] += s[i + offset];
    offset += offset;
    mask += offset;
  }
  if (i == 0) atomicAdd(sum.at, s[0]);
}

template <int unroll>
__global__ void __launch_bounds__(1024) shared_tree(ConstInts data, Ints sums) {
  int* s = reinterpret_cast<int*>(raw_shared);
  const int i = threadIdx.x, n = blockDim.x, first = int(blockIdx.x) * n * unroll + i;
  int mine = 0;
  if (first < data.n) mine = __ldg(data.at + first);
#pragma unroll
  for (int u = 1; u < unroll; ++u)
    if (first + u * n < data.n) mine += __ldg(data.at + first + u * n);
  s[i] = mine;
  for (int stride = n / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (i < stride) s[i] += s[i + stride];
  }
  if (i == 0) sums.at[int(blockIdx.x)] = s[0];
}

__global__ void __launch_bounds__(1024) kogge_stone(Ints data, Ints totals) {
  int* sum = reinterpret_cast<int*>(raw_shared);
  const int i = threadIdx.x, n = blockDim.x, k = int(blockIdx.x) * n + i;
  int mine = 0;
  if (k < data.n) mine = data.at[k];
  sum[i] = mine;
  for (int stride = 1; stride < n; stride *= 2) {
    int left = 0;
    __syncthreads();
    if (i >= stride) left = sum[i - stride];
    __syncthreads();
    if (i >= stride) sum[i] = left + sum[i];
  }
  if (k < data.n) data.at[k] = sum[i];
  if (i == n - 1) totals.at[int(blockIdx.x)] = sum[i];
}

__global__ void __launch_bounds__(1024) blelloch(Ints data, Ints totals) {
  int* sum = reinterpret_cast<int*>(raw_shared);
  const int i = threadIdx.x, n = 2 * int(blockDim.x), base = int(blockIdx.x) * n;
  for (int k = i; k < n; k += n / 2) {
    int x = 0;
    if (base + k < data.n) x = data.at[base + k];
    sum[k] = x;
  }
  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    const int right = 2 * stride * (i + 1) - 1;
    if (right < n) sum[right] = sum[right - stride] + sum[right];
  }
  __syncthreads();
  if (i == 0) {
    totals.at[int(blockIdx.x)] = sum[n - 1];
    sum[n - 1] = 0;
  }
  __syncthreads();
  for (int stride = n / 2; stride > 0; stride /= 2) {
    const int right = 2 * stride * (i + 1) - 1;
    if (right < n) {
      const int left = sum[right - stride];
      sum[right - stride] = sum[right];
      sum[right] += left;
    }
    __syncthreads();
  }
  for (int k = i; k < n; k += n / 2)
    if (base + k < data.n) data.at[base + k] = sum[k];
}

template <bool inclusive>
__global__ void __launch_bounds__(1024) add_totals(Ints data, ConstInts totals, int tile) {
  const int first = int(blockIdx.x) * tile;
  if (inclusive && blockIdx.x == 0) return;
  const int before = __ldg(totals.at + int(blockIdx.x) - inclusive);
  for (int k = first + int(threadIdx.x); k < first + tile && k < data.n; k += int(blockDim.x))
    data.at[k] = before + data.at[k];
}

__global__ void __launch_bounds__(1024) racy(Keys keys, Ints bins) {
  const int i = int(blockIdx.x) * int(blockDim.x) + int(threadIdx.x);
  if (i < keys.n) bins.at[__ldg(keys.at + i)]++;
}
__global__ void __launch_bounds__(1024) global_atomics(Keys keys, Ints bins) {
  const int i = int(blockIdx.x) * int(blockDim.x) + int(threadIdx.x);
  if (i < keys.n) atomicAdd(bins.at + __ldg(keys.at + i), 1);
}
__global__ void __launch_bounds__(1024) shared_atomics(Keys keys, Ints bins) {
  int* local = reinterpret_cast<int*>(raw_shared);
  const int i = int(blockIdx.x) * int(blockDim.x) + int(threadIdx.x);
  for (int b = threadIdx.x; b < bins.n; b += int(blockDim.x)) local[b] = 0;
  __syncthreads();
  if (i < keys.n) atomicAdd(local + __ldg(keys.at + i), 1);
  __syncthreads();
  for (int b = threadIdx.x; b < bins.n; b += int(blockDim.x)) {
    const int count = local[b];
    if (count > 0) atomicAdd(bins.at + b, count);
  }
}

int tiles_of(int n, int tile) { return (n + tile - 1) / tile; }

/// Arrays and launches of one raw program.
class RawRun final : public TimedRun {
 public:
  RawRun(const std::string& kernel, const Problem& p) : block_(p.block) {
    need_device();
    if (kernel == "reduce/tree-mask") {
      const Ints data = ints(p.values<int>()), sum = zeros(1);
      add(tiles_of(data.n, block_), block_ * 4, [=](int grid, int block, int bytes) {
        tree_mask<<<grid, block, bytes>>>({data.at, data.n}, sum, 1);
      });
      output_ = sum;
    } else if (kernel == "reduce/shared") {
      output_ = reduce(ints(p.values<int>()), p["unroll"]);
    } else if (kernel == "scan/kogge-stone") {
      output_ = ints(p.values<int>());
      keep_input();
      scan<true>(kogge_stone, output_, block_);
    } else if (kernel == "scan/blelloch") {
      output_ = ints(p.values<int>());
      keep_input();
      scan<false>(blelloch, output_, 2 * block_);
    } else {
      keys_ = DeviceArray<unsigned char>(p.values<unsigned char>());
      const Keys keys{keys_.get(), p.n()};
      const Ints bins = output_ = zeros(p["bins"]);
      const auto form = kernel == "histogram/racy"             ? racy
                        : kernel == "histogram/global-atomics" ? global_atomics
                                                               : shared_atomics;
      const int bytes_of_block = form == shared_atomics ? bins.n * 4 : 0;
      add(tiles_of(keys.n, block_), bytes_of_block,
          [=](int grid, int block, int bytes) { form<<<grid, block, bytes>>>(keys, bins); });
    }
    must(cudaDeviceSynchronize(), "preparing the raw " + kernel);
  }
  void restore() override {
    if (input_.size())
      must(cudaMemcpyAsync(output_.at, input_.get(), input_.bytes(), cudaMemcpyDeviceToDevice),
           "putting the input back");
    for (const Ints a : zeros_) must(cudaMemsetAsync(a.at, 0, size_t(a.n) * sizeof(int)), "clearing");
  }
  void launch() override {
    for (const auto& l : launches_) l();
    must(cudaGetLastError(), "starting a raw kernel");
  }
  std::vector<double> output() override {
    std::vector<int> v(size_t(output_.n));
    must(cudaMemcpy(v.data(), output_.at, v.size() * sizeof(int), cudaMemcpyDeviceToHost),
         "reading the output");
    return {v.begin(), v.end()};
  }

 private:
  Ints ints(const std::vector<int>& v) {
    arrays_.emplace_back(v);
    return {arrays_.back().get(), int(v.size())};
  }
  Ints zeros(int n) {
    arrays_.emplace_back(size_t(n));
    return zeros_.emplace_back(Ints{arrays_.back().get(), n});
  }
  /// The output array is the input, changed in place.
  void keep_input() {
    input_ = DeviceArray<int>(size_t(output_.n));
    must(cudaMemcpy(input_.get(), output_.at, input_.bytes(), cudaMemcpyDeviceToDevice), "keeping the input");
  }
  template <class F>
  void add(int grid, int bytes, F f) {
    launches_.push_back([f, grid, bytes, block = block_] { f(grid, block, bytes); });
  }
  template <bool inclusive, class Form>
  void scan(Form form, Ints data, int tile) {
    const int tiles = tiles_of(data.n, tile);
    const Ints totals = zeros(tiles);
    add(tiles, tile * 4, [=](int grid, int block, int bytes) { form<<<grid, block, bytes>>>(data, totals); });
    if (tiles == 1) return;
    scan<inclusive>(form, totals, tile);
    add(tiles, 0, [=](int grid, int block, int) {
      add_totals<inclusive><<<grid, block>>>(data, {totals.at, totals.n}, tile);
    });
  }
  Ints reduce(Ints data, int unroll) {
    const Ints sums = zeros(tiles_of(data.n, block_ * unroll));
    const ConstInts from{data.at, data.n};
    choose<1, 2, 4, 8>(unroll, [&](auto u) {
      add(sums.n, block_ * 4,
          [=](int grid, int block, int bytes) { shared_tree<u><<<grid, block, bytes>>>(from, sums); });
    });
    return sums.n == 1 ? sums : reduce(sums, unroll);
  }

  int block_;
  std::vector<DeviceArray<int>> arrays_;
  std::vector<Ints> zeros_;
  DeviceArray<int> input_;
  DeviceArray<unsigned char> keys_;
  std::vector<std::function<void()>> launches_;
  Ints output_{};
};

double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + long(v.size() / 2), v.end());
  return v[v.size() / 2];
}

/// Milliseconds of one launch, mean of a batch.
double time_batch(TimedRun& run, int launches, cudaEvent_t begin, cudaEvent_t end) {
  must(cudaEventRecord(begin), "timing");
  for (int k = 0; k < launches; ++k) run.launch();
  must(cudaEventRecord(end), "timing");
  must(cudaEventSynchronize(end), "timing");
  float ms = 0;
  must(cudaEventElapsedTime(&ms, begin, end), "timing");
  return double(ms) / launches;
}
}  // namespace

bool has_raw_twin(const std::string& kernel) {
  for (const char* name : {"reduce/tree-mask", "reduce/shared", "scan/kogge-stone", "scan/blelloch",
                           "histogram/racy", "histogram/global-atomics", "histogram/shared-atomics"})
    if (kernel == name) return true;
  return false;
}

std::unique_ptr<TimedRun> raw_twin(const std::string& kernel, const Problem& p) {
  if (!has_raw_twin(kernel)) throw UsageError("no hand-written twin of " + kernel);
  return std::make_unique<RawRun>(kernel, p);
}

Ratio time_ratio(const MakeRun& ours, const MakeRun& raw) {
  constexpr int turns = 5, of_turn = 13;
  cudaEvent_t begin, end;
  must(cudaEventCreate(&begin), "timing");
  must(cudaEventCreate(&end), "timing");
  auto samples = [&](const MakeRun& make) {
    const auto run = make();
    // Warm-up, and batches long enough (2 ms) that starting them does not show.
    const int launches = std::max(1, int(2.0 / time_batch(*run, 3, begin, end)));
    std::vector<double> v;
    for (int k = 0; k < of_turn; ++k) v.push_back(time_batch(*run, launches, begin, end));
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
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  r.samples = int(a.size());
  r.ours_ms = median(a);
  r.raw_ms = median(b);
  r.median = r.ours_ms / r.raw_ms;
  return r;
}

}  // namespace bscope::tests
