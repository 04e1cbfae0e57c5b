#include "kernels/vectors.hpp"

// Scan at the speed of a copy. It reads n numbers and writes n numbers, so a copy is the ceiling.
//
// THE COPY ENGINE MOVES THE DATA. One block stays on each multiprocessor with a ring of tiles in shared
// memory. Thread 0 asks the engine for tiles several steps ahead and hands finished ones back to it. A thread
// owns `items` vectors of 16 bytes in a row: an odd number, so that 8 threads hit 8 different groups of
// banks. Tiles of short arrays come in as many pieces (3% at 2^24 on an H200), of long ones whole (0.3% at
// 2^29).
//
// WHOEVER IS FREE TAKES THE NEXT TILE. Some multiprocessors reach memory faster than others; with a fixed
// share each, all wait for the slowest. A ticket, drawn one step before it is needed and after the total that
// others await is out, keeps nobody waiting.
//
// LOOK AHEAD, THEN BACK, ONCE. A block publishes the total of its NEXT tile before it ends this one. What
// lies before a tile is the sum of all totals since the block's own last tile, read at once: they were
// published a step ago, so nothing is handed from tile to tile. A total is one word that says that it is
// there, so no fence is waited for: an integer carries a count, a float is never all zeros. Each call clears
// the words of the next one: state[1] says which half is whose. There are as many tickets as tiles, and a
// block reads that word before it draws its first: whoever draws the last one can turn it over.
//
// Per element one add in its thread's sum and one in its result; in between the scan of a warp.
template <class T>
__device__ T scan_lanes(auto& t, T upto) {
#pragma unroll
  for (int stride = 1; stride < 32; stride *= 2) {
    const T left = t.shuffle_up(upto, stride);
    if (t.lane() >= stride) upto = left + upto;
  }
  return upto;
}

// The sum of a warp's `lanes` values, in each of them: integers have an instruction for it.
template <class T>
__device__ T sum_of_lanes_in_all(auto& t, T mine, int lanes) {
  if constexpr (Reduced<plain<T>>)
    return t.reduce_add(mine);
  else
    return t.shuffle(scan_lanes(t, mine), lanes - 1);
}

template <int width, int items, int stages>  // width: elements in 16 bytes
struct LookAhead {
  static_assert(items % 2 == 1 && stages > 2);

  template <class T, class C, class I>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> result, Array<C> totals, Array<I> state,
                             int piece, bool inclusive) const {
    const int i = t.rank(), n = t.block_size(), lane = t.lane(), warp = t.warp(), warps = ceil_div(n, 32);
    const int lanes = min(32, n - 32 * warp);  // of this warp
    const Index size = data.size(), tile = width * items * n, tiles = ceil_div(size, tile);
    const Index whole = size / width * width;
    auto ring = shared<T>(t, "ring", {.rows = stages, .columns = tile});
    auto of_warp = shared<T>(t, "of warp", {.rows = 2, .columns = warps});
    auto seen = shared<T>(t, "seen", warps);  // by each warp that looked back
    auto tile_at = shared<I>(t, "tile at", stages);
    auto half = shared<I>(t, "half", 1);
    auto arrived = mbarriers(t, "arrived", stages);
    auto cells = [&](int number) { return number < tiles ? min(tile, whole - number * tile) : 0; };
    auto load = [&](int k, int number) {  // step k is about this tile
      tile_at[k % stages] = number;
      arrive_expect<T>(arrived[k % stages], cells(number));
      for (int c = 0; c < cells(number); c += piece)
        bulk_copy(ring.at(k % stages * tile + c), data.at(number * tile + c), min(piece, cells(number) - c),
                  arrived[k % stages]);
    };
    t.phase("fill the ring");
    if (i == 0) {
      for (int k = 0; k < stages; ++k) load(k, t.block() + k * t.grid_size());
      half[0] = load_acquire(state[1]) * tiles;
    }
    t.sync();

    const int now = int(half[0]);
    auto vectors_of = vectors<width>(ring);
    auto vector = [&](int k, int v) { return (k % stages * n + i) * items + v; };
    T before = identity<T>();  // all tiles before ours
    int mine, next, last = 0, drawn = 0, ahead = 0;
    auto there = [&](int number, int v) { return number * tile + width * (i * items + v) < size; };
    // Awaits step k's tile and publishes its total; gives what lies before this thread in it.
    auto publish_step = [&](int k) {
      T sum = identity<T>();
      t.awaits_copy();
      await(arrived[k % stages], k / stages % 2);
      t.goes_on();
      next = int(tile_at[k % stages]);
      if (next >= tiles) return sum;
      if (next == tiles - 1 && whole < size && i == cells(next) / (width * items))
        for (int r = 0; r < width; ++r) {  // up to three numbers of ours that the engine left behind
          T x = identity<T>();
          if (whole + r < size) x = data[whole + r];
          ring[k % stages * tile + cells(next) + r] = x;
        }
#pragma unroll
      for (int v = 0; v < items; ++v)
        if (there(next, v)) {
          const Vec<T, width> x = vectors_of[vector(k, v)];
          T of_vector = x[0];
#pragma unroll
          for (int c = 1; c < width; ++c) of_vector += x[c];
          sum += of_vector;
        }
      const T upto = scan_lanes(t, sum);
      if (lane == 31) of_warp[k % 2 * warps + warp] = upto;
      t.sync();
      T left = identity<T>();
      if (lane < warp) left = of_warp[k % 2 * warps + lane];
#pragma unroll 1  // a short warp may have more warps before it than lanes
      for (int w = lane + lanes; w < warp; w += lanes) left += of_warp[k % 2 * warps + w];
      left = sum_of_lanes_in_all(t, left, lanes);
      if (i == n - 1) {
        publish_part(totals[now + next], left + upto);
        totals[tiles - now + next] = C{};
      }
      if (warp == warps - 1) t.has_published(next);
      const T below = t.shuffle_up(upto, 1);
      if (lane > 0) left += below;
      return left;
    };

    t.phase("look ahead");
    T in_tile = publish_step(0);
    mine = next;
    for (int k = 0; mine < tiles; ++k) {
      t.phase("look ahead");
      const T in_next = publish_step(k + 1);
      if (i == 0) drawn = int(atomic_add(state[0], 1));

      t.phase("look back");
      t.works_on(mine);
      if (last < mine) t.awaits(last, mine - 1);
      const int look = min(warps, ceil_div(mine - last, 32));  // so many warps have something to look at
      if (warp < look) {
        T since = identity<T>();
        for (int j = last + i; j < mine; j += n) since += await_part<T>(totals[now + j]);
        since = sum_of_lanes_in_all(t, since, lanes);
        if (lane == 0) seen[warp] = since;
      }
      if (last < mine) t.goes_on();
      t.sync();

      t.phase("scan");
#pragma unroll
      for (int w = 0; w < 8; ++w)
        if (w < look) before += seen[w];
      for (int w = 8; w < look; ++w) before += seen[w];
      auto scan_own = [&](auto kind) {
        constexpr bool with_own = decltype(kind)::value;
        T sum = before + in_tile;
#pragma unroll
        for (int v = 0; v < items; ++v)
          if (there(mine, v)) {
            Vec<T, width> x = vectors_of[vector(k, v)];
#pragma unroll
            for (int c = 0; c < width; ++c) {
              const T upto = sum + x[c];
              x[c] = with_own ? upto : sum;
              sum = upto;
            }
            vectors_of[vector(k, v)] = x;
          }
      };
      if (inclusive)
        scan_own(std::true_type{});
      else
        scan_own(std::false_type{});
      t.fence_async();  // what we wrote, before the engine reads it
      t.sync();

      t.phase("send");
      if (mine == tiles - 1)
        for (Index r = whole + i; r < size; r += n) result[r] = ring[k % stages * tile + r - mine * tile];
      if (i == 0) {
        bulk_copy(result.at(mine * tile), ring.at(k % stages * tile), cells(mine));
        t.await_bulk_read(1);  // step k - 1 has been sent: its place is free
        if (k > 0) load(k - 1 + stages, ahead + stages * t.grid_size());
        ahead = drawn;
      }
      in_tile = in_next;
      last = mine;
      mine = next;
    }
    if (i > 0) return;
    t.await_bulk_read(0);  // shared memory lives as long as the block
    if (drawn < tiles - 1) return;
    atomic_exch(state[0], 0);  // the last ticket: ready for the next call
    atomic_exch(state[1], now ? 0 : 1);
  }
};

