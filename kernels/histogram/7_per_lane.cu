#include "kernels/histogram/bins.hpp"

// Histogram of bytes at the speed of reading them, whatever the data.
//
// A shared atomic serves a warp in one wavefront if its 32 lanes touch 32 different banks, and in as many as
// the fullest bank has addresses otherwise. One table of bins loses twice: random keys put 3.5 addresses into
// the fullest bank, and unlucky ones (all equal modulo 32) put all of them into one.
//
// So EVERY LANE COUNTS IN BINS OF ITS OWN: bin b of lane l is copies[b][l], which lies in bank l. Two lanes
// of a warp never meet; each atomic takes one wavefront for random keys, for one key, for any keys. The 32
// copies serve all warps of the block (they do meet, but not in the same cycle). At the end the copies are
// added, each bin by a thread that begins at a copy of its own, and go to the grid's bins with one atomic a
// bin.
//
// WHOEVER IS FREE TAKES THE NEXT CHUNK, by a ticket that is drawn while the chunk before is counted: some
// multiprocessors reach memory faster than others, and with a fixed share each, all wait for the slowest.
template <int loads>
struct PerLane {
  static constexpr int blocks_per_multiprocessor = 2;

  template <class Key, class Count, class I>
  __device__ void operator()(auto& t, Array<const Key> keys, Array<Count> bins, Array<I> ticket) const {
    const int i = t.rank(), n = t.block_size(), lane = t.lane();
    auto cells = shared<Count>(t, "copies", 32 * bins.size());
    auto chunk = shared<I>(t, "chunk", {.rows = 2, .columns = 1});  // this one and the next
    auto copies = rows<32>(cells);
    auto sixteens = vectors<16>(keys);
    auto count = [&](const Vec<Key, 16>& keys) {
#pragma unroll
      for (int k = 0; k < 16; ++k) atomic_add(copies[keys[k]][lane], 1);
    };
    t.phase("clear");
    if (i == 0) chunk[0] = atomic_add(ticket[0], 1);
    for (int c = i; c < cells.size(); c += n) cells[c] = 0;
    t.sync();

    t.phase("count");
    const Index chunks = ceil_div(sixteens.size(), loads * n);
    for (int k = 1, mine = int(chunk[0]); mine < chunks; ++k) {
      const Index first = mine * loads * n + i;
      if (mine < chunks - 1) {
        Vec<Key, 16> v[loads];
#pragma unroll
        for (int l = 0; l < loads; ++l) v[l] = sixteens[first + l * n];  // several on their way at once
        if (i == 0) chunk[k % 2] = atomic_add(ticket[0], 1);
#pragma unroll
        for (int l = 0; l < loads; ++l) count(v[l]);
      } else {
        if (i == 0) chunk[k % 2] = atomic_add(ticket[0], 1);
        for (Index l = first; l < sixteens.size(); l += n) count(sixteens[l]);
      }
      t.sync();
      mine = int(chunk[k % 2]);
    }
    if (t.block() == 0)  // what is left over
      for (Index k = keys.size() - 1 - i; k >= 16 * sixteens.size(); k -= n)
        atomic_add(copies[keys[k]][lane], 1);
    t.sync();

    t.phase("add the copies");
    for (int b = i; b < bins.size(); b += n) {
      Count sum = 0;
#pragma unroll 8
      for (int k = 0; k < 32; ++k) sum += copies[b][(lane + k) % 32];
      if (sum > 0) atomic_add(bins[b], sum);
    }
  }
};

static const Register per_lane{{
    .name = "histogram/per-lane",
    .title = "A copy for each lane",
    .lesson = "bins of its own for every lane: no conflict whatever the data, at the speed of reading",
    .parameters = {bins(), {"loads", {1, 2, 4}, 4, "Loads a thread has on their way at once."}},
    .presets = {queue_7x20()},
    .full_block = 1024,
    .tile = [](const Problem& p) { return 16 * p["loads"] * p.block; },
    .property = always(Property::histogram),
    .expected = serial::histogram,
    .formulas =
        [](const Problem& p) {
          return std::vector<Formula>{{"shared atomics", "n", double(p.n())}};
        },
    .program =
        [](Gpu& gpu, const Problem& p) {
          auto keys = gpu.array("keys", p.values<uint8_t>());
          auto bins = gpu.zeros<int>("bins", p["bins"]);
          auto ticket = gpu.zeros<int>("ticket", 1);
          const int chunks = ceil_div(keys.size(), 16 * p["loads"] * p.block);
          choose<1, 2, 4>(p["loads"], [&](auto loads) {
            using Kernel = PerLane<loads>;
            const int blocks = min(chunks, Kernel::blocks_per_multiprocessor * gpu.multiprocessors());
            gpu.launch("histogram", {blocks, p.block}, Kernel{}, read_only(keys), bins, ticket);
          });
          return bins;
        },
}};
