#include "kernels/vectors.hpp"

// A sum of any type at the speed of reading, in one launch: every block adds up one tile and leaves its part,
// and the last block adds up the parts.
//
// MEMORY IS NEVER IDLE. Each thread asks for `loads` vectors of 16 bytes before it uses the first, and a
// block lives for one tile only: the hardware hands the next one to whichever multiprocessor is free. What
// one block can take at once is left to one block.
//
// NO FENCE, NO ATOMIC. A part is one word that says that it is there: an integer carries a count, a float is
// never all zeros. A block stores it and is done; a fence and a count for each block would cost 3% of 2^29 on
// an H200. No second launch, and no atomic on the sum: any type and operator will do, and since each part has
// its thread, a float's sum has the same bits in every run.
//
// EVERY N-TH BLOCK GATHERS, n being the threads of a block: with its own sum it adds up the parts since the
// block that did so before, a thread for each, and leaves the sum of all so far. So the last block has no
// more than n to wait for. Whoever waits, waits for earlier blocks. CUDA does not promise that these have
// started, but hardware starts blocks in order, and NVIDIA's own CUB relies on it (agent_scan.cuh).
//
// Per element one add in its thread's sum; then the lanes, the warps and the parts.
template <class T>
__device__ T sum_to_lane_0(auto& t, T mine) {
  if constexpr (Reduced<plain<T>>) {
    return t.reduce_add(mine);  // integers have an instruction for it
  } else {
    const int lanes = min(32, t.block_size() - 32 * t.warp());
#pragma unroll
    for (int stride = 16; stride > 0; stride /= 2) {
      const T right = t.shuffle(mine, min(t.lane() + stride, lanes - 1));
      if (t.lane() + stride < lanes) mine += right;
    }
    return mine;
  }
}

template <int width, int loads>  // width: elements in 16 bytes
struct LastBlockSum {
  static constexpr int blocks_per_multiprocessor = 2;

  template <class T, class C>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> sum, Array<C> parts) const {
    const int i = t.rank(), n = t.block_size();
    const Index block = t.block(), first = block * loads * n + i;
    auto of_warp = shared<T>(t, "of warp", ceil_div(n, 32));
    auto wide = vectors<width>(data);
    T mine = identity<T>();
    auto add = [&](Vec<T, width> x) {
#pragma unroll
      for (int c = 0; c < width; ++c) mine += x[c];
    };
    if (first + (loads - 1) * n < wide.size()) {
      Vec<T, width> x[loads];
#pragma unroll
      for (int k = 0; k < loads; ++k) x[k] = wide[first + k * n];
      t.phase("add");
#pragma unroll
      for (int k = 0; k < loads; ++k) add(x[k]);
    } else {  // the end of the array
      t.phase("add");
      for (Index k = first; k < wide.size(); k += n) add(wide[k]);
    }
    if (block == 0)  // what is left over
      for (Index k = data.size() - 1 - i; k >= width * wide.size(); k -= n) mine += data[k];

    const bool is_last = block == t.grid_size() - 1;
    if (block > 0 && (is_last || block % n == n - 1)) {
      t.phase("gather the parts");
      const Index from = block / n * n - 1, k = from + i;  // from whoever gathered before
      t.awaits(from, block - 1);
      if (k >= 0 && k < block) {
        mine += await_part<T>(parts[k]);
        withdraw(parts[k]);  // ready for the next call
      }
      t.goes_on();
    }

    t.phase("add up the warps");
    mine = sum_to_lane_0(t, mine);
    if (t.lane() == 0) of_warp[t.warp()] = mine;
    t.sync();
    if (t.warp() > 0) return;
    T part = identity<T>();
    if (i < ceil_div(n, 32)) part = of_warp[i];
    part = sum_to_lane_0(t, part);
    if (is_last) {
      if (i == 0) sum[0] = part;
      return;
    }
    if (i == 0) publish_part(parts[block], part);
    t.has_published(block);
  }
};

// One block takes what its threads can load at once. Otherwise a tile for every multiprocessor comes first,
// then as much on its way as registers hold. (A small block is for looking at: it shows how parts meet.)
static int loads(const Problem& p) {
  if (p.text("loads") != "auto") return p["loads"];
  const auto of_one_block = ceil_div(p.n(), width_of(p) * p.block);
  const auto each = p.block >= 256 && of_one_block <= 4 ? of_one_block : ceil_div(of_one_block, 256);
  return each > 2 ? 4 : each > 1 ? 2 : 1;
}

static const Register last_block_sum{{
    .name = "reduce/last-block",
    .title = "The last block",
    .lesson = "one launch for any type: parts that say that they are there, and the last block adds them up",
    .parameters = {{"loads", {"auto", 1, 2, 4}, "auto", "Loads a thread has on their way at once."},
                   commutative_operators(
                       "a thread takes vectors that lie a whole block apart before those between"),
                   element_type()},
    .default_n = 64,
    .full_block = 1024,
    .levels = 2,
    .tile = [](const Problem& p) { return width_of(p) * loads(p) * p.block; },
    .property = always(Property::reduction),
    .expected = serial::reduction,
    .program =
        [](Gpu& gpu, const Problem& p) {
          return with_element(p, [&](auto zero) -> Output {
            using T = decltype(zero);
            constexpr int width = 16 / sizeof(T);
            auto data = gpu.array("data", p.values<T>());
            auto sum = gpu.array<T>("sum", 1);
            const Index blocks = ceil_div(data.size(), width * loads(p) * p.block);
            auto parts = gpu.array<PartOf<T>>("parts", blocks);
            choose<1, 2, 4>(loads(p), [&](auto loads) {
              gpu.launch("reduce", {blocks, p.block}, LastBlockSum<width, loads>{}, read_only(data), sum,
                         parts);
            });
            return sum;
          });
        },
}};
