#include "kernels/histogram/bins.hpp"

// The mistake: reading a bin, adding one and writing it back are three steps, and another thread may come
// between. What it wrote is then overwritten, and its key is lost.
struct RacyHistogram {
  template <class Key, class Count>
  __device__ void operator()(auto& t, Array<const Key> keys, Array<Count> bins) const {
    const Index i = t.block() * t.block_size() + t.rank();
    t.phase("count");
    if (i < keys.size()) bins[keys[i]]++;
  }
};

static const Register racy_histogram{{
    .name = "histogram/racy",
    .title = "Racy",
    .lesson = "bins[key]++ without atomics: updates that are really lost",
    .parameters = {bins()},
    .presets = {queue_7x20()},
    .property = always(Property::histogram),
    .expected = serial::histogram,
    .program = [](Gpu& gpu, const Problem& p) { return histogram(gpu, p, RacyHistogram{}); },
}};
