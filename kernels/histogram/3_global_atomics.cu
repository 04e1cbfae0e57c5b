#include "kernels/histogram/bins.hpp"

// One atomic a key on the bins in global memory: right, but all threads of the grid with the same key stand
// in one queue.
struct GlobalAtomics {
  template <class Key, class Count>
  __device__ void operator()(auto& t, Array<const Key> keys, Array<Count> bins) const {
    const Index i = t.block() * t.block_size() + t.rank();
    t.phase("count");
    if (i < keys.size()) atomic_add(bins[keys[i]], 1);
  }
};

static const Register global_atomics{{
    .name = "histogram/global-atomics",
    .title = "Global atomics",
    .lesson = "one atomic a key on global bins: the longest queue",
    .parameters = {bins()},
    .presets = {queue_7x20()},
    .property = always(Property::histogram),
    .expected = serial::histogram,
    .formulas =
        [](const Problem& p) {
          return std::vector<Formula>{{"global atomics", "n", double(p.n())}};
        },
    .program = [](Gpu& gpu, const Problem& p) { return histogram(gpu, p, GlobalAtomics{}); },
}};