static const Register look_ahead{{
    .name = "scan/look-ahead",
    .title = "Look ahead",
    .lesson = "bulk copies, tickets, and totals published a step before they are needed: the speed of a copy",
    .parameters =
        {{"items", {1, 3}, 3, "Vectors of 16 bytes a thread."},
         {"stages", {3, 4}, 4, "Buffers in the ring: while one is added up, the others are filled."},
         scan_kind("inclusive"),
         commutative_operators("of many tiles before it a thread adds up those that lie a block apart"),
         element_type()},
    .default_n = 64,
    .full_block = 1024,
    .levels = 2,
    .timed_block =
        [](const Problem& p) {  // short arrays: a tile for each multiprocessor; doubles: two blocks on each
          const auto megabytes = p.n() * (16 / width_of(p)) >> 20;
          if (megabytes < 64) return megabytes < 2 ? 256 : megabytes < 16 ? 384 : 448;
          return megabytes < 128 || width_of(p) < 4 ? 512 : 1024;
        },
    .tile = [](const Problem& p) { return width_of(p) * p["items"] * p.block; },
    .property = scan_property,
    .expected = serial::scan,
    .program =
        [](Gpu& gpu, const Problem& p) {
          return with_element(p, [&](auto zero) -> Output {
            using T = decltype(zero);
            constexpr int width = 16 / sizeof(T);
            auto data = gpu.array("data", p.values<T>());
            auto result = gpu.array<T>("result", data.size());
            const int tile = width * p["items"] * p.block, tiles = ceil_div(data.size(), tile);
            const int piece = p.n() < 1 << 26 ? width * p.block : tile;
            // as shared memory and registers (64 a thread) allow
            const bool two = 2 * int(sizeof(T)) * p["stages"] * tile <= (220 << 10) && 2 * p.block <= 1024;
            const LaunchShape shape{min((two ? 2 : 1) * gpu.multiprocessors(), tiles), p.block, true};
            auto totals = gpu.array<PartOf<T>>("totals", 2 * tiles);
            auto state = gpu.array<int>("state", 2);  // ticket, whose half
            const bool inclusive = p.text("scan") == "inclusive";
            choose<1, 3>(p["items"], [&](auto items) {
              choose<3, 4>(p["stages"], [&](auto stages) {
                gpu.launch("scan", shape, LookAhead<width, items, stages>{}, read_only(data), result, totals,
                           state, piece, inclusive);
              });
            });
            return result;
          });
        },
}};
