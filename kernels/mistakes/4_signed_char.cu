#include "kernels/histogram/bins.hpp"

// The mistake: keys of type char, which is signed on most machines. From 128 on a key is a negative number,
// and the bin it names lies before the first one. No error is raised: whatever lies there is counted up. Here
// that is an array put there on purpose, so that the kernel harms nobody else. Seen in histograms of text and
// of grey levels.
struct SignedChar {
  template <class Key, class Count>
  __device__ void operator()(auto& t, Array<const Key> keys, Array<Count> bins) const {
    const int i = t.block() * t.block_size() + t.rank();
    auto before = shared<Count>(t, "before", 128);
    auto local = shared<Count>(t, "local", bins.size());
    t.phase("clear");
    for (int b = t.rank(); b < before.size(); b += t.block_size()) before[b] = 0;
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

static const Register signed_char{{
    .name = "mistakes/signed-char",
    .title = "Signed char",
    .lesson = "keys of a signed type: from 128 on they name bins before the first",
    .fix = "A key of 8 bits is a number from 0 to 255 only if its type is unsigned: make the keys uint8_t "
           "(unsigned "
           "char), as histogram/shared-atomics has them.",
    .parameters = {bins()},
    .property = always(Property::histogram),
    .expected = serial::histogram,
    .program = [](Gpu& gpu, const Problem& p) -> Output {
      std::vector<int8_t> signed_keys;
      for (double key : p.data) signed_keys.push_back(int8_t(int(key)));  // wraps, as a char does
      auto keys = gpu.array("keys", signed_keys);
      auto bins = gpu.array<int>("bins", p["bins"]);
      gpu.launch("histogram", {ceil_div(keys.size(), p.block), p.block}, SignedChar{}, read_only(keys), bins);
      return bins;
    },
}};
