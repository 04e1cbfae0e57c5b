#include "kernels/histogram/bins.hpp"

// Which keys a thread takes. Lanes that read neighbours coalesce: `contiguous` chunks lie `items` bytes
// apart, so that each lane may need a sector of its own; strides of the block or of the grid keep lanes side
// by side.
enum class Order { contiguous, block_strided, grid_strided };

// Each thread counts `items` keys, so that a block clears its bins and adds them to the grid's only once for
// all of them: fewer blocks, fewer global atomics. The shared queues grow, since each block holds more keys.
struct Coarsened {
  template <class Key, class Count>
  __device__ void operator()(auto& t, Array<const Key> keys, Array<Count> bins, int items,
                             Order order) const {
    const int i = t.rank(), n = t.block_size();
    auto local = shared<Count>(t, "local", bins.size());
    t.phase("clear");
    for (int b = i; b < bins.size(); b += n) local[b] = 0;
    t.sync();

    t.phase("count");
    int k = t.block() * n * items + i, stride = n;
    if (order == Order::contiguous) k = (t.block() * n + i) * items, stride = 1;
    if (order == Order::grid_strided) k = t.block() * n + i, stride = t.grid_size() * n;
#pragma unroll 4
    for (int taken = 0; taken < items && k < keys.size(); ++taken, k += stride) atomic_add(local[keys[k]], 1);
    t.sync();

    t.phase("add to the grid");
    for (int b = i; b < bins.size(); b += n) {
      const Count count = local[b];
      if (count > 0) atomic_add(bins[b], count);
    }
  }
};

static Order order_of(const Problem& p) {
  const std::string& order = p.text("order");
  return order == "contiguous"      ? Order::contiguous
         : order == "block-strided" ? Order::block_strided
                                    : Order::grid_strided;
}

static const Register coarsened{{
    .name = "histogram/coarsened",
    .title = "Coarsened",
    .lesson = "several keys a thread: fewer global atomics a key, and longer queues in shared memory",
    .parameters = {{"items", {1, 2, 4, 8, 16, 32, 64}, 4},
                   {"order", {"contiguous", "block-strided", "grid-strided"}, "block-strided"},
                   bins()},
    .presets = {queue_7x20()},
    .default_n = 224,
    .tile = [](const Problem& p) { return p.block * p["items"]; },
    .promise = always(Promise::histogram),
    .expected = serial::histogram,
    .formulas =
        [](const Problem& p) {
          return std::vector<Formula>{{"shared atomics", "N", double(p.n())},
                                      {"global atomics", "at most bins a block",
                                       double(p["bins"]) * ceil_div(p.n(), p.block * p["items"])}};
        },
    .program =
        [](Gpu& gpu, const Problem& p) {
          const int items = p["items"];
          return histogram(gpu, p, Coarsened{}, ceil_div(p.n(), p.block * items), items, order_of(p));
        },
}};
