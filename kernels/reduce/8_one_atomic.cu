#include "engine/simt/kernel.hpp"

// The shortest sum is the fastest: one launch, one tile a block, one atomic a block.
//
// MEMORY IS NEVER IDLE. Each thread asks for `loads` vectors of 16 bytes before it uses the first. Only the
// end of the array is read with care: a question for each vector would cost registers, and 40 a thread leave
// room for three blocks of 512, two of which read while one adds up its warps. Blocks live for one tile only:
// the hardware hands the next one to whichever multiprocessor is free, so one that reaches memory slowly gets
// less to do. No ring, no ticket: the grid is the queue.
//
// ONE ATOMIC A BLOCK ENDS IT. Sum and number of blocks share a 64-bit word. The block that completes the
// count holds the whole sum in its hand: it stores the answer and leaves the word as it was. No second
// launch.
//
// n - 1 adds.
template <int loads>
struct OneAtomicSum {
  template <class T, class C>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> sum, Array<C> so_far) const {
    const Index i = t.rank(), n = t.block_size(), size = data.size(), first = t.block() * loads * n + i;
    auto of_warp = shared<T>(t, "of warp", ceil_div(n, 32));
    auto fours = vectors<4>(data);
    T mine = 0;
    auto add = [&](const Vec<T, 4>& x) { mine += x[0] + x[1] + x[2] + x[3]; };
    if (first + (loads - 1) * n < fours.size()) {
      Vec<T, 4> x[loads];
#pragma unroll
      for (int k = 0; k < loads; ++k) x[k] = fours[first + k * n];
      t.phase("add");
#pragma unroll
      for (int k = 0; k < loads; ++k) add(x[k]);
    } else {  // the end of the array
      t.phase("add");
      for (Index k = first; k < fours.size(); k += n) add(fours[k]);
    }
    if (t.block() == 0)  // what is left over
      for (Index k = size - 1 - i; k >= size / 4 * 4; k -= n) mine += data[k];

    t.phase("add up the warps");
    mine = t.reduce_add(mine);
    if (t.lane() == 0) of_warp[t.warp()] = mine;
    t.sync();
    if (t.warp() > 0) return;
    T part = 0;
    if (i < ceil_div(n, 32)) part = of_warp[i];
    part = t.reduce_add(part);

    t.phase("add up the blocks");
    if (i > 0) return;
    const auto of_block = counted(part);
    const auto all = atomic_add(so_far[0], of_block) + of_block;
    if (count_of(all) < t.grid_size()) return;
    sum[0] = sum_of(all);
    atomic_exch(so_far[0], C{});
  }
};

// A large array wants much on its way, a small one a tile for every multiprocessor.
static int loads(const Problem& p) {
  if (p.text("loads") != "auto") return p["loads"];
  return p.n() < 1 << 16 ? 1 : 8;
}

static const Register one_atomic_sum{{
    .name = "reduce/one-atomic",
    .title = "One atomic a block",
    .lesson = "short-lived blocks, eight loads on their way each, one 64-bit atomic: the speed of reading",
    .parameters = {{"loads", {"auto", 1, 2, 4, 8}, "auto", "Loads a thread has on their way at once."},
                   addition_only("the hardware's sums of a warp are of integers, and sum and count share "
                                 "one 64-bit atomic"),
                   int32_only("sum and count share one 64-bit integer atomic",
                              "sum and count share one 64-bit integer atomic")},
    .default_n = 64,
    .full_block = 512,
    .levels = 2,
    .tile = [](const Problem& p) { return 4 * loads(p) * p.block; },
    .property = always(Property::reduction),
    .expected = serial::reduction,
    .program =
        [](Gpu& gpu, const Problem& p) {
          auto data = gpu.array("data", p.values<int>());
          auto sum = gpu.array<int>("sum", 1);
          auto so_far = gpu.array<Counted<int>>("so far", 1);
          choose<1, 2, 4, 8>(loads(p), [&](auto loads) {
            const int blocks = ceil_div(data.size(), 4 * loads * p.block);
            gpu.launch("reduce", {blocks, p.block}, OneAtomicSum<loads>{}, read_only(data), sum, so_far);
          });
          return sum;
        },
}};
