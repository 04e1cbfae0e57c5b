#include "engine/simt/kernel.hpp"

// The mistake: four elements a load, and a guard that lets whole vectors through only. The last one, two or
// three elements make no whole vector, and nobody adds them. Right whenever n is a multiple of four, and
// right by luck when the tail is zeros. Seen wherever wide loads were put into a kernel that had none.
struct DroppedTail {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> total) const {
    const int i = t.rank(), n = t.block_size(), k = t.block() * n + i;
    auto s = shared<T>(t, "s", n);
    const auto fours = vectors<4>(data);
    T mine = 0;
    if (k < fours.size()) {
      const Vec<T, 4> v = fours[k];
      mine = v[0] + v[1] + v[2] + v[3];
    }
    s[i] = mine;

    t.phase("halves");
    for (int stride = n / 2; stride > 0; stride /= 2) {
      t.sync();
      if (i < stride) s[i] += s[i + stride];
    }

    t.phase("store");
    if (i == 0) atomic_add(total[0], s[0]);
  }
};

static const Register dropped_tail{{
    .name = "mistakes/dropped-tail",
    .title = "Dropped tail",
    .lesson = "wide loads behind a guard that counts whole vectors: the last elements are never added",
    .fix = "n / 4 vectors leave n % 4 elements over: let a few threads add those one by one, or pad the "
           "input with "
           "zeros to a multiple of four. reduce/shared guards each element by itself.",
    .parameters = {element_type()},
    .default_n = 19,
    .power_of_two_block = true,
    .tile = [](const Problem& p) { return 4 * p.block; },
    .property = always(Property::reduction),
    .expected = serial::reduction,
    .program =
        [](Gpu& gpu, const Problem& p) {
          return with_type(p, [&](auto zero) -> Output {
            auto data = gpu.array("data", p.values<decltype(zero)>());
            auto total = gpu.array<decltype(zero)>("total", 1);
            gpu.launch("reduce", {ceil_div(data.size(), 4 * p.block), p.block}, DroppedTail{},
                       read_only(data), total);
            return total;
          });
        },
}};
