#include "kernels/reduce/levels.hpp"

// Sum, sum of squares or sum of cubes by a tree in shared memory. A thread stays active while its low bits,
// told by a mask that grows by one bit a step, are zero: 1 thread in 2, in 4, in 8. Neighbours meet
// neighbours, so the order is kept. n-1 adds, span log2 n.
template <int power>
struct TreeMask {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> sums) const {
    const Index i = t.rank(), n = t.block_size(), k = t.block() * n + i;
    auto s = shared<T>(t, "s", n);
    T x = identity<T>();
    if (k < data.size()) x = data[k];
    T y = x;
    if constexpr (power >= 2) y *= x;
    if constexpr (power == 3) y *= x;
    s[i] = y;

    t.phase("tree");
    int offset = 1, mask = 1;
    while (offset < n) {
      t.sync();
      if ((i & mask) == 0) s[i] += s[i + offset];
      offset += offset;
      mask += offset;
    }

    t.phase("store");
    if (i == 0) sums[t.block()] = s[0];
  }
};

template <int power>
constexpr bool blocks_are_clocked(TreeMask<power>) {
  return true;
}

template <int power, class T>
static Output reduce(Gpu& gpu, const Problem& p, T) {
  return reduce_levels(gpu, TreeMask<power>{}, gpu.array("data", p.values<T>()), p.block, 1, TreeMask<1>{});
}

static int power_of(const Problem& p) {
  const int power = p.text("of") == "sum" ? 1 : p.text("of") == "squares" ? 2 : 3;
  if (power > 1 && p.text("operator") != "add")
    throw UsageError(message("--set of={} multiplies numbers, to be added: leave out --set operator={}.",
                             p.text("of"), p.text("operator")));
  return power;
}

static const Register tree_mask{{
    .name = "reduce/tree-mask",
    .title = "Tree, active by mask",
    .lesson = "which threads stay active by their low bits: ever fewer of each warp",
    .parameters = {{"of",
                    {"sum", "squares", "cubes"},
                    "sum",
                    "What is summed: the values, their squares or their cubes."},
                   operators(),
                   element_type()},
    .power_of_two_block = true,
    .property = always(Property::reduction),
    .expected =
        [](const Problem& p) {
          return power_of(p) == 1 ? serial::reduction(p) : serial::sum_of_powers(p, power_of(p));
        },
    .formulas =
        [](const Problem& p) {
          auto formulas = over_levels(p, 1, {"n-1", [](double n, double) { return n - 1; }},
                                      {"log2 n", [](double n, double) { return std::log2(n); }});
          if (const int products = power_of(p) - 1) {  // of each element with itself, before the tree
            std::string& text = formulas[1].text;
            text.insert(std::min(text.find(", "), text.size()), " + " + std::to_string(products));
            formulas[1].value += products;
          }
          return formulas;
        },
    .program = [](Gpu& gpu, const Problem& p) -> Output {
      const int power = power_of(p);
      if (power == 1) return with_element(p, [&](auto first) { return reduce<1>(gpu, p, first); });
      if (power == 2) return with_type(p, [&](auto zero) { return reduce<2>(gpu, p, zero); });
      return with_type(p, [&](auto zero) { return reduce<3>(gpu, p, zero); });
    },
}};
