#include "kernels/vectors.hpp"

// A sum of any type at the speed of reading, in one launch: every block adds up one tile and leaves its part,
// and the block that comes last adds up the parts.
//
// MEMORY IS NEVER IDLE. Each thread asks for `loads` vectors of 16 bytes before it uses the first, and a
// block lives for one tile only: the hardware hands the next one to whichever multiprocessor is free. What
// one block can take at once is left to one block.
//
// NOBODY WAITS. A block writes its part, then (a fence) counts itself: whoever counts the last one knows that
// all parts are there (CUDA's sample threadFenceReduction). No second launch, and no atomic on the sum: any
// type and operator will do, and since parts lie in the order of the tiles, a float's sum has the same bits
// in every run.
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

  template <class T, class I>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> sum, Array<T> parts,
                             Array<I> counted) const {
    const int i = t.rank(), n = t.block_size();
    const Index first = t.block() * loads * n + i;
    auto of_warp = shared<T>(t, "of warp", ceil_div(n, 32));
    auto comes = shared<I>(t, "comes", 1);  // as which block
    T mine = identity<T>();
    auto add = [&](Vec<T, width> x) {
#pragma unroll
      for (int c = 0; c < width; ++c) mine += x[c];
    };
    auto sum_of_block = [&]() -> T {  // thread 0 has it
      mine = sum_to_lane_0(t, mine);
      if (t.lane() == 0) of_warp[t.warp()] = mine;
      t.sync();
      if (t.warp() > 0) return mine;
      T of_mine = identity<T>();
      if (i < ceil_div(n, 32)) of_mine = of_warp[i];
      return sum_to_lane_0(t, of_mine);
    };
    auto wide = vectors<width>(data);
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
    if (t.block() == 0)  // what is left over
      for (Index k = data.size() - 1 - i; k >= width * wide.size(); k -= n) mine += data[k];

    t.phase("add up the warps");
    const T part = sum_of_block();
    if (t.grid_size() == 1) {
      if (i == 0) sum[0] = part;
      return;
    }
    t.phase("leave the part");
    if (i == 0) {
      parts[t.block()] = part;
      t.fence();
      const I before = atomic_add(counted[0], 1);
      if (int(before) == t.grid_size() - 1) t.fence();  // what the others wrote, before we read it
      comes[0] = before;
    }
    t.sync();
    if (int(comes[0]) < t.grid_size() - 1) return;

    t.phase("add up the parts");
    mine = identity<T>();
    auto wide_parts = vectors<width>(parts);
#pragma unroll 4
    for (Index k = i; k < wide_parts.size(); k += n) add(wide_parts[k]);
    for (Index k = width * wide_parts.size() + i; k < parts.size(); k += n) mine += parts[k];
    const T all = sum_of_block();
    if (i > 0) return;
    sum[0] = all;
    counted[0] = 0;  // ready for the next call
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
    .lesson = "one launch for any type: whoever comes last adds up what the others left",
    .parameters = {{"loads", {"auto", 1, 2, 4}, "auto", "Loads a thread has on their way at once."},
                   commutative_operators(
                       "a thread takes vectors that lie a whole block apart before those between"),
                   element_type()},
    .default_n = 64,
    .full_block = 1024,
    .levels = 2,
    .tile = [](const Problem& p) { return width_of(p) * loads(p) * p.block; },
    .promise = always(Promise::reduction),
    .expected = serial::reduction,
    .program =
        [](Gpu& gpu, const Problem& p) {
          return with_element(p, [&](auto zero) -> Output {
            using T = decltype(zero);
            constexpr int width = 16 / sizeof(T);
            auto data = gpu.array("data", p.values<T>());
            auto sum = gpu.array<T>("sum", 1);
            const Index blocks = ceil_div(data.size(), width * loads(p) * p.block);
            auto parts = gpu.array<T>("parts", blocks);
            auto counted = gpu.array<int>("counted", 1);
            choose<1, 2, 4>(loads(p), [&](auto loads) {
              gpu.launch("reduce", {blocks, p.block}, LastBlockSum<width, loads>{}, read_only(data), sum,
                         parts, counted);
            });
            return sum;
          });
        },
}};
