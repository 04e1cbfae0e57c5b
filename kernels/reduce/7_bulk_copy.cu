#include "engine/simt/kernel.hpp"

// A sum reads n numbers once, so all that it can lose is time in which memory has nothing to do.
//
// THE COPY ENGINE READS. One block stays on each multiprocessor with a ring of tiles in shared memory. Thread
// 0 asks for tiles `stages` steps ahead; each arrives at an mbarrier, which the threads await. No register
// holds data on its way and no thread waits for device memory: what is on its way covers the distance.
//
// ONE ATOMIC A BLOCK ENDS IT. Sum and number of blocks share a 64-bit word. The block that completes the
// count holds the whole sum in its hand: it stores the answer and leaves the word as it was. No second
// launch.
//
// n - 1 adds.
template <int items, int stages>
struct BulkCopySum {
  template <class T, class C>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> sum, Array<C> so_far) const {
    const Index i = t.rank(), n = t.block_size(), size = data.size(), tile = 4 * items * n;
    auto ring = shared<T>(t, "ring", {.rows = stages, .columns = tile});
    auto of_warp = shared<T>(t, "of warp", ceil_div(n, 32));
    auto arrived = mbarriers(t, "arrived", stages);
    // Step k is this block's k-th tile. The engine moves whole vectors; up to three numbers are left over.
    auto first = [&](int k) { return (t.block() + k * t.grid_size()) * tile; };
    auto cells = [&](int k) { return first(k) >= size ? 0 : min(tile, (size - first(k)) / 4 * 4); };
    auto load = [&](int k) {
      arrive_expect<T>(arrived[k % stages], cells(k));
      bulk_copy(ring.at(k % stages * tile), data.at(first(k)), cells(k), arrived[k % stages]);
    };
    t.phase("fill the ring");
    if (i == 0)
      for (int k = 0; k < stages; ++k) load(k);
    t.sync();

    t.phase("add");
    auto tiles = vectors<4>(ring);
    T mine = 0;
    for (int k = 0; cells(k) > 0; ++k) {
      t.awaits_copy();
      await(arrived[k % stages], k / stages % 2);
      t.goes_on();
#pragma unroll
      for (int v = i; v < items * n; v += n) {
        if (4 * v >= cells(k)) break;
        const Vec<T, 4> x = tiles[k % stages * items * n + v];
        mine += x[0] + x[1] + x[2] + x[3];
      }
      t.sync();  // all have read the tile: its place is free
      if (i == 0) load(k + stages);
    }
    if (t.block() == 0)
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

// A large array wants large tiles, a small one a tile for every multiprocessor.
static int items(const Problem& p) {
  if (p.text("items") != "auto") return p["items"];
  return p.n() < 1 << 18 ? 1 : p.n() < 1 << 23 ? 2 : 4;
}

static const Register bulk_copy_sum{{
    .name = "reduce/bulk-copy",
    .title = "Bulk copies",
    .lesson = "the copy engine fills a ring of tiles, one 64-bit atomic a block ends the sum: past CUB",
    .parameters =
        {{"items", {"auto", 1, 2, 4}, "auto", "Vectors of 16 bytes a thread."},
         {"stages", {2, 3}, 3, "Buffers in the ring: while one is added up, the others are filled."},
         addition_only("the hardware's sums of a warp are of integers, and sum and count share "
                       "one 64-bit atomic"),
         int32_only("sum and count share one 64-bit integer atomic",
                    "sum and count share one 64-bit integer atomic")},
    .default_n = 64,
    .full_block = 1024,
    .levels = 2,
    .tile = [](const Problem& p) { return 4 * items(p) * p.block; },
    .property = always(Property::reduction),
    .expected = serial::reduction,
    .program =
        [](Gpu& gpu, const Problem& p) {
          auto data = gpu.array("data", p.values<int>());
          auto sum = gpu.array<int>("sum", 1);
          auto so_far = gpu.array<Counted<int>>("so far", 1);
          const int blocks = min(gpu.multiprocessors(), ceil_div(data.size(), 4 * items(p) * p.block));
          choose<1, 2, 4>(items(p), [&](auto items) {
            choose<2, 3>(p["stages"], [&](auto stages) {
              gpu.launch("reduce", {blocks, p.block}, BulkCopySum<items, stages>{}, read_only(data), sum,
                         so_far);
            });
          });
          return sum;
        },
}};
