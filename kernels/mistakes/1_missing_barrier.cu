#include "engine/simt/kernel.hpp"

// The mistake: a tree of halves with one barrier before its loop, instead of one in each step. A thread goes
// on while others still add for the step before, and takes a sum that is not there yet. Inside one warp it
// often comes out right by luck. Seen in reductions from before 2017, which left the barrier out of their
// last five steps on purpose, when the lanes of a warp still went in step.
struct MissingBarrier {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> total) const {
    const int i = t.rank(), n = t.block_size(), k = t.block() * n + i;
    auto s = shared<T>(t, "s", n);
    T mine = 0;
    if (k < data.size()) mine = data[k];
    s[i] = mine;
    t.sync();

    t.phase("halves");
    for (int stride = n / 2; stride > 0; stride /= 2)
      if (i < stride) s[i] += s[i + stride];

    t.phase("store");
    if (i == 0) atomic_add(total[0], s[0]);
  }
};

static const Register missing_barrier{{
    .name = "mistakes/missing-barrier",
    .title = "Missing barrier",
    .lesson = "a tree of halves with one barrier before the loop: each step may read sums of the step before "
              "too early",
    .fix =
        "A step reads what other threads wrote in the step before, so a barrier belongs between the two: put "
        "__syncthreads() at the head of the loop's body, as reduce/shared has it.",
    .parameters = {element_type()},
    .power_of_two_block = true,
    .property = always(Property::reduction),
    .expected = serial::reduction,
    .program =
        [](Gpu& gpu, const Problem& p) {
          return with_type(p, [&](auto zero) -> Output {
            auto data = gpu.array("data", p.values<decltype(zero)>());
            auto total = gpu.array<decltype(zero)>("total", 1);
            gpu.launch("reduce", {ceil_div(data.size(), p.block), p.block}, MissingBarrier{}, read_only(data),
                       total);
            return total;
          });
        },
}};
