#include "kernels/histogram/bins.hpp"

// Each block counts in bins of its own in shared memory, then adds each of them to the grid's once: two
// queues, both short, instead of one long one.
struct SharedAtomics {
  template <class Key, class Count>
  __device__ void operator()(auto& t, Array<const Key> keys, Array<Count> bins) const {
    const Index i = t.block() * t.block_size() + t.rank();
    auto local = shared<Count>(t, "local", bins.size());
    t.phase("clear");
    for (int b = t.rank(); b < bins.size(); b += t.block_size()) local[b] = 0;
    t.sync();

    t.phase("count");
    if (i < keys.size()) atomic_add(local[keys[i]], 1);
    t.sync();

    t.phase("add to the grid");
    for (int b = t.rank(); b < bins.size(); b += t.block_size()) {
      const Count count = local[b];
      if (count > 0) atomic_add(bins[b], count);
    }
  }
};

static const Register shared_atomics{{
    .name = "histogram/shared-atomics",
    .title = "Shared atomics",
    .lesson = "bins of the block in shared memory: two short queues",
    .parameters = {bins()},
    .presets = {queue_7x20()},
    .property = always(Property::histogram),
    .expected = serial::histogram,
    .formulas =
        [](const Problem& p) {
          return std::vector<Formula>{{"shared atomics", "n", double(p.n())}};
        },
    .program = [](Gpu& gpu, const Problem& p) { return histogram(gpu, p, SharedAtomics{}); },
}};
