#include "engine/simt/kernel.hpp"

// Sums from the right, y[k] = x[k] + ... + x[N-1], in a single pass: each block waits for what the block
// after it passes on. It works as long as all blocks fit on the GPU at once. One more, and all that have
// started wait for a block that starts only when one of them ends.
struct WaitsAhead {
  template <class T, class I>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> result, Array<T> passed,
                             Array<I> ready) const {
    const int i = t.rank(), n = t.block_size(), b = t.block(), k = b * n + i;
    auto sum = shared<T>(t, "sum", n);
    T x = identity<T>();
    if (k < data.size()) x = data[k];
    sum[i] = x;
    t.sync();

    t.phase("wait for the block after");
    if (i == 0) {
      T carry = identity<T>();
      if (b + 1 < t.grid_size()) {
        wait_while(ready[b + 1], 0);
        carry = passed[b + 1];
      }
      for (int j = n - 1; j >= 0; --j) {
        carry = sum[j] + carry;
        sum[j] = carry;
      }
      passed[b] = carry;
      store_release(ready[b], 1);
    }
    t.sync();

    t.phase("store");
    if (k < data.size()) result[k] = sum[i];
  }
};

static const Register waits_ahead{{
    .name = "mistakes/waits-ahead",
    .title = "Waiting ahead",
    .lesson = "blocks that wait for later blocks: right while all of them fit, and then a deadlock",
    .fix = "A block may only wait for blocks that have started, and no order among them is promised. Let "
           "each block draw its tile by ticket (atomic_add on a counter): here the first ticket takes the "
           "last tile, so that whoever waits, waits for an earlier ticket.",
    .parameters = {element_type()},
    .default_n = 64,
    .most_block = 256,
    .levels = 3,
    .expected =
        [](const Problem& p) {
          Problem mirrored = p;
          std::reverse(mirrored.data.begin(), mirrored.data.end());
          auto y = serial::inclusive_scan(mirrored);
          std::reverse(y.begin(), y.end());
          return y;
        },
    .program =
        [](Gpu& gpu, const Problem& p) {
          return with_type(p, [&](auto zero) -> Output {
            const int blocks = ceil_div(p.n(), p.block);
#ifdef __CUDACC__  // the CPU's executor ends a deadlock and explains it
            if (blocks > 64)
              throw UsageError(
                  message("mistakes/waits-ahead with {} blocks would hang a real GPU for ever: use at most "
                          "64 (--n, --block).",
                          blocks));
#endif
            auto data = gpu.array("data", p.values<decltype(zero)>());
            auto result = gpu.array<decltype(zero)>("result", p.n());
            auto passed = gpu.array<decltype(zero)>("passed", blocks);
            auto ready = gpu.array<int>("ready", blocks);
            gpu.launch("sums from the right", {blocks, p.block}, WaitsAhead{}, read_only(data), result,
                       passed, ready);
            return result;
          });
        },
}};
