#include "kernels/histogram/bins.hpp"

// Which keys a thread takes. Lanes that read neighbours coalesce. In contiguous chunks lanes read `items`
// bytes apart, and each may need a sector of its own; strides of a block or of the grid keep them side by
// side.
enum class Access { contiguous, block_strided, grid_strided };

// Each thread counts `items` keys, so that a block clears its bins and adds them to the grid's only once for
// all of them: fewer blocks, fewer global atomics. The shared queues grow, since each block holds more keys.
struct Coarsened {
  template <class Key, class Count>
  __device__ void operator()(auto& t, Array<const Key> keys, Array<Count> bins, int items,
                             Access access) const {
    const int i = t.rank(), n = t.block_size();
    auto local = shared<Count>(t, "local", bins.size());
    t.phase("clear");
    for (int b = i; b < bins.size(); b += n) local[b] = 0;
    t.sync();

    t.phase("count");
    const Index me = t.block() * n + i;
    Index k = t.block() * n * items + i, stride = n;
    if (access == Access::contiguous) {
      k = me * items;
      stride = 1;
    } else if (access == Access::grid_strided) {
      k = me;
      stride = t.grid_size() * n;
    }
#pragma unroll 4
    for (int j = 0; j < items && k < keys.size(); ++j) {
      atomic_add(local[keys[k]], 1);
      k += stride;
    }
    t.sync();

    t.phase("add to the grid");
    for (int b = i; b < bins.size(); b += n) {
      const Count count = local[b];
      if (count > 0) atomic_add(bins[b], count);
    }
  }
};

static Access access_of(const Problem& p) {
  return p.text("access") == "contiguous"      ? Access::contiguous
         : p.text("access") == "block-strided" ? Access::block_strided
                                               : Access::grid_strided;
}

static const Register coarsened{{
    .name = "histogram/coarsened",
    .title = "Coarsened",
    .lesson = "several keys a thread: fewer global atomics a key, and longer queues in shared memory",
    .parameters = {{"items", {1, 2, 4, 8, 16, 32, 64}, 4, "Elements a thread."},
                   {"access",
                    {"contiguous", "block-strided", "grid-strided"},
                    "block-strided",
                    "Which elements a thread takes: a row of its own, or every so many."},
                   bins()},
    .presets = {queue_7x20()},
    .tile = [](const Problem& p) { return p.block * p["items"]; },
    .property = always(Property::histogram),
    .expected = serial::histogram,
    .formulas =
        [](const Problem& p) {
          return std::vector<Formula>{{"shared atomics", "n", double(p.n())},
                                      at_most_bins_a_block(p, ceil_div(p.n(), p.block * p["items"]))};
        },
    .program =
        [](Gpu& gpu, const Problem& p) {
          const int items = p["items"];
          return histogram(gpu, p, Coarsened{}, ceil_div(p.n(), p.block * items), items, access_of(p));
        },
}};
