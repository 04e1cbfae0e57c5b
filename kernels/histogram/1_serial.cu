#include "kernels/histogram/bins.hpp"

// The reference: one thread of the GPU takes one key after the other. No atomics, since there is nobody to
// meet; all other lanes of its warp, and all but one of the multiprocessors, have nothing to do.
struct SerialHistogram {
  template <class Key, class Count>
  __device__ void operator()(auto& t, Array<const Key> keys, Array<Count> bins) const {
    if (t.rank() > 0) return;
    t.phase("count");
    for (Index k = 0; k < keys.size(); ++k) bins[keys[k]]++;
  }
};

static const Register serial_histogram{{
    .name = "histogram/serial",
    .title = "One thread",
    .lesson = "one thread counts all keys: right without atomics, and as slow as a GPU can be",
    .parameters = {bins()},
    .presets = {queue_7x20()},
    .full_block = 1,
    .tile = [](const Problem& p) { return p.n(); },
    .property = always(Property::histogram),
    .expected = serial::histogram,
    .formulas =
        [](const Problem& p) {
          const auto bins = serial::histogram(p);
          return std::vector<Formula>{{"adds", "n", double(p.n())},
                                      {"span", "keys of the fullest bin", *std::ranges::max_element(bins)}};
        },
    .program = [](Gpu& gpu, const Problem& p) { return histogram(gpu, p, SerialHistogram{}, 1); },
}};
